#pragma once
// Vertices in the order of a value that only becomes less, bucket by bucket: values of a bucket lie in one range of a width, and its
// vertices come in no order [L. Dhulipala, G. Blelloch, J. Shun, "Julienne", SPAA 2017]. Each core has what it has put in, or has been sent, and the cores
// of a process share what lies in a bucket. A vertex whose value became less is put in again; a kernel that takes it out sees by the value that an entry is old, and passes over it.

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

/// No bucket: all are empty.
inline constexpr std::uint64_t k_no_bucket = ~std::uint64_t{0};

/// Cuts values from 0 on into buckets. Value is an unsigned integer or double.
template <class Value>
class bucket_width {
 public:
  /// The most buckets that a queue has at once.
  static constexpr std::uint64_t k_most_buckets = 1 << 16;

  bucket_width() = default;
  /// Takes about `wanted`, an integer's rounded down to a power of two. Takes more where values differ so much (`span`) that there would
  /// be more than k_most_buckets at once.
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
  /// Returns how many buckets there may be between the first that has entries and the last.
  std::uint64_t ring() const { return ring_; }

 private:
  std::conditional_t<std::is_integral_v<Value>, unsigned, double> scale_ = {};
  std::uint64_t ring_ = 1;
};

/// The buckets of one core. A step goes through one bucket: open() to begin with, claim() for what lies in it, by any core of the process;
/// then take() for what was put in meanwhile, by the core itself. settle() ends it.
template <class Value>
class core_buckets {
 public:
  /// The most entries that a core claims or takes at once: what they need can be fetched together.
  static constexpr std::size_t k_most_entries = 64;
  /// A vertex, and the value that it had when it was put in.
  struct entry {
    Value value;  ///< then
    vertex_id vertex;  ///< which
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

  /// Begins to go through a bucket. By the core.
  void open(std::uint64_t bucket) {
    current_ = bucket;
    is_open_ = true;
    for (const entry& e : early_) put(e.value, e.vertex);
    early_.clear();
  }
  /// Adds a vertex. Its value lies in the open bucket, or behind it by the span at most. By the core, while the bucket is open.
  void put(Value value, vertex_id v) {
    const std::uint64_t bucket = width_.bucket(value);
    (bucket == current_ ? late_ : list(bucket)).push_back({value, v});
  }
  /// Does the same at any time, as a handler on the core.
  void deliver(Value value, vertex_id v) {
    if (is_open_)
      put(value, v);
    else
      early_.push_back({value, v});  // other cores may be reading the list already
  }

  /// Returns some entries that lay in a bucket when it was opened, and that no core has claimed; an empty span if there are none left. By
  /// any core of the process, until settle().
  std::span<const entry> claim(std::uint64_t bucket) {
    const std::vector<entry>& all = list(bucket);
    // relaxed: hands out places only; the lists are as the last settle() left them, and loops order those
    if (claimed_.load(std::memory_order_relaxed) >= all.size()) return {};
    const std::size_t at = claimed_.fetch_add(k_most_entries, std::memory_order_relaxed);
    if (at >= all.size()) return {};
    return std::span(all).subspan(at, std::min(k_most_entries, all.size() - at));
  }
  /// Takes some entries that have been put into the open bucket since, as copies in `room`. Returns none where there are none, or where there are
  /// so many that all cores should share them in the next step. By the core.
  std::span<const entry> take(std::array<entry, k_most_entries>& room) {
    if (late_.size() - taken_ > k_most_late) return {};
    const std::size_t count = std::min(k_most_entries, late_.size() - taken_);
    std::copy_n(late_.begin() + static_cast<std::ptrdiff_t>(taken_), count, room.begin());
    taken_ += count;
    return std::span(room).first(count);
  }

  /// Puts every entry into its bucket. Returns the first that has some, the last one opened or behind it; k_no_bucket where none has. No
  /// core goes through a bucket.
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
  std::vector<std::vector<entry>> lists_ = std::vector<std::vector<entry>>(1);  // a ring
  std::vector<entry> late_;  // of the open bucket, put in since
  std::vector<entry> early_;  // delivered before this core has opened the bucket
  std::uint64_t current_ = 0;
  std::size_t taken_ = 0;  // of late_
  std::atomic<std::size_t> claimed_{0};  // of the open bucket's list
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
  /// Returns the handle to capture: buckets().here() are those of the core that runs.
  per_core<core_buckets<Value>> buckets() const { return cores_.handle(); }
  /// Ends a step on all cores, and returns the first bucket that has entries on any; k_no_bucket where there is none. Suspends: a message to
  /// each process and back.
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
