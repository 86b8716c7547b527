#pragma once
// Dealing to buckets of neighbouring vertices: how many, which task writes where, what a key is.
// A task is a core's unit of dealing; it counts first and moves later, so no task writes where another does.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

inline constexpr std::uint64_t k_bucket_keys = 48 << 10;  // on average: a bucket and its copy fit 1 MiB
inline constexpr std::uint64_t k_most_buckets = 1 << 14;  // their open lines fit 1 MiB too
inline constexpr std::uint64_t k_input_chunk_edges = 1 << 18;

// log2 of the ids per bucket.
inline unsigned bucket_shift(std::uint64_t edges, std::uint64_t vertices) {
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(std::bit_ceil(edges / k_bucket_keys + 1), 1, k_most_buckets);
  const unsigned bits = log2_up(std::max<std::uint64_t>(vertices, 1));
  const unsigned chosen = log2_up(wanted);
  return bits > chosen ? bits - chosen : 0;
}

// Over several processes all cut the vertices alike, and a process gets whole buckets: so there are some for
// each however few edges there are, of `unit` vertices at least; and more of them where that makes narrow
// keys.
inline unsigned shared_bucket_shift(std::uint64_t edges, std::uint64_t vertices, std::uint64_t processes,
                                    std::uint64_t unit) {
  const unsigned bits = log2_up(std::max<std::uint64_t>(vertices, 1));
  const unsigned least = bits - std::min(bits, log2_up(k_most_buckets));
  const unsigned fair = bits - std::min(bits, log2_up(std::max<std::uint64_t>(4096, 64 * processes)));
  unsigned shift = std::min(bucket_shift(edges, vertices), std::max(fair, log2_up(unit)));
  if (sizeof(vertex_id) == 4 && bits < 32) shift = std::min(shift, std::max(32 - bits, least));
  return std::max(shift, least);
}

inline std::uint64_t bucket_count(std::uint64_t vertices, unsigned shift) {
  return vertices == 0 ? 1 : ((vertices - 1) >> shift) + 1;
}

// Keys of 32 bits. Targets are written over keys, so these are never smaller.
inline bool narrow_keys(std::uint64_t vertices, unsigned shift) {
  return sizeof(vertex_id) == 4 && log2_up(std::max<std::uint64_t>(vertices, 2)) + shift <= 32;
}

// Keys per task and bucket, then where each task writes in each bucket.
class task_table {
 public:
  task_table() = default;
  task_table(std::uint64_t tasks, std::uint64_t buckets)
      : tasks_(tasks), buckets_(buckets), counts_(tasks * buckets), starts_(buckets + 1) {}

  std::uint64_t* row(std::uint64_t task) { return counts_.data() + task * buckets_; }

  /// Counts become starts: bucket after bucket, in each the tasks in order.
  void place() {
    std::uint64_t sum = 0;
    for (std::uint64_t b = 0; b < buckets_; ++b) {
      starts_[b] = sum;
      for (std::uint64_t t = 0; t < tasks_; ++t) sum += std::exchange(counts_[t * buckets_ + b], sum);
    }
    starts_[buckets_] = sum;
  }
  std::uint64_t start(std::uint64_t bucket) const { return starts_[bucket]; }
  std::uint64_t total() const { return starts_[buckets_]; }
  std::uint64_t size(std::uint64_t bucket) const { return starts_[bucket + 1] - starts_[bucket]; }

 private:
  std::uint64_t tasks_ = 0, buckets_ = 0;
  std::vector<std::uint64_t> counts_, starts_;
};

// A key with the bits of a weight beside it: std::uint32_t or std::uint64_t.
template <class Key, class Bits>
struct weighted_key {
  Key key;
  Bits weight;
};

// What an entry of a bucket is: a key alone, or one with a weight.
template <class Entry>
struct entry_of {
  using key = Entry;
  using bits = void;
  static constexpr bool has_weight = false;
};
template <class Key, class Bits>
struct entry_of<weighted_key<Key, Bits>> {
  using key = Key;
  using bits = Bits;
  static constexpr bool has_weight = true;
};

template <class Entry>
constexpr auto key_of(const Entry& e) {
  if constexpr (entry_of<Entry>::has_weight)
    return e.key;
  else
    return e;
}

// An entry of a key and the weight of an arc, of which there is an array, or none.
template <class Entry>
Entry make_entry(typename entry_of<Entry>::key key, [[maybe_unused]] const std::byte* weights,
                 [[maybe_unused]] std::uint64_t arc) {
  if constexpr (entry_of<Entry>::has_weight)
    return {key, reinterpret_cast<const typename entry_of<Entry>::bits*>(weights)[arc]};
  else
    return key;
}

// Bytes of an entry.
inline std::uint64_t entry_bytes(bool narrow, weight_type weights) {
  return weights == weight_type::none ? (narrow ? 4 : 8) : narrow && weight_bytes(weights) == 4 ? 8 : 16;
}

// Targets and then weights of a bucket are written over its entries, which are never smaller: where the weights begin. Weights of 4 bytes
// begin right behind the targets, as both together are as large as entries of 8 bytes.
inline std::uint64_t weights_behind(std::uint64_t arcs, std::uint64_t weight) {
  return round_up(arcs * sizeof(vertex_id), weight);
}

// Calls f(std::type_identity<Entry>) with the entry for keys of that width and weights of that type.
template <class F>
decltype(auto) with_entry(bool narrow, weight_type weights, F&& f) {
  const auto with_key = [&]<class Key>(std::type_identity<Key>) -> decltype(auto) {
    switch (weight_bytes(weights)) {
      case 4:
        return f(std::type_identity<weighted_key<Key, std::uint32_t>>{});
      case 8:
        return f(std::type_identity<weighted_key<Key, std::uint64_t>>{});
      default:
        return f(std::type_identity<Key>{});
    }
  };
  return narrow ? with_key(std::type_identity<std::uint32_t>{})
                : with_key(std::type_identity<std::uint64_t>{});
}

// A bucket's vertex (counted from the bucket's first) above, another vertex below.
template <class Key>
struct packing {
  unsigned low_bits = 0, bits = 0;

  packing() = default;
  packing(std::uint64_t low_values, std::uint64_t high_values)
      : low_bits(std::max(1U, log2_up(low_values))), bits(low_bits + log2_up(high_values)) {}
  Key pack(std::uint64_t high, std::uint64_t low) const { return static_cast<Key>(high << low_bits | low); }
  std::uint64_t high(Key k) const { return static_cast<std::uint64_t>(k) >> low_bits; }
  vertex_id low(Key k) const {
    return static_cast<vertex_id>(static_cast<std::uint64_t>(k) & ((std::uint64_t{1} << low_bits) - 1));
  }
};

}  // namespace gossamer::graph
