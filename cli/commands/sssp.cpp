// gossamer sssp: how far everything is from one vertex by the weights of edges, and which way leads there.

#include "gossamer/graph/algorithms/sssp.hpp"

#include <algorithm>
#include <limits>

#include "commands/graph_command.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/graph/verify/verify.hpp"
#include "parse/values.hpp"

namespace gossamer::cli {
namespace {

using graph::vertex_id;

constexpr command_text k_sssp_text{"sssp", "shortest paths from a vertex by the weights of edges",
                                   "  gossamer sssp roads.csv --columns from,to,length --source Ulm --output "
                                   "paths.tsv  vertex, distance, parent\n"
                                   "  gossamer sssp roads.gsg --trials 64   64 sources, the mean time\n"
                                   "Weights are lengths: 0 or more. Edges without weights have length 1.\n"};

class sssp_command final : public graph_command {
 public:
  sssp_command() : graph_command(k_sssp_text) {}
  void check() override {
    if (!from_ && trials_ == 0)
      throw error("sssp: expected --source V or --trials N (gossamer sssp --help shows examples)");
    graph_command::check();
  }

 private:
  void declare_algorithm(declaration& d) override {
    d.value("-s,--source", "V", "start here (the vertex's label)",
            [this](const auto&, const auto& text) { from_ = text; });
    d.number("--trials", trials_, "repeat N times, from random sources unless --source is given", 1);
    d.value("--delta", "W", "width of a bucket of lengths (default: by weights and degrees)",
            [this](const auto& option, const auto& text) {
              delta_ = real_number(option, text, "a width above 0", [](double w) { return w > 0; });
            });
  }
  void describe(json_object& j) const override;
  void answer(session& s) override;

  loaded_graph load_lengths(session& s) const;
  std::vector<vertex_id> sources(const loaded_graph& g) const;
  void say_runs(session& s, const loaded_graph& g, const std::vector<graph::sssp_result>& runs) const;
  void say_farthest(session& s, const loaded_graph& g, const graph::path_lengths& lengths) const;

