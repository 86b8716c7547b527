#pragma once
// The workloads of sets and maps.

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/kernels/internal/structure_asking.hpp"

namespace gossamer::kernels {

/// Appends the keys of this core's share, from `first` on, in random order.
inline void choose_keys(requests_share mine, std::uint64_t first, std::vector<std::uint64_t>& keys) {
  for (std::uint64_t k = mine.begin; k < mine.end; ++k) keys.push_back(first + k);
  std::ranges::sort(keys, {}, [](std::uint64_t key) { return hash64(key); });
}

/// Reserves table space for w.cells keys: inserts and erases so many. Tables do not shrink.
template <class Ends, class Handle>
void reserve_cells(const structure_work& w, Handle at) {
  if (w.cells == 0) return;
  on_all_cores([at, cells = w.cells, first = w.keys] {
    std::vector<std::uint64_t> keys;
    choose_keys(requests_share(cells), first, keys);
    Ends::put_all(at, keys);
  });
  on_all_cores([at, cells = w.cells, first = w.keys] {
    std::vector<std::uint64_t> keys;
    choose_keys(requests_share(cells), first, keys);
    Ends::erase_all(at, keys);
  });
}

template <class Ends, class Handle>
structure_result put_keys_in_bulk(const structure_work& w, Handle at, per_core<tally> tallies) {
  return put_in_bulk<typename Ends::prepared>(
      w.keys,
      [tallies](requests_share mine, typename Ends::prepared& all) {
        choose_keys(mine, 0, all.keys);
        tallies.here().put = all.keys.size();
        all.complete();
      },
      [at](const typename Ends::prepared& all) { all.put_into(at); });
}

/// Calls f(key) for each put of the fibers of all cores in phases: the warm-up and `puts` of each, drawn again.
template <class F>
void for_each_put_of_phases(const structure_work& w, std::uint64_t puts, F f) {
  const std::uint64_t fibers = w.fibers * cores();
  for (std::uint64_t round = 0; round < 2; ++round)
    for (std::uint64_t fiber = 0; fiber < fibers; ++fiber) {
      structure_draw draw = draws_of(w.seed, round, fiber);
      for (std::uint64_t k = 0; k < (round == 0 ? 1 : puts); ++k)
        f(structure_request(draw(), 100, 0, w.keys).key);
    }
}

/// Returns how many keys the fibers of all cores put in phases.
inline std::uint64_t keys_of_phases(const structure_work& w, std::uint64_t puts) {
  const std::uint64_t all = w.fibers * cores() * (puts + 1);
  if (bytes_of_counting(w, all) == all * sizeof(std::uint64_t)) {
    std::vector<std::uint64_t> keys;
    keys.reserve(all);
    for_each_put_of_phases(w, puts, [&](std::uint64_t key) { keys.push_back(key); });
    std::ranges::sort(keys);
    return static_cast<std::uint64_t>(std::ranges::unique(keys).begin() - keys.begin());
  }
  std::vector<bool> is_put(w.keys);
  for_each_put_of_phases(w, puts, [&](std::uint64_t key) { is_put[key] = true; });
  return static_cast<std::uint64_t>(std::ranges::count(is_put, true));
}

/// Runs the puts in a write-only phase, then the lookups in a read-only phase. The contents after the first
/// phase do not change.
template <class Ends, class Handle>
structure_result ask_in_phases(const structure_work& w, Handle at, per_core<tally> tallies) {
  const std::uint64_t all = w.fibers * cores();
  const std::uint64_t each = w.operations == 0 ? 1024 : std::max<std::uint64_t>(1, w.operations / all);
  if (each < 100 && each * w.puts % 100 != 0)
    throw error(fmt::format(
        "structures: {} % of {} operations of each fiber are no whole number: --phases takes 100 or more",
        w.puts, each));
  const std::uint64_t puts = each * w.puts / 100;
  const auto stage = [at, keys = w.keys](std::uint64_t draw, std::uint64_t) {
    Ends::stage(at, structure_request(draw, 100, 0, keys).key);
  };
  (void)round_of_fibers(w, 0, 1, stage);  // warms up
  at.insert_staged();
  const structure_counts before = structure_counts_so_far();
  structure_result r;
  r.operations = all * each;
  r.seconds = round_of_fibers(w, 1, puts, stage);
  const std::uint64_t begin = machine::now_ns();
  at.insert_staged();
  const auto frozen = at.freeze();
  r.seconds += machine::seconds_since(begin);
  r.seconds +=
      round_of_fibers(w, 2, each - puts, [frozen, tallies, keys = w.keys](std::uint64_t draw, std::uint64_t) {
        const bool right = Ends::read(frozen, structure_request(draw, 0, 0, keys).key);
        tallies.here().wrong += right ? 0 : 1;
      });
  at.thaw();
  r.counts = since(before, structure_counts_so_far());
  tallies.here().put = w.verify ? keys_of_phases(w, puts) : at.size();
  return r;
}

/// Runs the work on a set or map. Ends: put(handle, key), erase(handle, key), get(handle, key), put_all and
/// erase_all of keys, stage(handle, key), read(frozen, key). get() and read() return whether the result is
/// right. Ends::prepared: keys with their values.
template <class Scoped, class Ends>
structure_result ask_keys(const structure_work& w) {
  Scoped owned(w.where, w.pending ? lookups::from_pending : lookups::at_owner);
  const scoped_per_core<tally> tallies;
  const auto at = owned.handle();
  reserve_cells<Ends>(w, at);
  structure_result r = w.bulk ? put_keys_in_bulk<Ends>(w, at, tallies.handle())
                       : w.phases
                           ? ask_in_phases<Ends>(w, at, tallies.handle())
                           : ask_by_fibers(w, [at, all = tallies.handle(), puts = w.puts, erases = w.erases,
                                               keys = w.keys](std::uint64_t draw, std::uint64_t) {
                               using operation = structure_request::operation;
                               const structure_request q(draw, puts, erases, keys);
                               if (q.what == operation::put) {
                                 const bool made = Ends::put(at, q.key);
                                 all.here().put += made ? 1 : 0;
                               } else if (q.what == operation::erase) {
                                 const bool gone = Ends::erase(at, q.key);
                                 all.here().taken += gone ? 1 : 0;
                               } else {
                                 const bool right = Ends::get(at, q.key);
                                 all.here().wrong += right ? 0 : 1;
                               }
                             });
  tally sum = sum_of(tallies);
  bool is_right = sum.wrong == 0 && sum.put == sum.taken + owned.size() && owned.size() <= w.keys;
  r.verified = nothing_lost(is_right);
  if (!w.verify) return r;
  owned.for_each([all = tallies.handle(), keys = w.keys](const std::uint64_t& key, const auto& value) {
    tally& mine = all.here();
    ++mine.taken;
    mine.wrong += key < keys && Ends::right(key, value) ? 0 : 1;
  });
  sum = sum_of(tallies);
  is_right = is_right && sum.wrong == 0 && sum.put == sum.taken;
  r.verified = nothing_lost(is_right);
  return r;
}

}  // namespace gossamer::kernels
