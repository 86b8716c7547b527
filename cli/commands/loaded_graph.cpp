#include "commands/loaded_graph.hpp"

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::cli {
namespace {

graph::load_options reading_options(const graph_source& from, std::uint64_t seed, graph::weight_use weights) {
  graph::load_options how;
  how.weights = weights;
  if (from.directed) how.how = *from.directed ? graph::direction::directed : graph::direction::undirected;
  if (from.labels) how.vertices = *from.labels ? graph::label_mode::names : graph::label_mode::integers;
  if (from.header) how.table.header = *from.header ? graph::header_mode::present : graph::header_mode::absent;
  how.table.columns = from.columns;
  how.table.separator = from.separator;
  how.table.comments = !from.no_comments;
  how.table.quotes = !from.no_quotes;
  how.table.nulls = from.nulls;
  how.table.vertices = from.vertices;
  if (from.duplicates) {
    how.duplicates = *from.duplicates;
    if (weights == graph::weight_use::capacities)
      how.weights = graph::weight_use::lengths;  // so the rule of capacities does not apply
  }
  how.packed_edges = from.packed_edges;
  how.seed = seed;
  return how;
}

graph::graph read(session& s, const std::string& name, graph::load_options how) {
  s.step(fmt::format("{} {}", graph::is_generator(name) ? "making" : "reading", name));
  how.progress = hook(s, name);
  return graph::load(name, how);
}

void describe(session& s, const std::string& name, const graph::graph& g) {
  const auto view = g.view();
  const auto& origin = g.statistics();
  json_object& j = s.json();
  j.set("processes", processes());
  j.set("cores", cores());
  j.set("vertices", view.vertices);
  j.set("edges", view.edges());
  j.set("directed", view.directed);
  j.set("duplicates", origin.duplicates);
  j.set("self_loops", origin.self_loops);
  const bool has_weights = view.weights != graph::weight_type::none;
  j.set("weights", graph::name_of(view.weights));
  j.set("weights_ignored", has_weights ? std::uint64_t{0} : origin.weights);
  j.set("format", origin.format);
  if (!origin.header.empty()) j.set("header", origin.header);
  if (!origin.columns.empty()) j.set("columns", origin.columns);
  if (origin.comments != 0) j.set("comments", origin.comments);
  for (const std::string& note : origin.notes) s.note(fmt::format("{}: {}", name, note));
  s.took("load", origin.load_seconds);
  s.took("build", origin.build_seconds);

  std::string removed;
  if (origin.duplicates + origin.self_loops > 0) {
    removed = fmt::format("; {} and {} left out", plural(origin.duplicates, "duplicate", "duplicates"),
                          plural(origin.self_loops, "self-loop", "self-loops"));
  }
  if (has_weights)
    removed += fmt::format("; weights {}", graph::name_of(view.weights));
  else if (origin.weights > 0)
    removed += "; weights ignored";
  const paint& p = s.colours();
  s.say("{}  {}, {} ({}{})", p.bold(printable(name)), plural(view.vertices, "vertex", "vertices"),
        plural(view.edges(), "edge", "edges"), view.directed ? "directed" : "undirected", removed);
  const std::string built =
      origin.build_seconds > 0 ? ", built in " + format_duration(origin.build_seconds) : std::string();
  s.say("{}", p.dim(fmt::format("{}: loaded in {}{}, {}{}", printable(origin.format),
                                format_duration(origin.load_seconds), built, plural(cores(), "core", "cores"),
                                processes() > 1 ? fmt::format(" of {} processes", processes()) : "")));
  if (!origin.header.empty())
    s.say("{}", p.dim(fmt::format("the first line is taken for a header: {}", printable(origin.header))));
  if (!origin.columns.empty()) s.say("{}", p.dim(fmt::format("columns read: {}", printable(origin.columns))));
  if (origin.comments != 0)
    s.say("{}", p.dim(fmt::format("comments: {} passed over", plural(origin.comments, "line", "lines"))));
}

}  // namespace

loaded_graph::loaded_graph(session& s, const std::string& name, const graph_source& from, std::uint64_t seed,
                           graph::weight_use weights)
    : graph_(read(s, name, reading_options(from, seed, weights))), name_(name) {
  describe(s, name, graph_);
  if (run_recorder* const recorder = s.recorder())
    recorder->record().parses_graph = graph_.statistics().format != "native";
  s.phase("computing");  // until the command begins a phase of another name
}

label loaded_graph::label_of(graph::vertex_id v) const {
  const graph::labels& names = graph_.names();
  switch (names.form()) {
    case graph::labels::kind::range:
      return names.first() + v;
    case graph::labels::kind::integers:
      return names.values()[v];
    case graph::labels::kind::strings:
      break;
  }
  return names.label(v);
}

void loaded_graph::tell(session& s) const {
  run_recorder* const recorder = s.recorder();
  if (recorder == nullptr) return;
  s.phase("");  // work for --explain alone is not part of the run
  const graph::graph_view view = graph_.view();
  run_record& record = recorder->record();
  record.data_bytes = graph_.memory_bytes() / processes();
  if (view.process_bounds == nullptr || view.vertices == 0) return;
  const graph::degree_summary degrees = graph::degrees(view).out;
  constexpr double k_hub = 10;  // times the mean degree
  if (degrees.max_vertex == graph::k_no_vertex || static_cast<double>(degrees.max) < k_hub * degrees.mean)
    return;
  const std::uint64_t* const last = view.process_bounds + processes() + 1;
  const auto owner = std::upper_bound(view.process_bounds, last, std::uint64_t{degrees.max_vertex}) -
                     view.process_bounds - 1;
  record.known.push_back({static_cast<unsigned>(owner),
                          fmt::format("owns the vertex of largest degree ({}, {}, {:.0f} times the mean)",
                                      text_of(degrees.max_vertex), plural(degrees.max, "edge", "edges"),
                                      static_cast<double>(degrees.max) / std::max(degrees.mean, 1e-9)),
                          "fewer processes with more cores each: an idle core takes work of others in "
                          "its process only"});
}

graph::vertex_id loaded_graph::find(const std::string& option, const std::string& wanted) const {
  if (const auto v = graph_.names().find(wanted)) return *v;
  std::string near;
  for (const auto& candidate : graph_.names().nearest(wanted, 3)) {
    near += (near.empty() ? ", the nearest are " : ", ") + printable(candidate);
  }
  throw error(fmt::format("{}: expected a vertex of {}, found \"{}\"{}", option, printable(name_),
                          printable(wanted), near));
}

std::vector<ranked_vertex> best(std::uint64_t vertices, std::uint64_t k,
                                const std::function<double(graph::vertex_id)>& score) {
  const auto better = [](const ranked_vertex& a, const ranked_vertex& b) {
    return a.score != b.score ? a.score > b.score : a.vertex < b.vertex;
  };
  std::vector<ranked_vertex> kept;  // a heap whose front is the worst kept
  kept.reserve(std::min(k, vertices));
  for (graph::vertex_id v = 0; v < vertices && k > 0; ++v) {
    const ranked_vertex candidate{v, score(v)};
    if (kept.size() == k) {
      if (!better(candidate, kept.front())) continue;
      std::pop_heap(kept.begin(), kept.end(), better);
      kept.pop_back();
    }
    kept.push_back(candidate);
    std::push_heap(kept.begin(), kept.end(), better);
  }
  std::sort_heap(kept.begin(), kept.end(), better);
  return kept;
}

std::vector<ranked_vertex> best(std::span<const double> scores, std::uint64_t k) {
  return best(scores.size(), k, [scores](graph::vertex_id v) { return scores[v]; });
}

void set_top(session& s, const loaded_graph& g, const std::vector<ranked_vertex>& top) {
  s.json().set_array("top");
  for (const auto& [vertex, score] : top) {
    json_object entry;
    entry.set_label("vertex", g.label_of(vertex));
    entry.set("score", score);
    s.json().append("top", std::move(entry));
  }
}

graph::progress_hook hook(session& s, const std::string& about) {
  return [&s, about, current = std::string()](const char* phase, std::uint64_t done,
                                              std::uint64_t total) mutable {
    if (current != phase) {
      s.steps().step(fmt::format("{}{}{}", current = phase, about.empty() ? "" : " ", about));
      if (current == "verifying") s.phase(current);
    }
    s.steps().at(done, total);
  };
}

}  // namespace gossamer::cli
