#pragma once
// Sends a chunk to each core: the counterpart of collect() (per_core.hpp), along the same tree.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/message/payload.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

namespace parallel {

/// Throws gossamer::error unless there is a count for each core, and they add up to the number of items.
void check_counts(std::span<const std::uint32_t> counts, std::size_t items);

/// The chunks of the cores of processes [first, last), one after another.
template <class T>
class scatter_chunks {
 public:
  scatter_chunks(std::uint32_t first, std::uint32_t last, std::span<const std::uint32_t> counts,
                 std::span<const T> items)
      : first_(first), last_(last), counts_(counts), items_(items) {}
  /// Reads chunks serialized by pack().
  scatter_chunks(std::uint32_t first, std::uint32_t last, std::span<const std::byte> packed)
      : first_(first), last_(last) {
    const std::size_t cores = first_core(last) - first_core(first);
    counts_ = {reinterpret_cast<const std::uint32_t*>(packed.data()), cores};
    const std::size_t head = round_up(counts_.size_bytes(), alignof(T));
    items_ = {reinterpret_cast<const T*>(packed.data() + head), (packed.size() - head) / sizeof(T)};
  }

  bool empty() const { return items_.empty(); }
  std::uint32_t first() const { return first_; }
  std::uint32_t last() const { return last_; }
  std::vector<std::byte> pack() const {
    const std::size_t head = round_up(counts_.size_bytes(), alignof(T));
    std::vector<std::byte> bytes(head + items_.size_bytes());
    std::memcpy(bytes.data(), counts_.data(), counts_.size_bytes());
    if (!items_.empty()) std::memcpy(bytes.data() + head, items_.data(), items_.size_bytes());
    return bytes;
  }
  /// Removes and returns the chunks of the processes before `end`.
  scatter_chunks take(std::uint32_t end) {
    const auto counts = counts_.first(first_core(end) - first_core(first_));
    const auto items = items_.first(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    counts_ = counts_.subspan(counts.size());
    items_ = items_.subspan(items.size());
    return {std::exchange(first_, end), end, counts, items};
  }
  /// Calls f(core, chunk) for each chunk that is not empty.
  template <class F>
  void for_each(F f) const {
    auto rest = items_;
    for (core_id c = first_core(first_); const std::uint32_t n : counts_) {
      if (n != 0) f(c, rest.first(n));
      rest = rest.subspan(n);
      ++c;
    }
  }

 private:
  std::uint32_t first_, last_;
  std::span<const std::uint32_t> counts_;
  std::span<const T> items_;
};

template <class T, class F>
void scatter_to(scatter_chunks<T> all, F f);

/// Handles the arrival of chunks at the first of their processes.
template <class T, class F>
struct scatter_arrival {
  F f;
  std::uint32_t first, last;
  /// Forwards the chunks that have arrived, as a handler. A task stores them until all of them are forwarded.
  void operator()(std::span<const std::byte> bytes) const {
    spawn([arrival = *this, packed = std::vector<std::byte>(bytes.begin(), bytes.end())] {
      finish([&] { scatter_to(scatter_chunks<T>(arrival.first, arrival.last, packed), arrival.f); });
    });
  }
};

template <class T, class F>
void send_chunks(const scatter_chunks<T>& chunks, F f) {
  if (chunks.empty()) return;
  async_on(first_core(chunks.first()), scatter_arrival<T, F>{f, chunks.first(), chunks.last()},
           std::span<const std::byte>(chunks.pack()));
}

/// Spawns tasks on the chunks of this process in place, and sends each other process its chunks. The
/// enclosing completion counts both. The chunks must stay in place until it has ended.
template <class T, class F>
void scatter_to(scatter_chunks<T> all, F f) {
  while (all.first() < all.last()) {
    const scatter_chunks<T> next = all.take(all.first() + 1);
    if (next.first() != process()) {
      send_chunks(next, f);
      continue;
    }
    next.for_each([f](core_id c, std::span<const T> chunk) {
      spawn_on(c, [f, at = chunk.data(), n = chunk.size()] {
        F mine(f);
        mine(std::span<const T>(at, n));
      });
    });
  }
  core::here().request_flush();
}

}  // namespace parallel

/// Runs f(std::span<const T>) as a task on every core that has a chunk. Core c receives the next counts[c]
/// items. Waits for all of them and what they issued, and rethrows the first exception. By one fiber;
/// suspends. Throws gossamer::error if the counts do not add up to the number of items. f is copied as bytes, and so is T, whose alignment is at most 8. `items` must not be on a
/// fiber's stack. Costs one message to each process that has chunks. With many processes some forward the
/// chunks of others (internal/process_tree.hpp, fan_out()).
template <class T, class F>
void scatter(std::span<const std::uint32_t> counts, std::span<const T> items, F f,
             std::source_location where = std::source_location::current()) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8, "items are sent as bytes");
  parallel::check_body(f, where);
  (void)message::inside("scatter");
  parallel::check_counts(counts, items.size());
  finish([&] {
    const unsigned n = processes(), groups = parallel::fan_out();
    parallel::scatter_chunks<T> all(0, n, counts, items);
    if (n - 1 <= groups) return parallel::scatter_to(all, f);
    auto mine = all;
    for (unsigned g = 0; g < groups; ++g) {
      const auto group = all.take(n * (g + 1) / groups);
      if (group.first() <= process() && process() < group.last())
        mine = group;
      else
        parallel::send_chunks(group, f);
    }
    parallel::scatter_to(mine, f);
  });
}

}  // namespace gossamer
