#pragma once
// The hash of pairs of a group and a field for `distinct`: assigns each pair to the core that has the group.

#include <cstdint>
#include <cstring>
#include <string_view>

#include "gossamer/base/hash.hpp"
#include "gossamer/mapreduce/partition.hpp"
#include "gossamer/mapreduce/text_key.hpp"

namespace gossamer::tables {

/// Hashes the group of a pair, which consists of the group's length, its key, and the field.
struct distinct_hash {
  static std::string_view group_of(std::string_view key) {
    std::uint32_t n;
    std::memcpy(&n, key.data(), sizeof n);
    return key.substr(sizeof n, n);
  }
  static std::string_view field_of(std::string_view key) {
    return key.substr(sizeof(std::uint32_t) + group_of(key).size());
  }
  std::uint64_t operator()(std::string_view key) const {
    constexpr std::uint64_t k_low = (std::uint64_t{1} << mapreduce::k_partition_shift) - 1;
    return (mapreduce::text_key::of(group_of(key)).hash() & ~k_low) |
           (hash_bytes(key.data(), key.size()) & k_low);
  }
};

}  // namespace gossamer::tables