  std::optional<std::string> from_;  // a label
  std::uint64_t trials_ = 0;         // 0: one run
  double delta_ = 0;                 // 0: chosen
};

void sssp_command::describe(json_object& j) const {
  graph_command::describe(j);
  if (from_) j.set("options/source", *from_);
  if (trials_ > 0) j.set("options/trials", trials_);
  if (delta_ > 0) j.set("options/delta", delta_);
}

/// Reads the graph. Throws where columns look like weights, and none of them was taken, or a weight is no length.
loaded_graph sssp_command::load_lengths(session& s) const {
  loaded_graph g = load(s, graph::weight_use::lengths);
  const std::string& others = g.whole().statistics().left_out;
  if (g.view().weights == graph::weight_type::none && !others.empty())
    throw error(fmt::format(
        "{}: expected a column of weights, found {}: --columns SOURCE,TARGET,{} takes one (bfs counts edges)",
        graph_, others, others.substr(0, others.find(','))));
  if (const auto bad = graph::find_bad_length(g.view()))
    throw error(fmt::format("{}: expected weights of 0 or more, as they are lengths, found {} from {} to {}",
                            graph_, bad->weight, g.text_of(bad->from), g.text_of(bad->to)));
  if (g.view().weights == graph::weight_type::none)
    s.note(fmt::format("{}: edges have no weights: each has length 1", graph_));
  return g;
}

std::vector<vertex_id> sssp_command::sources(const loaded_graph& g) const {
  const std::uint64_t count = std::max<std::uint64_t>(1, trials_);
  if (from_) return std::vector<vertex_id>(count, g.find(*from_));
  auto drawn = graph::random_sources(g.view(), count, seed_);
  if (drawn.empty()) throw error("sssp: expected a graph with edges to start from, found none");
  const std::size_t distinct = drawn.size();  // fewer than asked for on a small graph: go round
  while (drawn.size() < count) drawn.push_back(drawn[drawn.size() - distinct]);
  return drawn;
}

void sssp_command::say_runs(session& s, const loaded_graph& g,
                            const std::vector<graph::sssp_result>& runs) const {
  const graph::sssp_result& last = runs.back();
  json_object& j = s.json();
  j.set_label("source", g.label_of(last.source));
  j.set("reached", last.reached);
  j.set("traversed", last.edges);
  j.set("farthest", last.farthest);
  double seconds = 0;
  for (const auto& r : runs) seconds += r.seconds;
  const double mean = seconds / static_cast<double>(runs.size());
  j.set("seconds_each", mean);
  s.took("run", seconds);
  s.say("\n{}from {}: {} of {} ({}), the farthest at {:g}", trials_ > 1 ? "the last " : "",
        s.colours().bold(g.text_of(last.source)), format_count(last.reached),
        plural(g.view().vertices, "vertex", "vertices"),
        percent(static_cast<double>(last.reached), static_cast<double>(g.view().vertices)), last.farthest);
  if (trials_ == 0) return s.say("\n{} in {}", plural(last.edges, "edge", "edges"), format_duration(seconds));
  j.set_array("trials");
  for (const auto& r : runs) {
    json_object row;
    row.set_label("source", g.label_of(r.source));
    row.set("reached", r.reached);
    row.set("farthest", r.farthest);
    row.set("steps", r.steps);
    row.set("seconds", r.seconds);
    j.append("trials", std::move(row));
  }
  s.say("\n{} in {}: {} each", plural(runs.size(), "trial", "trials"), format_duration(seconds),
        format_duration(mean));
}

/// Calls f(length) with that of a vertex, or f() where it is not reached.
template <class F>
void with_length(const graph::path_lengths& lengths, vertex_id v, F f) {
  if (const auto* whole = std::get_if<std::vector<std::uint64_t>>(&lengths)) {
    if ((*whole)[v] != graph::k_unreached) f((*whole)[v]);
  } else if (const double at = std::get<std::vector<double>>(lengths)[v];
             at != std::numeric_limits<double>::infinity()) {
    f(at);
  }
}

void sssp_command::say_farthest(session& s, const loaded_graph& g, const graph::path_lengths& lengths) const {
  auto top = best(g.view().vertices, vertices_to_list(), [&](vertex_id v) {
    double score = -1;
    with_length(lengths, v, [&](auto at) { score = static_cast<double>(at); });
    return score;
  });
  std::erase_if(top, [](const auto& entry) { return entry.score < 0; });
  set_top(s, g, top);
  table rows({{"farthest", table::align::left}, {"distance"}});
  for (const auto& [vertex, score] : top) rows.row({g.text_of(vertex), fmt::format("{:g}", score)});
  s.say("");
  s.say(rows);
}

void write_rows(row_writer& rows, const loaded_graph& g, const graph::path_lengths& lengths,
                std::span<const vertex_id> parents) {
  for (vertex_id v = 0; v < parents.size(); ++v) {
    rows.field(g.label_of(v));
    if (parents[v] == graph::k_no_vertex) {
      rows.no_value().no_value();
    } else {
      with_length(lengths, v, [&](auto at) { rows.field(at); });
      if (parents[v] == v)
        rows.no_value();
      else
        rows.field(g.label_of(parents[v]));
    }
    rows.end_row();
  }
}

void sssp_command::answer(session& s) {
  s.open_rows({"vertex", "distance", "parent"});
  const loaded_graph g = load_lengths(s);
  const auto from = sources(g);
  graph::shortest_paths search(g.view(), {.delta = delta_});
  std::vector<graph::sssp_result> runs;
  graph::check verified;
  s.steps().step("sssp");
  for (const vertex_id source : from) {
    if (from.size() > 1) s.steps().at(runs.size(), from.size());
    runs.push_back(search.run(source, from.size() > 1 ? graph::progress_hook() : hook(s)));
    if (verify_ && verified)
      verified = graph::verify_sssp(g.view(), runs.back(), search.lengths(), search.parents());
  }
  say_runs(s, g, runs);
  if (top_ || s.rows()) {
    const graph::path_lengths lengths = search.lengths();
    if (top_) say_farthest(s, g, lengths);
    if (auto* rows = s.rows()) write_rows(*rows, g, lengths, search.parents());
  }
  if (verify_) s.verified(verified.ok, verified.reason, "paths, and no edge that shortens one");
}

}  // namespace

std::unique_ptr<command> make_sssp() { return std::make_unique<sssp_command>(); }

}  // namespace gossamer::cli
