// Opens files of records, deals tasks to processes.
#include "gossamer/files/record_input.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"

namespace gossamer::files {

void open_records(const std::vector<std::string>& paths, std::size_t record_bytes,
                  per_process<record_share> shares) {
  open_files(shares, &record_share::files, paths, file_contents::bytes);
  on_all_processes([shares, record_bytes] {
    const input_files& all = shares.here().files;
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (const std::size_t size = all[i].bytes().size(); size % record_bytes != 0)
        throw error(fmt::format("{}: expected whole records of {} bytes, found {} bytes: {} and {} more",
                                all[i].name(), record_bytes, size, size / record_bytes, size % record_bytes));
  });
  divide_files(shares, &record_share::files, {.bytes = record_bytes}, false);
}

}  // namespace gossamer::files
