#pragma once
// Vertices ordered by a value that only decreases, in buckets. A bucket covers a range of values of equal
// width; its vertices have no order [L. Dhulipala, G. Blelloch, J. Shun, "Julienne", SPAA 2017]. Each core
// stores the vertices that it has added or received, and the cores of a process share the entries of a
// bucket. A vertex whose value decreased is added again. A kernel recognizes a stale entry by its value, and
// skips it.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::graph {

/// No bucket: all buckets are empty.
inline constexpr std::uint64_t k_no_bucket = ~std::uint64_t{0};

/// The division of values from 0 on into buckets. Value is an unsigned integer or double.
template <class Value>
class bucket_width {
 public:
  /// Maximum number of buckets that a queue has at once.
  static constexpr std::uint64_t k_most_buckets = 1 << 16;

  bucket_width() = default;
  /// Chooses a width of about `wanted`; an integer is rounded down to a power of two. Chooses a larger one if
  /// the spread of values (`span`) would need more than k_most_buckets at once.
  bucket_width(double wanted, Value span) {
    wanted = std::max(wanted, static_cast<double>(span) / (k_most_buckets / 4));
    if constexpr (std::is_integral_v<Value>) {
      const double most = std::ldexp(1.0, 8 * sizeof(Value) - 1);
      const auto width = static_cast<Value>(std::clamp(wanted, 1.0, most));
      scale_ = static_cast<unsigned>(std::bit_width(width)) - 1;
      ring_ = (span >> scale_) + 2;
    } else {
      scale_ = wanted > 1e-300 ? 1 / wanted : 1e300;
      ring_ = static_cast<std::uint64_t>(span * scale_) + 3;  // products are rounded
    }
    ring_ = std::bit_ceil(ring_);
  }

  /// Returns the number of the bucket of a value.
  std::uint64_t bucket(Value value) const {
    if constexpr (std::is_integral_v<Value>)
      return value >> scale_;
    else
      return static_cast<std::uint64_t>(value * scale_);
  }
  /// Returns the largest distance between the first and the last non-empty bucket.
  std::uint64_t ring() const { return ring_; }

 private:
  std::conditional_t<std::is_integral_v<Value>, unsigned, double> scale_ = {};
  std::uint64_t ring_ = 1;
};

/// The buckets of one core. A step processes one bucket. The core calls open(); any core of the process calls
/// claim() for its entries; the core calls take() for entries added meanwhile. settle() ends the step.
template <class Value>
class core_buckets {
 public:
  /// Maximum number of entries that a core claims or takes at once. It prefetches for all of them.
  static constexpr std::size_t k_most_entries = 64;
  /// A vertex, and its value when it was added.
  struct entry {
    Value value;  ///< at that time
    vertex_id vertex;  ///< its number
  };

  /// Drops all entries.
  void clear(const bucket_width<Value>& width) {
    width_ = width;
    lists_.resize(width.ring());
    for (auto& list : lists_) list.clear();
    late_.clear();
    early_.clear();
    current_ = taken_ = 0;
    claimed_.store(0, std::memory_order_relaxed);
    is_open_ = false;
  }

  /// Begins to process a bucket. By the owner.
  void open(std::uint64_t bucket) {
    current_ = bucket;
    is_open_ = true;
    for (const entry& e : early_) put(e.value, e.vertex);
    early_.clear();
  }
  /// Adds a vertex. Its value belongs to the open bucket, or exceeds it by at most the span. By the owner,
  /// while the bucket is open.
  void put(Value value, vertex_id v) {
    const std::uint64_t bucket = width_.bucket(value);
    (bucket == current_ ? late_ : list(bucket)).push_back({value, v});
  }
  /// Adds a vertex at any time, in a handler of the owner.
  void deliver(Value value, vertex_id v) {
    if (is_open_)
      put(value, v);
    else
      early_.push_back({value, v});  // other cores may already be reading the list
  }

  /// Claims entries that were in the bucket when it was opened, and that no core has claimed. Returns an
  /// empty span if there are none left. By any core of the process, until settle().
  std::span<const entry> claim(std::uint64_t bucket) {
    const std::vector<entry>& all = list(bucket);
    // relaxed: it assigns positions only; the last settle() wrote the lists, and loops order those writes
    if (claimed_.load(std::memory_order_relaxed) >= all.size()) return {};
    const std::size_t at = claimed_.fetch_add(k_most_entries, std::memory_order_relaxed);
    if (at >= all.size()) return {};
    return std::span(all).subspan(at, std::min(k_most_entries, all.size() - at));
  }
  /// Takes entries added to the open bucket meanwhile, as copies in `buffer`. Returns none if there are none,
  /// or if there are so many that all cores should share them in the next step. By the owner.
  std::span<const entry> take(std::array<entry, k_most_entries>& buffer) {
    if (late_.size() - taken_ > k_most_late) return {};
    const std::size_t count = std::min(k_most_entries, late_.size() - taken_);
    std::copy_n(late_.begin() + static_cast<std::ptrdiff_t>(taken_), count, buffer.begin());
    taken_ += count;
    return std::span(buffer).first(count);
  }

  /// Sorts every entry into its bucket. Returns the first non-empty bucket from the last opened one on, or k_no_bucket. No
  /// core may be processing a bucket.
  std::uint64_t settle() {
    list(current_).clear();
    list(current_).insert(list(current_).end(), late_.begin() + static_cast<std::ptrdiff_t>(taken_),
                          late_.end());
    late_.clear();
    taken_ = 0;
    claimed_.store(0, std::memory_order_relaxed);
    for (const entry& e : early_) list(width_.bucket(e.value)).push_back(e);
    early_.clear();
    is_open_ = false;
    for (std::uint64_t b = current_; b < current_ + lists_.size(); ++b)
      if (!list(b).empty()) return b;
    return k_no_bucket;
  }

 private:
  static constexpr std::size_t k_most_late = 1024;

  std::vector<entry>& list(std::uint64_t bucket) { return lists_[bucket & (lists_.size() - 1)]; }

  bucket_width<Value> width_;
  std::vector<std::vector<entry>> lists_ = std::vector<std::vector<entry>>(1);  // a ring buffer
  std::vector<entry> late_;  // added to the open bucket meanwhile
  std::vector<entry> early_;  // delivered before this core opened the bucket
  std::uint64_t current_ = 0;
  std::size_t taken_ = 0;  // entries taken from late_
  std::atomic<std::size_t> claimed_{0};  // entries claimed from the open bucket's list
  bool is_open_ = false;
};

/// The buckets of all cores. Made by the main fiber. Kernels capture buckets().
template <class Value>
class bucket_queue {
 public:
  /// Drops all entries, on all cores.
  void clear(const bucket_width<Value>& width) const {
    on_all_cores([width, all = buckets()] { all.here().clear(width); });
  }
  /// Returns the handle to capture: buckets().here() are those of the executing core.
  per_core<core_buckets<Value>> buckets() const { return cores_.handle(); }
  /// Ends a step on all cores, and returns the first bucket that is non-empty on any of them, or k_no_bucket.
  /// Suspends: a message to each process and its answer.
  std::uint64_t settle() const {
    std::uint64_t least = k_no_bucket;
    for (const std::uint64_t b : collect(buckets(), [](core_buckets<Value>& each) { return each.settle(); }))
      least = std::min(least, b);
    return least;
  }

 private:
  scoped_per_core<core_buckets<Value>> cores_;
};

}  // namespace gossamer::graph
