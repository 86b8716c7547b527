#include "gossamer/graph/formats/internal/read_back.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"

namespace gossamer::graph {
namespace {

constexpr const char* k_header_line = "source\ttarget\n";
constexpr const char* k_weighted_header_line = "source\ttarget\tweight\n";

/// Returns whether a name is the canonical text of a 64-bit integer.
bool is_written_number(std::string_view name) {
  constexpr std::string_view k_largest = "18446744073709551615";
  if (!is_integer(name) || (name.size() > 1 && name[0] == '0')) return false;
  return name.size() < k_largest.size() || (name.size() == k_largest.size() && name <= k_largest);
}

}  // namespace

std::string read_back::header_for(std::string_view comments, std::string_view lines) {
  if (lines.empty()) return {};
  for (const std::string header : {"", has_weights_ ? k_weighted_header_line : k_header_line})
    if (takes(fmt::format("{}{}{}", comments, header, lines), !header.empty())) return header;
  refuse(lines.substr(0, lines.find('\n')));
}

/// Returns whether the reader infers tabs between two columns and the given presence of a header.
bool read_back::takes(const std::string& text, bool has_header) {
  try {
    const preamble p = begin_edge_list(text, true, path_, {});
    const bool is_tabbed = !p.format.json && !p.format.cut.blanks && p.format.usual == '\t';
    if (!p.found || p.header.empty() == has_header || !is_tabbed || p.format.picks) return false;
    format_ = p.format;
    is_names_ = p.names;
    return true;
  } catch (const error&) {
    return false;
  }
}

read_back::chunk read_back::check(std::string_view text, const std::vector<edge>& edges) const {
  chunk found;
  const char* const end = text.data() + text.size();
  const std::uint64_t most = text.size() / 4 + 1;
  if (!is_names_) {
    std::vector<wide_edge> ids(most);
    found.numbers = scan_integers(text.data(), end, format_, ids.data()).what;
  }
  name_dictionary read;
  std::vector<edge> there(most);
  const scan_result r = scan_names(text.data(), end, 0, format_, read, there.data());
  for (std::uint64_t i = 0; i < edges.size(); ++i) {
    const std::string_view from = names_.text(edges[i].from), to = names_.text(edges[i].to);
    if (i >= r.edges || read.name(there[i].from) != from || read.name(there[i].to) != to) {
      found.lost = fmt::format("{}\t{}", from, to);
      break;
    }
    if (!is_names_ && found.not_numbers.empty()) {
      if (!is_written_number(from))
        found.not_numbers = from;
      else if (!is_written_number(to))
        found.not_numbers = to;
    }
  }
  if (r.edges > edges.size()) found.lost = text.substr(0, text.find('\n'));
  return found;
}

void read_back::join(const chunk& next) {
  if (!is_names_ && next.numbers != problem::none && !asks_for_names(next.numbers))
    refuse(next.not_numbers.empty() ? next.lost : next.not_numbers);
  is_names_ = is_names_ || asks_for_names(next.numbers);
  if (!next.lost.empty()) refuse(next.lost);
  if (not_numbers_.empty()) not_numbers_ = next.not_numbers;
}

void read_back::finish() const {
  if (!is_names_ && !not_numbers_.empty())
    throw error(fmt::format("{}: all names would be read as numbers, and {} as another one: write .gsg",
                            path_, in_quotes(not_numbers_)));
}

void read_back::refuse(std::string_view name) const {
  throw error(fmt::format("{}: {} would not be read back from an edge list: write .gsg, or other names",
                          path_, in_quotes(name)));
}

}  // namespace gossamer::graph
