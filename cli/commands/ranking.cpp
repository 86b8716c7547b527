#include "commands/ranking.hpp"

#include <cmath>

namespace gossamer::cli {
namespace {

/// Sums of paths read better as 12,345.6 than as 1.23456e4; shares of one need their digits.
std::string score_text(double score, double largest) {
  if (largest < 10) return fmt::format("{:.6f}", score);
  const double tenths = std::round(std::abs(score) * 10);
  if (!(tenths < 1e18)) return fmt::format("{:.6g}", score);
  const auto whole = static_cast<std::uint64_t>(tenths);
  return fmt::format("{}{}.{}", score < 0 ? "-" : "", format_count(whole / 10), whole % 10);
}

}  // namespace

void say_ranking(session& s, const loaded_graph& g, std::span<const double> scores, std::uint64_t most) {
  const auto top = best(scores, most);
  set_top(s, g, top);
  if (top.empty()) return;
  table rows({{"rank"}, {"vertex", table::align::left}, {"score"}});
  for (std::size_t i = 0; i < top.size(); ++i) {
    rows.row({format_count(i + 1), g.text_of(top[i].vertex), score_text(top[i].score, top.front().score)});
  }
  s.say("");
  s.say(rows);
}

void write_ranking(session& s, const loaded_graph& g, std::span<const double> scores) {
  row_writer* rows = s.rows();
  if (!rows) return;
  for (graph::vertex_id v = 0; v < scores.size(); ++v) rows->field(g.label_of(v)).field(scores[v]).end_row();
}

}  // namespace gossamer::cli
