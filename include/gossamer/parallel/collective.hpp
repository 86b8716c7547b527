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
#include <type_traits>

#include "gossamer/message/core_id.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer {

namespace parallel {

/// Where the cores of a process meet.
///
///   field          writes                 reads        protected by
///   arrived_       every core             last one     acq_rel RMW
///   generation_    last to arrive         every core   seq_cst (with waiting)
///   waiting        its core, last one     both         seq_cst exchange: exactly one of them takes the fiber
///   words          its core               every core   the barrier; two sets in turn, so that a fast core
///                                                      cannot overwrite what a slow one still reads
class meeting {
 public:
  static constexpr std::size_t k_value_bytes = 256;

  explicit meeting(unsigned cores, bool spin)
      : cores_(cores), spin_(spin), places_(std::make_unique<place[]>(cores)) {}

  void barrier(core& self);

  /// Each core publishes a value; after the barrier all(c) reads any.
  template <class T>
  void publish(core& self, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= k_value_bytes);
    place& mine = places_[self.id()];
    mine.turn ^= 1;
    std::memcpy(mine.words[mine.turn].data(), &value, sizeof value);
    barrier(self);
  }
  template <class T>
  T published(core& self, unsigned c) const {
    T value;
    std::memcpy(&value, places_[c].words[places_[self.id()].turn].data(), sizeof value);
    return value;
  }

 private:
  struct alignas(k_line_bytes) place {
    std::atomic<fiber::fiber*> waiting{nullptr};
    unsigned turn = 0;
    alignas(16) std::array<std::array<std::byte, k_value_bytes>, 2> words{};
  };

  const unsigned cores_;
  const bool spin_;
  std::unique_ptr<place[]> places_;
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
