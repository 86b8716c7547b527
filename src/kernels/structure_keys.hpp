#pragma once
// The work of sets and maps.

#include "structure_asking.hpp"

namespace gossamer::kernels {

/// Tables grow with their keys and do not shrink: so many keys put in and erased leave room for them.
template <class Ends, class Handle>
void make_room(const structure_work& w, Handle at) {
  const std::uint64_t all = w.fibers * cores(), each = (w.cells + all - 1) / all;
  if (each == 0) return;
  const auto each_key = [=](auto f) {
    (void)round_of_fibers(w, 2, 1, [=](std::uint64_t, std::uint64_t who) {
      for (std::uint64_t k = who * each; k < (who + 1) * each; ++k) f(w.keys + k);
    });
  };
  each_key([at](std::uint64_t key) { (void)Ends::put(at, key); });
  each_key([at](std::uint64_t key) { (void)Ends::erase(at, key); });
}

/// Ends: put(handle, key), erase(handle, key), get(handle, key): whether what was found is right.
template <class Scoped, class Ends>
structure_result ask_keys(const structure_work& w) {
  Scoped owned(w.where);
  const scoped_per_core<tally> tallies;
  const auto at = owned.handle();
  make_room<Ends>(w, at);
  structure_result r = ask_by_fibers(w, [at, all = tallies.handle(), puts = w.puts, erases = w.erases,
                                         keys = w.keys](std::uint64_t draw, std::uint64_t) {
    using verb = structure_request::verb;
    const structure_request q(draw, puts, erases, keys);
    if (q.what == verb::put) {
      const bool made = Ends::put(at, q.key);
      all.here().put += made ? 1 : 0;
    } else if (q.what == verb::erase) {
      const bool gone = Ends::erase(at, q.key);
      all.here().taken += gone ? 1 : 0;
    } else {
      const bool right = Ends::get(at, q.key);
      all.here().wrong += right ? 0 : 1;
    }
  });
  tally sum = sum_of(tallies);
  r.right = sum.wrong == 0 && sum.put == sum.taken + owned.size() && owned.size() <= w.keys;
  if (!w.verify) return r;
  owned.for_each([all = tallies.handle(), keys = w.keys](const std::uint64_t& key, const auto& value) {
    tally& mine = all.here();
    ++mine.taken;
    mine.wrong += key < keys && Ends::right(key, value) ? 0 : 1;
  });
  sum = sum_of(tallies);
  r.right = r.right && sum.wrong == 0 && sum.put == sum.taken;
  return r;
}

}  // namespace gossamer::kernels
