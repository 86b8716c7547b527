#pragma once
// Collectives: every core of the job takes part with exactly one fiber, and all cores call them in the same
// order, usually inside on_all_cores(). This file has the barrier, and values of up to 256 bytes;
// span_collective.hpp has spans of any size. If every core has a processor, a waiting fiber first spins a
// little. Then it suspends, so that its core runs other fibers.
//
// Values: each core publishes its value at a barrier, and reads the values that it needs after it. Cost: a
// barrier, and one or more cache lines per value read. With P processes the barrier between them takes
// ceil(log2 P) messages of each process, which carry up to half of all values (Bruck et al., "Efficient
// algorithms for all-to-all communications in multiport message-passing systems", 1997). No allocation with
// one process. No errors.

#include <optional>
#include <vector>

#include "gossamer/message/core_id.hpp"
#include "gossamer/parallel/internal/exchange_barrier.hpp"
#include "gossamer/parallel/internal/span_collective.hpp"

namespace gossamer {

/// Suspends until every core has arrived. Collective. Writes before it are visible to all cores after it. Uses the
/// job's algorithm (job_options::barrier), or the given one, which must be the same on all cores.
inline void barrier(barrier_algorithm how = barrier_algorithm::automatic) {
  auto& self = static_cast<parallel::core&>(message::inside("barrier"));
  self.everybody().barrier(self, how);
}

namespace parallel {

/// The published values of all cores: element c is the value of core c.
template <class T>
class published_values {
 public:
  explicit published_values(const T& mine) { all_.publish(self_, mine); }
  T operator[](core_id c) const { return all_.template published<T>(self_, c); }

  /// Folds the values of cores [begin, end) in order. Not inlined, so that all callers run the same
  /// instructions: a compiler may exchange the operands of a sum, and for two NaNs the result is the first.
  template <class Operation>
  [[gnu::noinline]] T fold(T start, core_id begin, core_id end, Operation& op) const {
    for (core_id c = begin; c < end; ++c) start = op(start, (*this)[c]);
    return start;
  }

 private:
  core& self_ = static_cast<core&>(message::inside("a collective"));
  exchange_barrier& all_ = self_.everybody();
};

}  // namespace parallel

/// Returns the value of core `root`, on every core. Collective.
template <class T>
T broadcast(const T& value, core_id root) {
  (void)message::inside("broadcast", root);
  return parallel::published_values<T>(value)[root];
}

/// Folds the values in core order with op(a, b), and returns the result on every core. Collective. The result has the same bits
/// on all cores if op depends on a and b only.
template <class T, class Operation>
T all_reduce(const T& value, Operation op) {
  const parallel::published_values<T> all(value);
  return all.fold(all[0], 1, cores(), op);
}

/// Folds as all_reduce() does, and returns the result on core `root`; returns nothing elsewhere. Collective.
template <class T, class Operation>
std::optional<T> reduce(const T& value, Operation op, core_id root) {
  (void)message::inside("reduce", root);
  const parallel::published_values<T> all(value);
  if (here() != root) return std::nullopt;
  return all.fold(all[0], 1, cores(), op);
}

/// Folds `start` and the values of the cores before this one. Returns `start` on core 0. Collective.
template <class T, class Operation>
T exclusive_scan(const T& value, T start, Operation op) {
  return parallel::published_values<T>(value).fold(start, 0, here(), op);
}

/// Folds the values of the cores up to and including this one. Returns its own value on core 0. Collective.
template <class T, class Operation>
T inclusive_scan(const T& value, Operation op) {
  const parallel::published_values<T> all(value);
  return all.fold(all[0], 1, here() + 1, op);
}

/// Returns the values of all cores, in core order. Collective. Allocates the result.
template <class T>
std::vector<T> all_gather(const T& value) {
  const parallel::published_values<T> all(value);
  std::vector<T> values;
  values.reserve(cores());
  for (core_id c = 0; c < cores(); ++c) values.push_back(all[c]);
  return values;
}

/// Gathers as all_gather() does on core `root`; returns an empty vector elsewhere. Collective.
template <class T>
std::vector<T> gather(const T& value, core_id root) {
  (void)message::inside("gather", root);
  const parallel::published_values<T> all(value);
  std::vector<T> values;
  for (core_id c = 0; here() == root && c < cores(); ++c) values.push_back(all[c]);
  return values;
}

}  // namespace gossamer
