// gossamer bfs: how far everything is from one vertex, and how fast that was found out.

#include "gossamer/graph/algorithms/bfs.hpp"

#include <algorithm>

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "loaded.hpp"

namespace gossamer::cli {
namespace {

using graph::vertex_id;

struct trials {
  std::vector<graph::bfs_result> runs;
  graph::check verified;
};

std::vector<vertex_id> sources(const options& o, const loaded_graph& g) {
  const std::uint64_t count = std::max<std::uint64_t>(1, o.trials);
  if (o.source) return std::vector<vertex_id>(count, g.find(*o.source));
  auto drawn = graph::random_sources(g.view(), count, o.seed);
  if (drawn.empty()) throw error("bfs: expected a graph with edges to start from, found none");
  const std::size_t distinct = drawn.size();  // fewer than asked for on a small graph: go round
  while (drawn.size() < count) drawn.push_back(drawn[drawn.size() - distinct]);
  return drawn;
}

graph::frontier frontier_of(std::string_view word) {
  if (word == "queue") return graph::frontier::queue;
  return word == "queue-singly" ? graph::frontier::queue_singly : graph::frontier::lists;
}

trials run_all(session& s, const loaded_graph& g, graph::bfs& search, const std::vector<vertex_id>& from) {
  trials t;
  s.steps().step("bfs");
  for (const vertex_id source : from) {
    if (from.size() > 1) s.steps().at(t.runs.size(), from.size());
    t.runs.push_back(search.run(source, from.size() > 1 ? graph::progress_hook() : hook(s)));
    if (!s.asked().verify || !t.verified) continue;
    if (from.size() == 1) s.steps().step("verifying");
    t.verified = graph::verify_bfs(g.view(), t.runs.back(), search.parents());
  }
  return t;
}

void say_levels(session& s, const graph::bfs_result& r) {
  table rows({{"level"}, {"vertices"}, {"share"}});
  for (std::size_t level = 0; level < r.levels.size(); ++level) {
    rows.row({format_count(level), format_count(r.levels[level]),
              percent(static_cast<double>(r.levels[level]), static_cast<double>(r.reached))});
  }
  s.say("");
  s.say(rows);
}

void answer_one(session& s, const loaded_graph& g, const graph::bfs_result& r) {
  json_object& j = s.json();
  j.set_label("source", g.label_of(r.source));
  j.set("levels", r.levels);
  j.set("reached", r.reached);
  j.set("traversed", r.edges);
  s.say("\n{}from {}: {} of {} ({}) within {}", s.asked().trials > 1 ? "the last " : "",
        s.colours().bold(g.text_of(r.source)), format_count(r.reached),
        plural(g.view().vertices, "vertex", "vertices"),
        percent(static_cast<double>(r.reached), static_cast<double>(g.view().vertices)),
        plural(r.levels.size() - 1, "level", "levels"));
  say_levels(s, r);
}

void say_speed(session& s, const loaded_graph& g, const std::vector<graph::bfs_result>& runs) {
  std::vector<double> mteps;
  double seconds = 0;
  for (const auto& r : runs) {
    mteps.push_back(r.mteps());
    seconds += r.seconds;
  }
  const double mean = graph::harmonic_mean(mteps);
  s.json().set("mteps", mean);
  s.took("run", seconds);
  if (s.asked().trials == 0) {
    s.say("\n{} in {}: {:.1f} MTEPS", plural(runs.front().edges, "edge", "edges"), format_duration(seconds),
          mean);
    return;
  }
  s.json().set_array("trials");
  for (const auto& r : runs) {
    json_object row;
    row.set_label("source", g.label_of(r.source));
    row.set("reached", r.reached);
    row.set("levels", static_cast<std::uint64_t>(r.levels.size()));
    row.set("mteps", r.mteps());
    row.set("seconds", r.seconds);
    s.json().append("trials", std::move(row));
  }
  std::sort(mteps.begin(), mteps.end());
  s.say("\n{} in {}: {:.1f} MTEPS (harmonic mean; least {:.1f}, median {:.1f}, most {:.1f})",
        plural(runs.size(), "trial", "trials"), format_duration(seconds), mean, mteps.front(),
        mteps[mteps.size() / 2], mteps.back());
}

void say_farthest(session& s, const loaded_graph& g, std::span<const vertex_id> levels) {
  auto top = best(levels.size(), s.asked().top.value_or(k_default_top), [levels](vertex_id v) {
    return levels[v] == graph::k_no_vertex ? -1.0 : static_cast<double>(levels[v]);
  });
  std::erase_if(top, [](const auto& entry) { return entry.score < 0; });
  set_top(s, g, top);
  table rows({{"farthest", table::align::left}, {"level"}});
  for (const auto& [vertex, score] : top)
    rows.row({g.text_of(vertex), format_count(static_cast<std::uint64_t>(score))});
  s.say("");
  s.say(rows);
}

void write_rows(row_writer& rows, const loaded_graph& g, std::span<const vertex_id> levels,
                std::span<const vertex_id> parents) {
  for (vertex_id v = 0; v < levels.size(); ++v) {
    rows.field(g.label_of(v));
    if (levels[v] == graph::k_no_vertex) {
      rows.no_value().no_value();
    } else if (levels[v] == 0) {
      rows.field(std::uint64_t{0}).no_value();
    } else {
      rows.field(std::uint64_t{levels[v]}).field(g.label_of(parents[v]));
    }
    rows.end_row();
  }
}

}  // namespace

void bfs(session& s) {
  s.open_rows({"vertex", "level", "parent"});
  const loaded_graph g(s);
  const auto from = sources(s.asked(), g);
  graph::bfs search(g.view(), {.keeps = frontier_of(s.asked().frontier)});
  const trials t = run_all(s, g, search, from);
  const graph::bfs_result& last = t.runs.back();  // the one whose parents are still there
  answer_one(s, g, last);
  say_speed(s, g, t.runs);
  if (s.asked().top || s.rows()) {
    const auto levels = graph::levels_of(search.parents(), last.source);
    if (s.asked().top) say_farthest(s, g, levels);
    if (auto* rows = s.rows()) write_rows(*rows, g, levels, search.parents());
  }
  if (s.asked().verify) s.verified(t.verified.ok, t.verified.reason, "search and Graph500's rules");
}

}  // namespace gossamer::cli
