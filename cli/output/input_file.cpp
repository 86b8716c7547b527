#include "output/input_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "output/text.hpp"

namespace gossamer::cli {

std::vector<input_file> input_files_of(std::span<const std::string> paths) {
  std::vector<input_file> all;
  for (const std::string& path : paths)
    all.push_back({"one that is read", path == "-" ? "/dev/stdin" : path});
  return all;
}

void spare_inputs(std::span<const input_file> inputs, const std::string& written) {
  for (const input_file& each : inputs) {
    std::error_code unknown;  // a file that is not there is no file to spare
    if (std::filesystem::equivalent(each.path, written, unknown))
      throw error(
          fmt::format("expected another file to write than {}, found \"{}\"", each.what, printable(written)));
  }
}

}  // namespace gossamer::cli
