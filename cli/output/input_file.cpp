#include "output/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
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

const input_file* find_input(std::span<const input_file> inputs, const std::string& written) {
  const auto found = std::ranges::find_if(inputs, [&](const input_file& each) {
    std::error_code unknown;  // a file that is not there is none that is read
    return std::filesystem::equivalent(each.path, written, unknown);
  });
  return found == inputs.end() ? nullptr : &*found;
}

void spare_inputs(std::span<const input_file> inputs, const std::string& written) {
  if (const input_file* const found = find_input(inputs, written))
    throw error(
        fmt::format("expected another file to write than {}, found \"{}\"", found->what, printable(written)));
}

}  // namespace gossamer::cli
