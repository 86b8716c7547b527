#pragma once
// The orders of results of MapReduce jobs: by key, or by value.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "gossamer/mapreduce/internal/containers/key_traits.hpp"
#include "gossamer/sort/ordered_key.hpp"

namespace gossamer {

namespace mapreduce {

/// Returns the code of the bytes of a text from 8 * level on. Codes compare as these bytes do, with zeros
/// after the end.
inline std::uint64_t text_code(std::string_view text, unsigned level) {
  std::uint64_t word = 0;
  const std::size_t at = std::min<std::size_t>(level * sizeof word, text.size());
  std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
  return __builtin_bswap64(word);
}

/// Returns whether numbers of a type have codes.
template <class T>
inline constexpr bool k_has_code = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// Compares keys: texts byte by byte, others by `<`.
struct key_order {
  bool operator()(const text_key& a, const text_key& b) const {
    if (a.is_long() || b.is_long()) return a.text() < b.text();
    const std::uint64_t x = __builtin_bswap64(a.first), y = __builtin_bswap64(b.first);
    return x != y ? x < y : __builtin_bswap64(a.second) < __builtin_bswap64(b.second);
  }
  template <class Key>
  bool operator()(const plain_key<Key>& a, const plain_key<Key>& b) const {
    return a.key < b.key;
  }

  /// Returns a code of level 0 or 1 for sorting (slot_sort.hpp). The codes of both levels order short texts
  /// completely.
  static std::uint64_t code(const text_key& k, unsigned level) {
    if (!k.is_long()) return __builtin_bswap64(level == 0 ? k.first : k.second);
    return text_code(k.text(), level) |
           (level == 0 ? 0 : text_key::k_long);  // after the lengths of short texts
  }
  /// Returns the code of a number, or 0.
  template <class Key>
  static std::uint64_t code(const plain_key<Key>& k, unsigned level) {
    if constexpr (k_has_code<Key>) return level == 0 ? sorting::ordered_key<Key, false>::encode(k.key) : 0;
    return 0;
  }
};

}  // namespace mapreduce

/// Order of results: by key.
struct by_key {
  /// Returns whether a comes before b.
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    return mapreduce::key_order{}(a.key, b.key);
  }
  /// Returns a code of level 0 or 1. If code(a) < code(b) and the codes of lower levels are equal, b does not
  /// come before a.
  template <class Slot>
  static std::uint64_t code(const Slot& s, unsigned level) {
    return mapreduce::key_order::code(s.key, level);
  }
};

/// Order of results: the largest value first, equal ones by key.
struct by_value {
  /// Returns whether a comes before b.
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    if (b.value < a.value) return true;
    return !(a.value < b.value) && mapreduce::key_order{}(a.key, b.key);
  }
  /// Returns a code as by_key does: of the value, then of the key.
  template <class Slot>
  static std::uint64_t code(const Slot& s, unsigned level) {
    using value = std::remove_cvref_t<decltype(s.value)>;
    if constexpr (mapreduce::k_has_code<value>) {
      if (level > 0) return mapreduce::key_order::code(s.key, 0);
      return sorting::ordered_key<value, true>::encode(s.value);
    }
    return 0;
  }
};

}  // namespace gossamer
