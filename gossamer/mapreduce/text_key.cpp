#include "gossamer/mapreduce/text_key.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"

namespace gossamer::mapreduce {

void refuse_key(std::uint64_t bytes) {
  throw error(fmt::format("a key of {}: MapReduce takes keys of less than 4 GiB", format_bytes(bytes)));
}

}  // namespace gossamer::mapreduce
