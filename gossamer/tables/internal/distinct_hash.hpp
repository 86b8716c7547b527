#pragma once
// The hash by which `distinct` spreads pairs of a group and a field: each lies with the core that has the group.

#include <cstdint>
#include <cstring>
#include <string_view>

#include "gossamer/base/hash.hpp"
#include "gossamer/mapreduce/partition.hpp"
#include "gossamer/mapreduce/text_key.hpp"

namespace gossamer::tables {

/// A group and a field: its length, the key, the field. Lies with the core that has the group.
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
