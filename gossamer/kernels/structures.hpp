#pragma once
// Throughput of the combining structures: many fibers on every core, each of which sends requests one after
// another and waits for each answer. The workloads are those of Holt et al. (PGAS 2013), section 5.1: every
// request is drawn from a mix of operations, keys uniformly from a range. Time is from the first start to the
// last answer, after one warm-up request of every fiber.

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
  unsigned puts = 100;  // percent of the requests: push, enqueue, insert
  unsigned erases = 0;  // percent, of sets and maps; the rest are pops, dequeues, lookups
  std::uint64_t keys = 1024;  // of sets and maps: 0 to keys - 1
  std::uint64_t cells = 0;  // of sets and maps: keys to reserve space for before the clock starts
  std::uint64_t fibers = 2048;  // on every core
  /// Of the whole job; 0: 1,024 for each fiber. With `bulk`, sets and maps insert each key once, whatever
  /// this is.
  std::uint64_t operations = 0;
  std::uint64_t payload = 8;  // bytes of a value: one of k_payloads (sets have none)
  combine where = combine::local;
  bool pending = false;  // lookups of a set may be answered from pending insertions of their core
  bool phases = false;  // of a set or map: the puts are staged; the other requests read it while it is frozen
  bool bulk = false;  // one fiber of every core inserts its share by one call; no other requests
  std::uint64_t seed = 1;
  bool verify = false;

  bool keyed() const { return kind == structure::set || kind == structure::map; }
};

/// Throws gossamer::error, one line, if the options make no sense.
void validate(const structure_work& work);

/// Returns the most bytes of a process for the work, approximately.
std::uint64_t bytes_for(const structure_work& work, unsigned cores, unsigned processes);

/// The counters of the structures during the measurement, over all cores (base/counters.hpp).
struct structure_counts {
  std::uint64_t requests = 0, commits = 0, matched = 0, messages = 0, bytes = 0, wait_ns = 0;
};

struct structure_result {
  std::uint64_t operations = 0;
  double seconds = 0;
  structure_counts counts;
  check verified{};  // no value or key lost, duplicated or altered

  double mops() const { return seconds > 0 ? static_cast<double>(operations) / seconds / 1e6 : 0; }
  /// Returns the requests per commit, the effect of combining.
  double requests_per_commit() const {
    return counts.commits > 0 ? static_cast<double>(counts.requests) / static_cast<double>(counts.commits)
                              : 0;
  }
};

/// Makes the structure, runs the requests, and destroys the structure. Inside run(), by one fiber; needs
/// `fibers` + 64 fibers on every core. Always compares the numbers of operations and elements. With `verify`,
/// also removes or reads the remaining values, one by one. Throws gossamer::error if the options make no
/// sense or need more memory than is available.
structure_result ask_structure(const structure_work& work);

/// Random bits of one fiber.
class structure_draw {
 public:
  explicit structure_draw(std::uint64_t seed) : state_(hash64(seed)) {}
  std::uint64_t operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 20;
  }

 private:
  std::uint64_t state_;
};

/// The next request of a fiber: one part of the draw selects the operation, another the key.
struct structure_request {
  enum class operation : std::uint8_t { put, erase, get } what;
  std::uint64_t key;

  structure_request(std::uint64_t draw, unsigned puts, unsigned erases, std::uint64_t keys)
      : what(draw % 100 < puts            ? operation::put
             : draw % 100 < puts + erases ? operation::erase
                                          : operation::get),
        key(draw / 128 % keys) {}
};

}  // namespace gossamer::kernels
