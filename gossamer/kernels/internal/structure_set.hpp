#pragma once
// The requests to a set.

#include <cstdint>
#include <vector>

#include "gossamer/combining/hash_map.hpp"

namespace gossamer::kernels {

struct set_ends {
  using handle = hash_set<std::uint64_t>;
  static bool put(const handle& at, std::uint64_t key) { return at.insert(key); }
  struct prepared {
    std::vector<std::uint64_t> keys;

    void complete() {}
    void put_into(handle at) const { at.insert_all(keys); }
  };
  static void stage(const handle& at, std::uint64_t key) { at.stage(key); }
  static bool read(const frozen_hash_set<std::uint64_t>& at, std::uint64_t key) {
    (void)at.contains(key);
    return true;
  }
  static void put_all(handle at, const std::vector<std::uint64_t>& keys) { at.insert_all(keys); }
  static void erase_all(handle at, const std::vector<std::uint64_t>& keys) { at.erase_all(keys); }
  static bool erase(const handle& at, std::uint64_t key) { return at.erase(key); }
  static bool get(const handle& at, std::uint64_t key) {
    (void)at.contains(key);
    return true;
  }
  template <class Nothing>
  static bool right(std::uint64_t, const Nothing&) {
    return true;
  }
};

}  // namespace gossamer::kernels
