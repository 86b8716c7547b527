#pragma once
// Emitted pairs in sequence, not combined, in chunks that never move. One core at a time uses a list. Other
// cores read it in place after the stage of its core has ended.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/containers/flat_pairs.hpp"
#include "gossamer/mapreduce/internal/containers/key_traits.hpp"
#include "gossamer/mapreduce/internal/containers/text_arena.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::mapreduce {

template <class Key, class Value>
class pair_list {
  static_assert(std::is_trivially_copyable_v<Value>, "values are copied as bytes");

 public:
  using traits = key_traits<Key>;
  using stored = typename traits::stored;
  struct slot {
    stored key;
    Value value;
  };

  pair_list() = default;
  pair_list(pair_list&& other) noexcept { *this = std::move(other); }
  pair_list& operator=(pair_list&& other) noexcept {
    chunks_ = std::exchange(other.chunks_, {});
    next_ = std::exchange(other.next_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    capacity_ = std::exchange(other.capacity_, 0);
    arena_ = std::exchange(other.arena_, {});
    return *this;
  }

  std::size_t size() const { return capacity_ - static_cast<std::size_t>(end_ - next_); }
  bool empty() const { return size() == 0; }
  /// Returns the bytes of memory allocated.
  std::size_t bytes() const { return capacity_ * sizeof(slot) + arena_.bytes(); }

  /// Appends a pair. A long text is copied. Throws gossamer::error if memory does not suffice.
  void add(const stored& key, const Value& value) {
    if (next_ == end_) [[unlikely]]
      grow();
    slot& s = *next_;
    s.key = key;
    if constexpr (traits::k_is_text)
      if (key.is_long()) [[unlikely]]
        s.key.first = reinterpret_cast<std::uintptr_t>(arena_.keep(key.text()).data());
    s.value = value;
    ++next_;
  }

  /// Calls f(const slot&) for each pair, in the order in which they were added.
  template <class F>
  void for_each_slot(F f) const {
    for_each_chunk([&](std::span<const slot> chunk) {
      for (const slot& s : chunk) f(s);
    });
  }

  /// Appends the pairs to `out`, in the format of for_each_flat().
  void write(std::vector<std::byte>& out) const {
    const std::uint64_t n = size();
    std::size_t at = out.size();
    machine::require_chunk(sizeof n + n * sizeof(slot) + arena_.used(), "pairs to send");
    out.resize(at + sizeof n + n * sizeof(slot) + arena_.used());
    const auto put = [&](const void* from, std::size_t bytes) {
      if (bytes != 0) std::memcpy(out.data() + at, from, bytes);
      at += bytes;
    };
    put(&n, sizeof n);
    for_each_chunk([&](std::span<const slot> chunk) { put(chunk.data(), chunk.size_bytes()); });
    if constexpr (traits::k_is_text)
      for_each_slot([&](const slot& s) {
        if (s.key.is_long()) put(s.key.text().data(), s.key.size());
      });
  }
  /// Appends the pairs serialized by write(). Long texts are copied.
  void read(std::span<const std::byte> bytes) {
    for_each_flat<Key, slot>(bytes, [&](const slot& s) { add(s.key, s.value); });
  }

  /// Removes all pairs and frees the memory.
  void clear() { *this = pair_list(); }

 private:
  static constexpr std::size_t k_least_chunk = 64;
  static constexpr std::size_t k_most_chunk_bytes = std::size_t{1} << 20;

  template <class F>
  void for_each_chunk(F f) const {
    for (const sorting::sort_buffer<slot>& chunk : chunks_) {
      const bool last = &chunk == &chunks_.back();
      f(std::span<const slot>(chunk.data(),
                              chunk.size() - (last ? static_cast<std::size_t>(end_ - next_) : 0)));
    }
  }

  void grow() {
    const std::size_t slots =
        std::clamp(capacity_, k_least_chunk, std::max(k_least_chunk, k_most_chunk_bytes / sizeof(slot)));
    machine::require_chunk(slots * sizeof(slot), "emitted pairs");
    chunks_.emplace_back(slots);
    next_ = chunks_.back().data();
    end_ = next_ + slots;
    capacity_ += slots;
  }

  std::vector<sorting::sort_buffer<slot>> chunks_;
  slot *next_ = nullptr, *end_ = nullptr;  // the unused places of the last chunk
  std::size_t capacity_ = 0;  // capacity of all chunks, in pairs
  text_arena arena_;
};

}  // namespace gossamer::mapreduce
