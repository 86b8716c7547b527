#pragma once
// Chooses the pivots of a parallel sort by regular sampling (PSRS; Shi and Schaeffer, 1992) and cuts sorted
// runs at them. Computes only: internal/divide_runs.hpp uses it over all cores of a job, mapreduce over those
// of a process.
//
// A sample is a pair (key, position), where positions count the elements of all runs in core order. So no two
// are equal: pivots may divide a range of equal keys, and equal keys are in the order of their positions.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/sort/merge.hpp"

namespace gossamer::sorting {

/// With fewer elements than this, one core sorts or merges them alone.
inline constexpr std::uint64_t k_sort_alone = 8192;

/// A key of a sorted run, and its position among the elements of all runs.
template <class K>
struct sort_sample {
  K key;
  std::uint64_t position;
};

/// Draws samples at regular distances from runs of any lengths, and chooses the pivots.
template <class K, class Less>
class regular_sampling {
 public:
  /// A key and its position.
  using sample = sort_sample<K>;

  /// Takes the number of elements, and the number of cores.
  regular_sampling(std::uint64_t all, unsigned cores, Less less) : all_(all), cores_(cores), less_(less) {
    const std::uint64_t n = cores;
    const std::uint64_t each =
        n * std::clamp<std::uint64_t>(k_most_samples / (n * n), 1, k_most_oversampling);
    stride_ = std::max<std::uint64_t>(1, all / (n * each));
  }

  /// Returns the number of samples of a run.
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

}  // namespace gossamer::sorting
