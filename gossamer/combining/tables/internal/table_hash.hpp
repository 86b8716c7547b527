#pragma once
// Hashes of keys for flat_table and string_table: 64 well mixed bits, the same in every process of a job.

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gossamer/base/hash.hpp"
#include "gossamer/base/random.hpp"

namespace gossamer::combining {

/// The default hash: hash64 of integers and of all 8-byte keys, otherwise a hash of the key's bytes.
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
