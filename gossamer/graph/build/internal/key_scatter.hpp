#pragma once
// Deals keys to many places in memory at once. Each place collects a cache line's worth in a line that
// stays in the cache, which then goes to memory as a whole, past the caches: without this every key
// would cost a read and a write of a line and a miss of the address translation.
// One core's object; several fill disjoint chunks of one destination.

#include <cstdint>
#include <cstring>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "gossamer/graph/store/internal/buffer.hpp"

namespace gossamer::graph {

template <class Key>
class scatterer {
 public:
  static constexpr std::uint64_t k_lanes = 64 / sizeof(Key);

  explicit scatterer(std::uint64_t buckets) : lines_(buckets * k_lanes), cursors_(buckets) {}

  /// Starts a pass. `destination` starts a cache line; starts[b] is the index there of the next key of bucket
  /// b.
  void begin(Key* destination, const std::uint64_t* starts) {
    destination_ = destination;
    for (std::uint64_t b = 0; b < cursors_.size(); ++b) cursors_[b] = {starts[b], starts[b]};
  }

  void put(std::uint64_t bucket, Key key) {
    cursor& c = cursors_[bucket];
    Key* line = lines_.data() + bucket * k_lanes;
    const std::uint64_t lane = c.next++ % k_lanes;
    line[lane] = key;
    if (lane == k_lanes - 1) flush(c, line);
  }

  /// Writes what lines still hold. Needed before anything is read.
  void finish() {
    for (std::uint64_t b = 0; b < cursors_.size(); ++b) {
      const cursor& c = cursors_[b];
      const std::uint64_t line_start = c.next - c.next % k_lanes;
      copy_range(lines_.data() + b * k_lanes, line_start > c.first ? line_start : c.first, c.next);
    }
#if defined(__SSE2__)
    _mm_sfence();  // the streaming stores are visible before the barrier that ends the loop
#endif
  }

 private:
  struct cursor {
    std::uint64_t next, first;
  };

  void copy_range(const Key* line, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) destination_[i] = line[i % k_lanes];
  }

  void flush(const cursor& c, const Key* line) {
    const std::uint64_t line_start = c.next - k_lanes;
    if (c.next < k_lanes || line_start < c.first) return copy_range(line, c.first, c.next);
    stream(destination_ + line_start, line);
  }

  static void stream(Key* to, const Key* from) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__SSE2__)
    auto* out = reinterpret_cast<__m128i*>(to);
    const auto* in = reinterpret_cast<const __m128i*>(from);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(out + i, _mm_loadu_si128(in + i));
#else
    std::memcpy(to, from, 64);
#endif
  }

  Key* destination_ = nullptr;
  buffer<Key> lines_;
  std::vector<cursor> cursors_;
};

}  // namespace gossamer::graph
