#include "gossamer/files/record_input.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"

namespace gossamer::files {

void check_records(const input_files& files, std::size_t record_bytes) {
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (const std::size_t size = files[i].bytes().size(); size % record_bytes != 0)
      throw error(fmt::format("{}: expected whole records of {} bytes, found {} bytes: {} and {} more",
                              files[i].name(), record_bytes, size, size / record_bytes, size % record_bytes));
}

}  // namespace gossamer::files
