#pragma once
// The orders in which results of MapReduce jobs are given: by key, or by value.

#include "gossamer/mapreduce/internal/containers/key_traits.hpp"

namespace gossamer {

namespace mapreduce {

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
};

}  // namespace mapreduce

/// Order of results: by key.
struct by_key {
  /// Returns whether a comes before b.
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    return mapreduce::key_order{}(a.key, b.key);
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
};

}  // namespace gossamer
