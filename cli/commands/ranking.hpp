#pragma once
// What commands with a score or a count per vertex have in common.

#include <span>

#include "commands/loaded_graph.hpp"

namespace gossamer::cli {

/// Adds the best `most` of them, as a table and under the key "top".
void say_ranking(session& s, const loaded_graph& g, std::span<const double> scores, std::uint64_t most);

/// Adds the best `most` vertices by a count, as a table whose column has that title, and under the key "top".
template <class Counts>
void say_counts(session& s, const loaded_graph& g, const Counts& counts, const std::string& title,
                std::uint64_t most) {
  const auto top =
      best(counts.size(), most, [&](graph::vertex_id v) { return static_cast<double>(counts[v]); });
  set_top(s, g, top);
  if (top.empty()) return;
  table rows({{"rank"}, {"vertex", table::align::left}, {title}});
  for (std::size_t i = 0; i < top.size(); ++i)
    rows.row({format_count(i + 1), g.text_of(top[i].vertex), format_count(counts[top[i].vertex])});
  s.say("");
  s.say(rows);
}

/// Writes a row per vertex into --output, where it was given.
void write_ranking(session& s, const loaded_graph& g, std::span<const double> scores);

}  // namespace gossamer::cli
