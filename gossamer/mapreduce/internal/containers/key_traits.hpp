#pragma once
// How containers store keys: texts as text_key; numbers and structs as they are, beside a flag that the slot
// is taken.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "gossamer/base/hash.hpp"
#include "gossamer/mapreduce/text_key.hpp"

namespace gossamer::mapreduce {

/// The default hash: of a text and of any key whose equal values have equal bytes.
struct default_hash {
  std::uint64_t operator()(const text_key& key) const { return key.hash(); }
  template <class Key>
  std::uint64_t operator()(const Key& key) const {
    static_assert(
        std::has_unique_object_representations_v<Key>,
        "this key has padding or floating point: equal keys may differ in bytes, so give a hash of your own");
    if constexpr (std::integral<Key> || std::is_enum_v<Key>)
      return hash_words(static_cast<std::uint64_t>(key), 0);
    else
      return hash_bytes(&key, sizeof key);
  }
};

/// A key of trivially copyable type in a slot.
template <class Key>
struct plain_key {
  Key key{};
  bool taken = false;

  bool empty() const { return !taken; }
  friend bool operator==(const plain_key& a, const plain_key& b) { return a.key == b.key; }
};

template <class Key>
struct key_traits {
  static_assert(std::is_trivially_copyable_v<Key>,
                "keys are numbers, trivially copyable structs, or std::string_view");
  using stored = plain_key<Key>;
  static constexpr bool k_is_text = false;

  static stored store(const Key& key) { return {key, true}; }
  static const Key& view(const stored& s) { return s.key; }
  /// Compares the bytes in the slot only: may return false for an equal key, never true for a different one.
  static bool same_bytes(const stored& in_slot, const stored& key) { return in_slot.taken && in_slot == key; }
  template <class Hash>
  static std::uint64_t hash(const Hash& hash, const stored& s) {
    return hash(s.key);
  }
};

template <>
struct key_traits<std::string_view> {
  using stored = text_key;
  static constexpr bool k_is_text = true;

  [[gnu::always_inline]] static stored store(std::string_view key) { return text_key::of(key); }
  static std::string_view view(const stored& s) { return s.text(); }
  static bool same_bytes(const stored& in_slot, const stored& key) {
    return in_slot.first == key.first && in_slot.second == key.second;
  }
  template <class Hash>
  static std::uint64_t hash(const Hash& hash, const stored& s) {
    if constexpr (std::is_invocable_v<const Hash&, const text_key&>)
      return hash(s);
    else
      return hash(s.text());
  }
};

}  // namespace gossamer::mapreduce
