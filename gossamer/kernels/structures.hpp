#pragma once
// Throughput of the structures that combine: many fibers on every core, each of which asks again and again
// and waits for each answer. The workloads are those of Holt et al. (PGAS 2013), section 5.1: every request
// is drawn from a mix of operations, keys evenly from a range. Time is from the first start to the last
// answer, after one request of every fiber that warms up.

#include <array>
#include <cstdint>
#include <string_view>

#include "gossamer/base/check.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/combine.hpp"

namespace gossamer::kernels {

enum class structure : std::uint8_t { stack, queue, set, map };
inline constexpr std::array<std::string_view, 4> k_structures{"stack", "queue", "set", "map"};

inline constexpr std::array<std::uint64_t, 4> k_payloads{8, 64, 256, 1024};

struct structure_work {
  structure kind = structure::stack;
  unsigned puts = 100;   // percent of the requests: push, enqueue, insert
  unsigned erases = 0;   // percent, of sets and maps; the rest are pops, dequeues, lookups
  std::uint64_t keys = 1024;  // of sets and maps: 0 to keys - 1
  std::uint64_t cells = 0;    // of sets and maps: room for so many keys before the clock starts
  std::uint64_t fibers = 2048;  // on every core
  /// Of the whole job; 0: 1,024 for each fiber. Sets and maps in bulk: each key once, whatever is said here.
  std::uint64_t operations = 0;
  std::uint64_t payload = 8;  // bytes of a value: one of k_payloads (sets have none)
  combine where = combine::local;
  bool pending = false;  // lookups of a set are answered from insertions of their core, too
  bool phases = false;  // of a set or map: the puts are staged, then the rest is read while it is frozen
  bool bulk = false;  // one fiber of every core puts its share in by one call; no other requests
  std::uint64_t seed = 1;
  bool verify = false;

  bool keyed() const { return kind == structure::set || kind == structure::map; }
};

/// Throws gossamer::error, one line, where the work makes no sense.
void validate(const structure_work& work);

/// Returns the bytes that a process takes for the work at most, about.
std::uint64_t bytes_for(const structure_work& work, unsigned cores, unsigned processes);

/// What the structures counted meanwhile, over all cores (base/counters.hpp).
struct structure_counts {
  std::uint64_t requests = 0, commits = 0, matched = 0, messages = 0, bytes = 0, wait_ns = 0;
};

struct structure_result {
  std::uint64_t operations = 0;
  double seconds = 0;
  structure_counts counts;
  check verified{};  // nothing lost, doubled or altered: values, or keys

  double mops() const { return seconds > 0 ? static_cast<double>(operations) / seconds / 1e6 : 0; }
  /// Returns the requests per commit, which is what combining gives.
  double requests_per_commit() const {
    return counts.commits > 0 ? static_cast<double>(counts.requests) / static_cast<double>(counts.commits)
                              : 0;
  }
};

/// Makes the structure, asks it, and ends it. Inside run(), by one fiber; needs `fibers` + 64 fibers on every
/// core. Numbers are always held against one another; with `verify` what is left is also taken out, or looked
/// at, value by value. Throws gossamer::error where the work makes no sense or needs more memory than there
/// is.
structure_result ask_structure(const structure_work& work);

/// Random bits of one fiber.
class structure_draw {
 public:
  explicit structure_draw(std::uint64_t who) : state_(hash64(who)) {}
  std::uint64_t operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 20;
  }

 private:
  std::uint64_t state_;
};

/// What a fiber asks next: a share of the draw says what, another part which key.
struct structure_request {
  enum class verb : std::uint8_t { put, erase, get } what;
  std::uint64_t key;

  structure_request(std::uint64_t draw, unsigned puts, unsigned erases, std::uint64_t keys)
      : what(draw % 100 < puts            ? verb::put
             : draw % 100 < puts + erases ? verb::erase
                                          : verb::get),
        key(draw / 128 % keys) {}
};

}  // namespace gossamer::kernels
