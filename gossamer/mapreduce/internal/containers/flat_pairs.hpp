#pragma once
// Pairs of a container serialized for another process: a count, the slots in sequence, then the bytes of long
// texts in the same order. The address of a long text is meaningless in another process, and is set when
// pairs are read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gossamer/mapreduce/internal/containers/key_traits.hpp"

namespace gossamer::mapreduce {

/// Returns the bytes of n pairs without long texts.
template <class Key, class Slot>
constexpr std::uint64_t flat_bytes(std::uint64_t n) {
  return sizeof(std::uint64_t) + n * sizeof(Slot);
}

template <class Key, class Slot>
class pair_writer {
 public:
  void add(const Slot& s) {
    slots_.push_back(s);
    if constexpr (key_traits<Key>::k_is_text)
      if (s.key.is_long()) {
        const auto text = s.key.text();
        texts_.insert(texts_.end(), text.begin(), text.end());
      }
  }
  std::size_t pairs() const { return slots_.size(); }
  void clear() {
    slots_.clear();
    texts_.clear();
  }
  std::size_t bytes() const { return sizeof(std::uint64_t) + slots_.size() * sizeof(Slot) + texts_.size(); }
  /// Appends the pairs to `out`.
  void write(std::vector<std::byte>& out) const {
    const std::uint64_t n = slots_.size();
    append(out, &n, sizeof n);
    append(out, slots_.data(), n * sizeof(Slot));
    append(out, texts_.data(), texts_.size());
  }

 private:
  static void append(std::vector<std::byte>& out, const void* data, std::size_t bytes) {
    const std::size_t at = out.size();
    out.resize(at + bytes);
    if (bytes != 0) std::memcpy(out.data() + at, data, bytes);
  }

  std::vector<Slot> slots_;
  std::vector<char> texts_;
};

/// Calls f(Slot&) for each pair that pair_writer has written. Long texts point into `bytes`. Returns the
/// bytes that follow.
template <class Key, class Slot, class F>
std::span<const std::byte> for_each_flat(std::span<const std::byte> bytes, F f) {
  std::uint64_t n;
  std::memcpy(&n, bytes.data(), sizeof n);
  const std::byte* at = bytes.data() + sizeof n;
  const std::byte* text = at + n * sizeof(Slot);
  for (; n > 0; --n, at += sizeof(Slot)) {
    Slot s;
    std::memcpy(static_cast<void*>(&s), at, sizeof s);
    if constexpr (key_traits<Key>::k_is_text)
      if (s.key.is_long()) {
        s.key.first = reinterpret_cast<std::uintptr_t>(text);
        text += s.key.size();
      }
    f(s);
  }
  return bytes.subspan(static_cast<std::size_t>(text - bytes.data()));
}

}  // namespace gossamer::mapreduce
