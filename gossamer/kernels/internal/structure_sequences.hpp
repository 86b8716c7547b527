#pragma once
// The workloads of stacks and queues, which differ only in how values are inserted and removed.

#include "gossamer/kernels/internal/structure_asking.hpp"

namespace gossamer::kernels {

/// Removes the remaining values, on all cores.
template <class Value, class Ends, class Handle>
void drain(Handle at, per_core<tally> tallies) {
  on_all_cores([=] {
    tally& mine = tallies.here();
    std::vector<Value> values(1024);
    while (const std::size_t found = Ends::take_some(at, values)) {
      mine.taken += found;
      for (std::size_t k = 0; k < found; ++k) {
        mine.taken_sum += values[k].first();
        mine.wrong += values[k].whole() ? 0 : 1;
      }
    }
  });
}

template <class Value, class Ends, class Handle>
structure_result put_sequence_in_bulk(const structure_work& w, Handle at, per_core<tally> tallies) {
  const std::uint64_t n = w.operations == 0 ? w.fibers * cores() * 1024 : w.operations;
  return put_in_bulk<std::vector<Value>>(
      n,
      [tallies, salt = hash64(w.seed)](requests_share mine, std::vector<Value>& all) {
        for (std::uint64_t k = mine.begin; k < mine.end; ++k) all.push_back(Value::of(hash64(salt ^ k)));
        for (const Value& v : all) tallies.here().put_sum += v.first();
        tallies.here().put = all.size();
      },
      [at](const std::vector<Value>& all) { Ends::put_all(at, all); });
}

/// Runs the work on a stack or queue. Ends: put(handle, value), put_all(handle, span), take(handle),
/// take_some(handle, span).
template <class Scoped, class Value, class Ends>
structure_result ask_sequence(const structure_work& w) {
  Scoped owned(w.where);
  const scoped_per_core<tally> tallies;
  const auto at = owned.handle();
  structure_result r =
      w.bulk
          ? put_sequence_in_bulk<Value, Ends>(w, at, tallies.handle())
          : ask_by_fibers(w, [at, all = tallies.handle(), puts = w.puts](std::uint64_t draw, std::uint64_t) {
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
  bool is_right = sum.wrong == 0 && sum.put == sum.taken + left;
  r.verified = nothing_lost(is_right);
  if (!w.verify) return r;
  drain<Value, Ends>(at, tallies.handle());
  sum = sum_of(tallies);
  is_right = is_right && sum.wrong == 0 && sum.put == sum.taken && sum.put_sum == sum.taken_sum;
  r.verified = nothing_lost(is_right);
  return r;
}

}  // namespace gossamer::kernels
