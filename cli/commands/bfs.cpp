// gossamer bfs: how far everything is from one vertex, and how fast that was found out.

#include "gossamer/graph/algorithms/bfs.hpp"

#include <algorithm>

#include "commands/graph_command.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

using graph::vertex_id;

struct trials {
  std::vector<graph::bfs_result> runs;
  graph::check verified;
};

constexpr command_text k_bfs_text{
    "bfs", "breadth-first levels from a vertex, and the speed of the search",
    "  gossamer bfs data/debian-depends.tsv.gz --source firefox-esr\n"
    "  gossamer bfs web.tsv --source 1 --output levels.csv  vertex, level, parent\n"
    "  gossamer bfs kron:20 --trials 64                     64 sources, harmonic mean, as Graph500 does\n"};

class bfs_command final : public graph_command {
 public:
  bfs_command() : graph_command(k_bfs_text) {}
  void check() override;

 private:
  void declare_algorithm(declaration& d) override;
  void describe(json_object& j) const override;
  void answer(session& s) override;

  std::vector<vertex_id> sources(const loaded_graph& g) const;
  trials run_all(session& s, const loaded_graph& g, graph::bfs& search,
                 const std::vector<vertex_id>& from) const;
  void say_last(session& s, const loaded_graph& g, const graph::bfs_result& r) const;
  void say_speed(session& s, const loaded_graph& g, const std::vector<graph::bfs_result>& runs) const;
  void say_farthest(session& s, const loaded_graph& g, std::span<const vertex_id> levels) const;

  std::optional<std::string> from_;  // a label
  std::uint64_t trials_ = 0;         // 0: one run
};

void bfs_command::declare_algorithm(declaration& d) {
  d.value("-s,--source", "V", "start here (the vertex's label)",
          [this](const auto&, const auto& text) { from_ = text; });
  d.number("--trials", trials_, "repeat N times, from random sources unless --source is given; harmonic mean",
           1);
}

void bfs_command::check() {
  if (!from_ && trials_ == 0)
    throw error("bfs: expected --source V or --trials N (gossamer bfs --help shows examples)");
  graph_command::check();
}

void bfs_command::describe(json_object& j) const {
  graph_command::describe(j);
  if (from_) j.set("options/source", *from_);
  if (trials_ > 0) j.set("options/trials", trials_);
}

std::vector<vertex_id> bfs_command::sources(const loaded_graph& g) const {
  const std::uint64_t count = std::max<std::uint64_t>(1, trials_);
  if (from_) return std::vector<vertex_id>(count, g.find(*from_));
  auto drawn = graph::random_sources(g.view(), count, seed_);
  if (drawn.empty()) throw error("bfs: expected a graph with edges to start from, found none");
  const std::size_t distinct = drawn.size();  // fewer than asked for on a small graph: go round
  while (drawn.size() < count) drawn.push_back(drawn[drawn.size() - distinct]);
  return drawn;
}

trials bfs_command::run_all(session& s, const loaded_graph& g, graph::bfs& search,
                            const std::vector<vertex_id>& from) const {
  trials t;
  s.steps().step("bfs");
  for (const vertex_id source : from) {
    if (from.size() > 1) s.steps().at(t.runs.size(), from.size());
    t.runs.push_back(search.run(source, from.size() > 1 ? graph::progress_hook() : hook(s)));
    if (!verify_ || !t.verified) continue;
    if (from.size() == 1) s.steps().step("verifying");
    t.verified = graph::verify_bfs(g.view(), t.runs.back(), search.parents());
  }
  return t;
}

/// Shows the vertices of each level, or of ranges of equally many levels where there are more than fit a screen.
void say_levels(session& s, const graph::bfs_result& r) {
  constexpr std::size_t k_most_rows = 20;
  const std::size_t levels = r.levels.size(), width = (levels + k_most_rows - 1) / k_most_rows;
  table rows({{width > 1 ? "levels" : "level"}, {"vertices"}, {"share"}});
  for (std::size_t first = 0; first < levels; first += width) {
    const std::size_t last = std::min(first + width, levels) - 1;
    std::uint64_t vertices = 0;
    for (std::size_t level = first; level <= last; ++level) vertices += r.levels[level];
    rows.row(
        {first == last ? format_count(first) : fmt::format("{}–{}", format_count(first), format_count(last)),
         format_count(vertices), percent(static_cast<double>(vertices), static_cast<double>(r.reached))});
  }
  s.say("");
  s.say(rows);
}

void bfs_command::say_last(session& s, const loaded_graph& g, const graph::bfs_result& r) const {
  json_object& j = s.json();
  j.set_label("source", g.label_of(r.source));
  j.set("levels", r.levels);
  j.set("reached", r.reached);
  j.set("traversed", r.edges);
  s.say("\n{}from {}: {} of {} ({}) within {}", trials_ > 1 ? "the last " : "",
        s.colours().bold(g.text_of(r.source)), format_count(r.reached),
        plural(g.view().vertices, "vertex", "vertices"),
        percent(static_cast<double>(r.reached), static_cast<double>(g.view().vertices)),
        plural(r.levels.size() - 1, "level", "levels"));
  say_levels(s, r);
}

/// Returns a rate of which three digits are seen, however small it is.
std::string rate_text(double mteps) {
  return mteps < 10 ? fmt::format("{:.3g}", mteps) : fmt::format("{:.1f}", mteps);
}

void bfs_command::say_speed(session& s, const loaded_graph& g,
                            const std::vector<graph::bfs_result>& runs) const {
  std::vector<double> mteps;
  double seconds = 0;
  for (const auto& r : runs) {
    mteps.push_back(r.mteps());
    seconds += r.seconds;
  }
  const double mean = graph::harmonic_mean(mteps);
  s.json().set("mteps", mean);
  s.took("run", seconds);
  if (trials_ == 0) {
    s.say("\n{} in {}: {} MTEPS", plural(runs.front().edges, "edge", "edges"), format_duration(seconds),
          rate_text(mean));
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
  s.say("\n{} in {}: {} MTEPS (harmonic mean; least {}, median {}, most {})",
        plural(runs.size(), "trial", "trials"), format_duration(seconds), rate_text(mean),
        rate_text(mteps.front()), rate_text(mteps[mteps.size() / 2]), rate_text(mteps.back()));
}

void bfs_command::say_farthest(session& s, const loaded_graph& g, std::span<const vertex_id> levels) const {
  auto top = best(levels.size(), vertices_to_list(), [levels](vertex_id v) {
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

void bfs_command::answer(session& s) {
  s.open_rows({"vertex", "level", "parent"});
  const loaded_graph g = load(s);
  const auto from = sources(g);
  graph::bfs search(g.view());
  const trials t = run_all(s, g, search, from);
  const graph::bfs_result& last = t.runs.back();  // the one whose parents are still there
  say_last(s, g, last);
  say_speed(s, g, t.runs);
  if (top_ || s.rows()) {
    const auto levels = graph::levels_of(search.parents(), last.source);
    if (top_) say_farthest(s, g, levels);
    if (auto* rows = s.rows()) write_rows(*rows, g, levels, search.parents());
  }
  if (verify_) s.verified(t.verified.ok, t.verified.reason, "search and Graph500's rules");
}

}  // namespace

std::unique_ptr<command> make_bfs() { return std::make_unique<bfs_command>(); }

}  // namespace gossamer::cli
