#pragma once
// Collectives: every core takes part with exactly one fiber, all in the same order. Inside
// on_all_cores(). Cost inside a process: one atomic add and one line read by each core; a waiting
// fiber spins a little where every core has a processor, then suspends, so that its core goes on working.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/message/core_id.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer {

namespace parallel {

/// Where the cores of a job meet. Inside a process through shared memory; the first core of each process,
/// once all of its process have arrived, exchanges what they brought with the other processes (dissemination:
/// in log2 P rounds everybody has everything), and only then lets its own go.
///
///   field          writes                 reads        protected by
///   arrived_       every core             opener       acq_rel RMW
///   generation_    opener                 every core   seq_cst (with waiting)
///   waiting        its core, opener       both         seq_cst exchange: exactly one of them takes the fiber
///   words          its core               opener, all  the barrier; two sets in turn, so that a fast core
///                                                      cannot overwrite what a slow one still reads
///   far_           opener                 every core   generation_; two sets in turn
///   rounds_        first core only (its fiber, its handlers)
class meeting {
 public:
  static constexpr std::size_t k_value_bytes = 256;

  meeting(unsigned cores, unsigned processes, unsigned process, bool spin);

  void barrier(core& self) { meet(self, 0); }

  /// What has come from another process in a round. Handler on the first core.
  void take_round(core& self, std::uint32_t round, std::uint64_t episode, std::span<const std::byte> values);

  /// Each core publishes a value; after the barrier all(c) reads any.
  template <class T>
  void publish(core& self, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= k_value_bytes);
    place& mine = places_[self.id() - first_];
    mine.turn ^= 1;
    std::memcpy(mine.words[mine.turn].data(), &value, sizeof value);
    meet(self, sizeof value);
  }
  template <class T>
  T published(core& self, unsigned c) const {
    const unsigned turn = places_[self.id() - first_].turn;
    T value;
    const std::byte* const from =
        processes_ == 1 ? places_[c].words[turn].data() : &far_[turn][c * sizeof(T)];
    std::memcpy(&value, from, sizeof value);
    return value;
  }

 private:
  struct alignas(k_line_bytes) place {
    std::atomic<fiber::fiber*> waiting{nullptr};
    unsigned turn = 0;
    alignas(16) std::array<std::array<std::byte, k_value_bytes>, 2> words{};
  };

  /// What one process has sent another in one round: kept until it is asked for, as a fast process may be
  /// one episode ahead.
  struct round_slot {
    std::array<std::vector<std::byte>, 2> values;
    std::array<std::uint64_t, 2> episode{};
  };

  void meet(core& self, std::size_t bytes);
  void open(core& self, std::size_t bytes);
  void exchange(core& self, std::size_t bytes);
  void wait_until_open(core& self, std::uint64_t generation);
  void wait_for_all(core& self);

  const unsigned cores_, processes_, process_, first_;
  const bool spin_;
  std::unique_ptr<place[]> places_;
  std::array<std::vector<std::byte>, 2> far_;  // values of all cores, in order
  std::vector<round_slot> rounds_;
  std::uint64_t episode_ = 0;  // first core's
  fiber::fiber* round_waiter_ = nullptr;
  alignas(k_line_bytes) std::atomic<unsigned> arrived_{0};
  alignas(k_line_bytes) std::atomic<std::uint64_t> generation_{0};
};

}  // namespace parallel

/// Collective. Suspends until every core has come here; what was written before is visible after.
inline void barrier() {
  auto& self = parallel::core::here();
  self.everybody().barrier(self);
}

/// Collective. Folds the values in core order with op(a, b), on every core: the same result everywhere.
template <class T, class Operation>
T all_reduce(const T& value, Operation op) {
  auto& self = parallel::core::here();
  auto& all = self.everybody();
  all.publish(self, value);
  T result = all.template published<T>(self, 0);
  for (unsigned c = 1; c < cores(); ++c) result = op(result, all.template published<T>(self, c));
  return result;
}

/// Collective. Folds the values of the cores before this one; `start` on core 0.
template <class T, class Operation>
T exclusive_scan(const T& value, T start, Operation op) {
  auto& self = parallel::core::here();
  auto& all = self.everybody();
  all.publish(self, value);
  for (unsigned c = 0; c < here(); ++c) start = op(start, all.template published<T>(self, c));
  return start;
}

/// Collective. The value of core `root`, on every core.
template <class T>
T broadcast(const T& value, core_id root) {
  auto& self = parallel::core::here();
  auto& all = self.everybody();
  all.publish(self, value);
  return all.template published<T>(self, root);
}

}  // namespace gossamer
