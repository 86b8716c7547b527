#pragma once
// Vertices in the order of a value that only becomes less, bucket by bucket: values of a bucket lie in one range of a width, and its
// vertices come in no order [L. Dhulipala, G. Blelloch, J. Shun, "Julienne", SPAA 2017]. Each core has the vertices that it owns. A
// vertex whose value became less is put in again; a kernel that takes it out sees by the value that an entry is old, and passes over it.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// The buckets of one core.
template <class Value>
class core_buckets {
 public:
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
    current_ = taken_ = 0;
  }
  /// Adds a vertex. Its value lies in the open bucket, or behind it by the span at most.
  void put(Value value, vertex_id v) { list(width_.bucket(value)).push_back({value, v}); }
  /// Takes out of a bucket from now on; those before it are empty, as take() has found. What other cores have put in before this one opened the
  /// bucket may lie where the last one did.
  void open(std::uint64_t bucket) {
    GOSSAMER_ASSERT(taken_ == 0);
    current_ = bucket;
  }
  /// Takes an entry out of the open bucket, also one that has been put in meanwhile. Returns false where there is none.
  bool take(entry& e) {
    auto& all = list(current_);
    if (taken_ == all.size()) {
      all.clear();
      taken_ = 0;
      return false;
    }
    e = all[taken_++];
    return true;
  }
  /// Returns the first bucket that has entries, the open one or behind it; k_no_bucket where none has.
  std::uint64_t first() const {
    for (std::uint64_t b = current_; b < current_ + lists_.size(); ++b)
      if (!list(b).empty()) return b;
    return k_no_bucket;
  }

 private:
  std::vector<entry>& list(std::uint64_t bucket) { return lists_[bucket & (lists_.size() - 1)]; }
  const std::vector<entry>& list(std::uint64_t bucket) const { return lists_[bucket & (lists_.size() - 1)]; }

  bucket_width<Value> width_;
  std::vector<std::vector<entry>> lists_ = std::vector<std::vector<entry>>(1);  // a ring
  std::uint64_t current_ = 0;
  std::size_t taken_ = 0;  // entries of the open bucket
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
  /// Returns the first bucket that has entries on any core; k_no_bucket where there is none. Suspends: a message to each process and
  /// back.
  std::uint64_t first() const {
    std::uint64_t least = k_no_bucket;
    for (const std::uint64_t b : collect(buckets(), [](core_buckets<Value>& mine) { return mine.first(); }))
      least = std::min(least, b);
    return least;
  }

 private:
  scoped_per_core<core_buckets<Value>> cores_;
};

}  // namespace gossamer::graph
