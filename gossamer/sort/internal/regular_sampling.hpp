#pragma once
// Parallel sorting by regular sampling (PSRS; Shi and Schaeffer, 1992), in the form for hybrid address spaces: all cores
// compute the pivots by themselves, from the sorted runs of all; what they exchange in a process is where the chunks of
// their runs begin. Each core gets one *bucket* of the global order, as sorted runs to merge.
//
//   core:      sort own run | samples -> pivots -> where own run is cut | merge own bucket |
//   barriers:               1                                           2                  3 (by the caller)
//
// A sample is a pair (key, position), where positions count the elements of all runs in core order. So no two are equal:
// pivots cut a range of equal keys anywhere inside, and the order of equal keys is that of their positions.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/parallel/collective.hpp"
#include "gossamer/sort/merge.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer {

/// Which cores choose the pivots of a parallel sort, from samples of all.
enum class pivots : std::uint8_t {
  all_cores,  // each by itself, the same ones: two barriers fewer
  one_core,  // core 0, which sends them to the others
};

namespace sorting {

/// Fewer elements than this are sorted, or merged, by one core.
inline constexpr std::uint64_t k_sort_alone = 8192;

/// The run of one core. What it points to stays until the barrier after all have merged; other processes look at the
/// size only.
template <class K>
struct published_run {
  const K* keys;
  std::uint64_t size;
  const std::uint64_t*
      cuts;  // cores + 1: the chunk for core c is [cuts[c], cuts[c + 1]); valid from the second barrier
};

template <class K>
struct sort_sample {
  K key;
  std::uint64_t position;
};

/// One core's block of the global order: sorted runs in core order.
template <class K>
struct bucket {
  std::vector<std::span<const K>> runs;
  std::uint64_t begin = 0, size = 0;  // of the global order
  std::vector<std::uint64_t> blocks;  // cores + 1: where the run of each core begins, among all elements
  by_core<K> received;  // what came from other processes
};

/// Draws samples at regular distances from runs of any lengths, and chooses the pivots.
template <class K, class Less>
class regular_sampling {
 public:
  using sample = sort_sample<K>;

  /// Takes the number of elements, and that of the cores.
  regular_sampling(std::uint64_t all, unsigned cores, Less less) : all_(all), cores_(cores), less_(less) {
    const std::uint64_t n = cores;
    const std::uint64_t each =
        n * std::clamp<std::uint64_t>(k_most_samples / (n * n), 1, k_most_oversampling);
    stride_ = std::max<std::uint64_t>(1, all / (n * each));
  }

  /// Counts the samples of a run.
  std::uint64_t count(std::uint64_t run_size) const { return run_size / stride_; }
  /// Appends the samples of a run whose first element has the position `first`.
  void draw(std::span<const K> run, std::uint64_t first, std::vector<sample>& into) const {
    for (std::uint64_t k = 1; k <= count(run.size()); ++k)
      into.push_back({run[k * stride_ - 1], first + k * stride_ - 1});
  }

  /// Chooses cores - 1 pivots. `samples` are those of all cores in core order, `ends` their ends. A sample is preceded by
  /// stride - 1 elements of its own run that come before it, and on average by half as many of each other.
  std::vector<sample> choose(std::vector<sample> samples, const std::vector<std::size_t>& ends) const {
    std::vector<std::span<const sample>> runs;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      runs.push_back(std::span<const sample>(samples).subspan(begin, end - begin));
      begin = end;
    }
    std::vector<sample> sorted(samples.size()), spare;
    merge_runs(
        std::move(runs), 0, sorted.data(), [this](const sample& a, const sample& b) { return before(a, b); },
        stored_as_is(),
        [&] {
          spare.resize(samples.size());
          return spare.data();
        });
    std::vector<sample> pivots;
    for (unsigned c = 1; c < cores_; ++c) {
      const auto target = static_cast<std::uint64_t>(static_cast<unsigned __int128>(all_) * c /
                                                     (std::uint64_t{cores_} * stride_));
      const std::uint64_t rank = target > cores_ / 2 ? target - cores_ / 2 : 0;
      pivots.push_back(sorted[std::min<std::uint64_t>(rank, sorted.size() - 1)]);
    }
    return pivots;
  }

  /// Returns how many elements of a run, which begins at position `first`, come before the pivot.
  std::uint64_t cut(std::span<const K> run, std::uint64_t first, const sample& pivot) const {
    if (pivot.position >= first && pivot.position - first < run.size()) return pivot.position - first;
    const auto at = pivot.position < first ? std::lower_bound(run.begin(), run.end(), pivot.key, less_)
                                           : std::upper_bound(run.begin(), run.end(), pivot.key, less_);
    return static_cast<std::uint64_t>(at - run.begin());
  }

 private:
  static constexpr std::uint64_t k_most_samples = 8192, k_most_oversampling = 64;

  bool before(const sample& a, const sample& b) const {
    if (less_(a.key, b.key)) return true;
    return !less_(b.key, a.key) && a.position < b.position;
  }

  std::uint64_t all_, stride_;
  unsigned cores_;
  [[no_unique_address]] Less less_;
};

/// Returns the samples of all cores to each that asks, one after the other, and where those of each end. In one process
/// they are read in place, from this core's run on. Collective; `only_here` says that the other cores do without.
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

/// Returns the pivots, the same ones on every core. Collective.
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

/// Sends the chunks for cores of other processes, in bulk, and returns what those have for this core. Collective.
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

/// Divides the sorted runs of all cores into buckets of about equal size, and returns this core's. `run` stays as it is,
/// and `cuts` as well, until the caller has passed a barrier after merging. Collective.
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
  if (n > 1 && mine.blocks.back() >= k_sort_alone) {  // otherwise all of them are core 0's
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

}  // namespace sorting
}  // namespace gossamer
