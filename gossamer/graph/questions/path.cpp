// One shortest path between two vertices, by the weights of edges or by their number.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"

namespace gossamer::graph {
namespace {

class path_question final : public question {
  static constexpr python_method k_methods[] = {
      {.name = "path",
       .column = 0,
       .type = "list[Any] | None",
       .summary = "Find a shortest path between two vertices, by the sum of weights; each edge counts 1 "
                  "where the graph has no weights.",
       .returns = "The labels of its vertices, both ends included; None where there is no path.",
       .fact = "path"}};
  static constexpr question_text k_text{
      .name = "path",
      .summary = "a shortest path from one vertex to another, by weights where there are some",
      .definition =
          "A path with the least sum of weights, along the arcs of a directed graph; each edge counts 1 "
          "where a graph has no weights. Of several "
          "such paths by weights, each vertex has the smallest of the vertices that can stand before it; "
          "without weights it is any. "
          "With `--negative` weights have any sign, and the path is one with the fewest edges; a negative "
          "cycle that its first vertex reaches is an error that names its vertices. "
          "Where there is none, the answer says so: that is no error.",
      .examples =
          "  gossamer path roads.csv Ulm Bonn --columns from,to,length\n"
          "  gossamer path data/debian-depends.tsv.gz firefox-esr libc6\n",
      .verifier = "check of shortest paths",
      .methods = k_methods,
      .weights = weight_use::lengths};

 public:
  path_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.vertex("from", &from_, "a vertex: where the path begins")
        .of_python("source", "Where the path begins.")
        .as_argument();
    p.vertex("to", &to_, "another vertex: where the path ends")
        .of_python("target", "Where the path ends.")
        .as_argument();
    p.flag("negative", &negative_, "weights may be negative: by Bellman and Ford's method")
        .of_python("negative");
  }
  weight_use weights() const override { return negative_ ? weight_use::kept : weight_use::lengths; }

 private:
  /// A path, its length, and the result of the verification.
  struct found_path {
    std::vector<vertex_id> vertices;  // empty: there is no path
    double length = 0;
    double seconds = 0;
    gossamer::check verified;
  };

  answer compute(const graph& g, const asking& how) const override;
  found_path by_edges(const graph& g, const asking& how) const;
  found_path by_weights(const graph& g, const asking& how) const;
  std::vector<vertex_id> follow(std::span<const vertex_id> parents) const;

  std::optional<vertex_id> from_, to_;
  bool negative_ = false;
};

/// Returns the vertices of the path to the target, from its start.
std::vector<vertex_id> path_question::follow(std::span<const vertex_id> parents) const {
  if (parents[*to_] == k_no_vertex) return {};
  std::vector<vertex_id> path{*to_};
  while (path.back() != *from_) path.push_back(parents[path.back()]);
  std::ranges::reverse(path);
  return path;
}

path_question::found_path path_question::by_edges(const graph& g, const asking& how) const {
  bfs search(g.view());
  const bfs_result r = search.run(*from_, how.progress);
  found_path p{follow(search.parents()), 0, r.seconds, {}};
  p.verified = how.checked([&] { return verify_bfs(g.view(), r, search.parents()); });
  if (!p.vertices.empty()) p.length = static_cast<double>(p.vertices.size() - 1);
  return p;
}

path_question::found_path path_question::by_weights(const graph& g, const asking& how) const {
  if (negative_) {
    const bellman_ford_result r = search_of_any_weights(g, *from_, how);
    found_path p{follow(r.parents), 0, r.found.seconds, {}};
    if (!p.vertices.empty()) p.length = r.lengths[*to_];
    p.verified = how.checked([&] { return verify_sssp(g.view(), r.found, r.lengths, r.parents); });
    return p;
  }
  const auto search = search_of_lengths(g, how, {});
  const sssp_result r = search->run(*from_, how.progress);
  const std::vector<vertex_id> parents = search->parents();
  const path_lengths lengths = search->lengths();
  found_path p{follow(parents), 0, r.seconds, {}};
  if (!p.vertices.empty())
    p.length = std::visit([this](const auto& all) { return static_cast<double>(all[*to_]); }, lengths);
  p.verified = how.checked([&] { return verify_sssp(g.view(), r, lengths, parents); });
  return p;
}

/// Returns a table of the vertices of a path: all of them, or those near both ends.
text_table path_table(const graph& g, const std::vector<vertex_id>& path) {
  constexpr std::size_t k_most_rows = 40, k_of_an_end = 19;
  text_table table{.titles = {"step", "vertex"}};
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.size() > k_most_rows && i == k_of_an_end) {
      table.rows.push_back({"…", "…"});
      i = path.size() - k_of_an_end;
    }
    table.rows.push_back({format_count(i), g.names().label(path[i])});
  }
  return table;
}

answer path_question::compute(const graph& g, const asking& how) const {
  const bool is_weighted = g.view().weights != weight_type::none;
  if (!is_weighted) check_for_lengths(g, how);
  const found_path p = is_weighted ? by_weights(g, how) : by_edges(g, how);
  answer a;
  a.seconds = p.seconds;
  const bool is_there = !p.vertices.empty();
  a.known = {{"from", vertex_value{*from_}}, {"to", vertex_value{*to_}}, {"connected", is_there}};
  const std::string ends = fmt::format(" from {} to {}", g.names().label(*from_), g.names().label(*to_));
  if (is_there) {
    std::vector<vertex_value> vertices;
    for (const vertex_id v : p.vertices) vertices.push_back({v});
    a.known.push_back({"length", p.length});
    a.known.push_back({"path_edges", std::uint64_t{p.vertices.size() - 1}});
    a.known.push_back({"path", std::move(vertices)});
    a.sentences = {{"", format_sum(p.length),
                    fmt::format("{}, over {}, found in {}", ends,
                                plural(p.vertices.size() - 1, "edge", "edges"), format_duration(p.seconds))}};
    a.tables = {path_table(g, p.vertices)};
  } else {
    a.sentences = {{"", "no path", fmt::format("{}, found in {}", ends, format_duration(p.seconds))}};
  }
  a.verified = p.verified;
  return a;
}

}  // namespace

std::unique_ptr<question> make_path() { return std::make_unique<path_question>(); }

}  // namespace gossamer::graph
