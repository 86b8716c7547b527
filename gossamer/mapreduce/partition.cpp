#include "gossamer/mapreduce/partition.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"

namespace gossamer::mapreduce {

void refuse_partition(std::uint64_t found, std::uint64_t partitions) {
  throw error(fmt::format("map_reduce: expected a partition from 0 to {}, found {} by the hash of the keys",
                          partitions - 1, found));
}

}  // namespace gossamer::mapreduce
