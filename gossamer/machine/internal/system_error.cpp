#include "gossamer/machine/internal/system_error.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "gossamer/base/error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::string_view k_blank = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(k_blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_blank) - first + 1);
}

}  // namespace

void throw_errno(std::string_view doing, std::string_view on, int error_number) {
  throw error(fmt::format("{} {}: {}", doing, on, std::generic_category().message(error_number)));
}

std::optional<std::string> read_small_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return {};
  return std::string(text.substr(0, text.find_last_not_of(k_blank) + 1));
}

std::optional<std::string> value_after(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(key)) return std::string(trimmed(line.substr(key.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

}  // namespace gossamer::machine
