#pragma once
// Hashes of keys for flat_table and string_table: 64 well mixed bits, the same in every process of a job.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "gossamer/base/random.hpp"

namespace gossamer::combining {

/// Hashes any bytes: multiplies each 8 of them to 128 bits and joins both halves. Not safe against
/// adversaries.
inline std::uint64_t hash_bytes(const void* data, std::size_t size) noexcept {
  __extension__ using wide = unsigned __int128;
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint64_t state = size * 0x9e3779b97f4a7c15U;
  std::uint64_t word = 0;
  const auto stir = [&] {
    const wide product = wide{(state ^ word) + 0xd6e8feb86659fd93U} * 0xda942042e4dd58b5U;
    state = static_cast<std::uint64_t>(product) + static_cast<std::uint64_t>(product >> 64);
  };
  for (; size >= sizeof word; size -= sizeof word, p += sizeof word) {
    std::memcpy(&word, p, sizeof word);
    stir();
  }
  if (size > 0) {
    word = 0;
    std::memcpy(&word, p, size);
    stir();
  }
  return hash64(state);
}

/// The default: hash64 of whole numbers and of whatever is eight bytes, else of as many bytes as the key has.
template <class Key>
struct table_hash {
  static_assert(
      std::has_unique_object_representations_v<Key>,
      "this key has padding or floating point: equal keys may differ in bytes, so give a Hash of your own");
  std::uint64_t operator()(const Key& key) const noexcept {
    if constexpr (std::integral<Key> || std::is_enum_v<Key>)
      return hash64(static_cast<std::uint64_t>(key));
    else if constexpr (sizeof key == sizeof(std::uint64_t))
      return hash64(std::bit_cast<std::uint64_t>(key));
    else
      return hash_bytes(&key, sizeof key);
  }
};

template <>
struct table_hash<std::string_view> {
  std::uint64_t operator()(std::string_view key) const noexcept { return hash_bytes(key.data(), key.size()); }
};

}  // namespace gossamer::combining
