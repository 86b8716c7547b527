#include "studies/commands/search_command.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"

namespace gossamer::studies {

using namespace cli;
using graph::bfs_result;
using graph::vertex_id;

void search_command::declare_algorithm(declaration& d) {
  declare_search(d);
  d.value("-s,--source", "V", "start here (the vertex's label)",
          [this](const auto&, const auto& text) { from_ = text; });
  d.number("--trials", trials_, "repeat N times, from random sources unless --source is given; harmonic mean",
           1);
}

void search_command::check() {
  if (!from_ && trials_ == 0)
    throw error(fmt::format(
        "{0}: expected --source V or --trials N (gossamer-studies {0} --help shows examples)", name()));
  graph_command::check();
}

void search_command::describe(json_object& j) const {
  graph_command::describe(j);
  describe_search(j);
  if (from_) j.set("options/source", *from_);
  if (trials_ > 0) j.set("options/trials", trials_);
}

/// Returns the given vertex, or random ones, which repeat if the graph has fewer.
std::vector<vertex_id> search_command::sources(const loaded_graph& g) const {
  const std::uint64_t count = std::max<std::uint64_t>(1, trials_);
  if (from_) return std::vector<vertex_id>(count, g.find("--source", *from_));
  auto drawn = graph::random_sources(g.view(), count, seed_);
  if (drawn.empty())
    throw error(fmt::format("{}: expected a graph with edges to start from, found none", name()));
  for (std::size_t i = 0; drawn.size() < count; ++i) drawn.push_back(drawn[i]);
  return drawn;
}

void search_command::say_speed(session& s, const loaded_graph& g, const std::vector<bfs_result>& runs) const {
  std::vector<double> mteps;
  double seconds = 0;
  if (trials_ > 0) s.json().set_array("trials");
  for (const bfs_result& r : runs) {
    mteps.push_back(r.mteps());
    seconds += r.seconds;
    if (trials_ == 0) continue;
    json_object row;
    row.set_label("source", g.label_of(r.source));
    row.set("reached", r.reached);
    row.set("levels", static_cast<std::uint64_t>(r.levels.size()));
    row.set("mteps", r.mteps());
    row.set("seconds", r.seconds);
    s.json().append("trials", std::move(row));
  }
  const double mean = graph::harmonic_mean(mteps);
  s.json().set("mteps", mean);
  s.took("run", seconds);
  s.say("\n{} in {}: {:.3g} MTEPS", plural(runs.size(), "search", "searches"), format_duration(seconds),
        mean);
}

void search_command::say(session& s, const loaded_graph& g, const std::vector<bfs_result>& runs,
                         const gossamer::check& verified) const {
  const bfs_result& last = runs.back();
  s.json().set_label("source", g.label_of(last.source));
  s.json().set("levels", last.levels);
  s.json().set("reached", last.reached);
  s.json().set("traversed", last.edges);
  s.say("\nfrom {}: {} of {} within {}", s.colours().bold(g.text_of(last.source)), format_count(last.reached),
        plural(g.view().vertices, "vertex", "vertices"), plural(last.levels.size() - 1, "level", "levels"));
  say_speed(s, g, runs);
  if (verify_) s.verified(verified, "search and Graph500's rules");
}

}  // namespace gossamer::studies
