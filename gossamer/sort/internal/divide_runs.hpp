#pragma once
// Divides the sorted runs of all cores by regular sampling (regular_sampling.hpp), in the variant for hybrid
// address spaces. All cores compute the pivots redundantly; within a process they exchange only where the
// chunks of their runs begin. Each core receives one *bucket* of the global order, as sorted runs to merge.
//
//   core:      sort own run | samples -> pivots -> where to cut own run | merge own bucket |
//   barriers:               1                                           2                  3 (by the caller)

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/parallel/collective.hpp"
#include "gossamer/sort/merge.hpp"
#include "gossamer/sort/pivots.hpp"
#include "gossamer/sort/regular_sampling.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::sorting {

/// The run of one core. The memory it points to must stay valid until the barrier after all have merged;
/// other processes read only the size.
template <class K>
struct published_run {
  const K* keys;
  std::uint64_t size;
  const std::uint64_t*
      cuts;  // cores + 1: the chunk for core c is [cuts[c], cuts[c + 1]); valid from the second barrier
};

/// One core's part of the global order: sorted runs in core order.
template <class K>
struct bucket {
  std::vector<std::span<const K>> runs;
  std::uint64_t begin = 0, size = 0;  // of the global order
  std::vector<std::uint64_t> blocks;  // cores + 1: the beginning of each core's run, among all elements
  by_core<K> received;  // chunks from other processes
};

/// Returns the samples of all cores, concatenated, and the end of each core's samples. In one process they
/// are read in place, from this core's run on. Collective; with `only_here` other cores receive none.
template <class K, class Less>
std::vector<sort_sample<K>> samples_of_all(const regular_sampling<K, Less>& sampling,
                                           const std::vector<published_run<K>>& all,
                                           const std::vector<std::uint64_t>& first,
                                           std::vector<std::size_t>& ends, pivots by) {
  std::vector<sort_sample<K>> samples;
  for (const published_run<K>& run : all)
    ends.push_back((ends.empty() ? 0 : ends.back()) + sampling.count(run.size));
  const core_id me = here();
  if (processes() > 1) {
    std::vector<sort_sample<K>> mine;
    sampling.draw({all[me].keys, all[me].size}, first[me], mine);
    by_core<sort_sample<K>> got =
        by == pivots::all_cores ? all_gather(std::span(mine)) : gather(std::span(mine), 0);
    return std::move(got.flat());
  }
  if (by == pivots::all_cores || me == 0)
    for (core_id c = 0; c < cores(); ++c) sampling.draw({all[c].keys, all[c].size}, first[c], samples);
  return samples;
}

/// Returns the pivots, the same on every core. Collective.
template <class K, class Less>
std::vector<sort_sample<K>> agree_on_pivots(const regular_sampling<K, Less>& sampling,
                                            const std::vector<published_run<K>>& all,
                                            const std::vector<std::uint64_t>& first, pivots by) {
  std::vector<std::size_t> ends;
  std::vector<sort_sample<K>> samples = samples_of_all(sampling, all, first, ends, by);
  if (by == pivots::all_cores) return sampling.choose(std::move(samples), ends);
  std::vector<sort_sample<K>> chosen(cores() - 1);
  if (here() == 0) chosen = sampling.choose(std::move(samples), ends);
  broadcast(std::span(chosen), 0);
  return chosen;
}

/// Sends the chunks for cores of other processes, in bulk, and returns their chunks for this core.
/// Collective.
template <class K>
by_core<K> exchange_remote_chunks(std::span<const K> run, const std::vector<std::uint64_t>& cuts) {
  const core_id begin = first_core(process()), end = begin + cores_per_process();
  std::vector<std::size_t> counts(cores(), 0);
  for (core_id c = 0; c < cores(); ++c)
    if (c < begin || c >= end) counts[c] = cuts[c + 1] - cuts[c];
  sort_buffer<K> chunks(cuts[begin] + run.size() - cuts[end]);
  copy_run(run.first(cuts[begin]), chunks.data(), stored_as_is());
  copy_run(run.subspan(cuts[end]), chunks.data() + cuts[begin], stored_as_is());
  return all_to_all(std::span<const K>(chunks.data(), chunks.size()), counts);
}

/// Divides the sorted runs of all cores into buckets of about equal size, and returns this core's. `run` and
/// `cuts` must stay unchanged until the caller has passed a barrier after merging. Collective.
template <class K, class Less>
bucket<K> divide_runs(std::span<const K> run, std::vector<std::uint64_t>& cuts, Less less, pivots by) {
  const unsigned n = cores();
  const core_id me = here();
  cuts.assign(n + 1, run.size());
  cuts[0] = 0;
  const std::vector<published_run<K>> all = all_gather(published_run<K>{run.data(), run.size(), cuts.data()});
  bucket<K> mine;
  mine.blocks.push_back(0);
  for (const published_run<K>& r : all) mine.blocks.push_back(mine.blocks.back() + r.size);
  if (n > 1 && mine.blocks.back() >= k_sort_alone) {  // otherwise core 0 gets all of them
    const regular_sampling<K, Less> sampling(mine.blocks.back(), n, less);
    const auto chosen = agree_on_pivots(sampling, all, mine.blocks, by);
    for (core_id c = 1; c < n; ++c) cuts[c] = sampling.cut(run, mine.blocks[me], chosen[c - 1]);
  }

  if (processes() == 1)
    barrier();
  else
    mine.received = exchange_remote_chunks(run, cuts);
  const core_id begin = first_core(process()), end = begin + cores_per_process();
  for (core_id c = 0; c < n; ++c) {
    if (c < begin || c >= end) {
      mine.runs.push_back(std::as_const(mine.received)[c]);
    } else {
      const std::uint64_t *const from = all[c].cuts + me, count = from[1] - from[0];
      mine.runs.push_back({all[c].keys + from[0], count});
      mine.begin += from[0];
    }
    mine.size += mine.runs.back().size();
  }
  if (processes() > 1) mine.begin = exclusive_scan(mine.size, std::uint64_t{0}, std::plus<>());
  return mine;
}

}  // namespace gossamer::sorting
