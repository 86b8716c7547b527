#pragma once
// The work of stacks and queues: two ways to put a value in and take one out, otherwise the same.

#include "structure_asking.hpp"

namespace gossamer::kernels {

/// What is left, taken out by all cores.
template <class Ends, class Handle>
void drain(Handle at, per_core<tally> tallies) {
  on_all_cores([=] {
    tally& mine = tallies.here();
    while (const auto value = Ends::take(at)) {
      ++mine.taken;
      mine.taken_sum += value->first();
      mine.wrong += value->whole() ? 0 : 1;
    }
  });
}

/// Ends: put(handle, value), take(handle).
template <class Scoped, class Value, class Ends>
structure_result ask_sequence(const structure_work& w) {
  Scoped owned(w.where);
  const scoped_per_core<tally> tallies;
  const auto at = owned.handle();
  structure_result r =
      ask_by_fibers(w, [at, all = tallies.handle(), puts = w.puts](std::uint64_t draw, std::uint64_t) {
        if (draw % 100 < puts) {
          Ends::put(at, Value::of(draw));
          tally& mine = all.here();
          ++mine.put;
          mine.put_sum += draw;
        } else if (const auto value = Ends::take(at)) {
          tally& mine = all.here();
          ++mine.taken;
          mine.taken_sum += value->first();
          mine.wrong += value->whole() ? 0 : 1;
        }
      });
  const std::uint64_t left = owned.size();
  tally sum = sum_of(tallies);
  r.right = sum.wrong == 0 && sum.put == sum.taken + left;
  if (!w.verify) return r;
  drain<Ends>(at, tallies.handle());
  sum = sum_of(tallies);
  r.right = r.right && sum.wrong == 0 && sum.put == sum.taken && sum.put_sum == sum.taken_sum;
  return r;
}

}  // namespace gossamer::kernels
