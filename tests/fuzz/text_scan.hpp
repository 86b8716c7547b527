#pragma once
// Scans a text as readers do, but serially and by two ways at once: whole, and in two chunks. Both
// must tell the same, whatever the bytes.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/internal/name_dictionary.hpp"

namespace gossamer::test {

struct fuzz_scan {
  graph::scan_result result;
  std::vector<graph::wide_edge> edges;
};

template <class Id>
fuzz_scan scan_as(std::string_view text, const graph::line_format& format) {
  std::vector<graph::basic_edge<Id>> room(graph::most_edges(text.size(), format));
  fuzz_scan s;
  s.result = graph::scan_integers(text.data(), text.data() + text.size(), format, room.data());
  GOSSAMER_ASSERT(s.result.edges <= room.size());
  for (std::uint64_t i = 0; i < s.result.edges; ++i) s.edges.push_back({room[i].from, room[i].to});
  return s;
}

inline void check_result(std::string_view text, const graph::scan_result& r) {
  GOSSAMER_ASSERT(r.stopped >= text.data() && r.stopped <= text.data() + text.size());
  GOSSAMER_ASSERT((r.what == graph::problem::none) == (r.stopped == text.data() + text.size()));
}

/// Scans integers, narrow and wide, whole and in chunks; then names.
inline void scan_every_way(std::string_view text, const graph::line_format& format) {
  const fuzz_scan whole = scan_as<std::uint64_t>(text, format);
  check_result(text, whole.result);
  for (const graph::wide_edge e : whole.edges)
    GOSSAMER_ASSERT(e.from <= format.last_id - format.first_id && e.to <= format.last_id - format.first_id);
  const fuzz_scan narrow = scan_as<std::uint32_t>(text, format);
  if (narrow.result.what != graph::problem::wide) {
    GOSSAMER_ASSERT(narrow.edges == whole.edges && narrow.result.what == whole.result.what);
  }

  const std::size_t cut = text.find('\n', text.size() / 2);
  if (cut != std::string_view::npos) {
    fuzz_scan first = scan_as<std::uint64_t>(text.substr(0, cut + 1), format);
    if (first.result.what == graph::problem::none) {
      const fuzz_scan second = scan_as<std::uint64_t>(text.substr(cut + 1), format);
      first.edges.insert(first.edges.end(), second.edges.begin(), second.edges.end());
      GOSSAMER_ASSERT(first.edges == whole.edges && second.result.what == whole.result.what);
    }
  }
  if (whole.result.what != graph::problem::none) {
    const std::string message = graph::describe(whole.result.what, whole.result.culprit, format);
    GOSSAMER_ASSERT(message.find('\n') == std::string::npos);
  }

  graph::name_dictionary names;
  std::vector<graph::edge> room(graph::most_edges(text.size(), format));
  const graph::scan_result named =
      graph::scan_names(text.data(), text.data() + text.size(), 0, format, names, room.data());
  check_result(text, named);
  for (std::uint64_t i = 0; i < named.edges; ++i)
    GOSSAMER_ASSERT(room[i].from < names.size() && room[i].to < names.size());
}

}  // namespace gossamer::test
