#include "commands/vertex_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "gossamer/base/error.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

constexpr std::string_view k_blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(k_blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(k_blanks) - begin + 1);
}

/// Returns the two fields of a line; the second is empty where there are not two.
std::pair<std::string_view, std::string_view> two_fields(std::string_view line) {
  for (const std::string_view separator : {"\t", ",", " "}) {
    const std::size_t at = line.find(separator);
    if (at == line.npos) continue;
    const std::string_view second = trimmed(line.substr(at + 1));
    return {trimmed(line.substr(0, at)), second.find(separator) == second.npos ? second : std::string_view()};
  }
  return {line, {}};
}

}  // namespace

std::vector<graph::vertex_id> read_vertices(const loaded_graph& g, const std::string& path,
                                            std::size_t each) {
  std::ifstream file(path);
  if (!file) throw error(fmt::format("{}: cannot be read", printable(path)));
  std::vector<graph::vertex_id> all;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const std::string_view text = trimmed(line);
    if (text.empty()) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    if (each == 1) {
      all.push_back(g.find(where, std::string(text)));
      continue;
    }
    const auto [first, second] = two_fields(text);
    if (first.empty() || second.empty())
      throw error(fmt::format("{}: expected two vertices, found \"{}\"", printable(where), printable(text)));
    all.push_back(g.find(where, std::string(first)));
    all.push_back(g.find(where, std::string(second)));
  }
  if (file.bad()) throw error(fmt::format("{}: cannot be read to its end", printable(path)));
  return all;
}

}  // namespace gossamer::cli
