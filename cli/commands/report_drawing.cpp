#include "commands/report_drawing.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace gossamer::cli {

using graph::vertex_id;

namespace {

constexpr std::size_t k_neighbours = 40;  // of the neighbourhood
constexpr std::size_t k_most_drawn = 1200;  // a browser lays out so many vertices in a second
constexpr std::uint64_t k_most_edges = 6000;  // more edges cannot be distinguished

/// Keeps the `most` vertices with the best scores, ascending.
void keep_best(std::vector<vertex_id>& vertices, std::size_t most, std::span<const double> scores) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(vertices.size(), most));
  std::ranges::partial_sort(vertices, vertices.begin() + kept, [&](vertex_id a, vertex_id b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  vertices.resize(static_cast<std::size_t>(kept));
  std::ranges::sort(vertices);
}

}  // namespace

report_drawing::report_drawing(const loaded_graph& g, const vertex_facts& facts)
    : g_(g), facts_(facts), view_(g.view()), out_(view_, view_.out), in_(view_, view_.in) {}

std::optional<std::vector<std::uint64_t>> report_drawing::edges_among(std::span<const vertex_id> vertices,
                                                                      std::uint64_t most) {
  std::vector<std::uint64_t> edges;
  for (std::uint64_t i = 0; i < vertices.size(); ++i) {
    auto at = vertices.begin();
    for (const vertex_id n : out_[vertices[i]]) {  // both ascend
      at = std::lower_bound(at, vertices.end(), n);
      if (at == vertices.end()) break;
      const auto k = static_cast<std::uint64_t>(at - vertices.begin());
      if (*at != n || (!view_.directed && k < i)) continue;
      if (edges.size() == 2 * most) return std::nullopt;
      edges.push_back(i);
      edges.push_back(k);
    }
  }
  return edges;
}

std::vector<json_object> report_drawing::describe(std::span<const vertex_id> vertices,
                                                  vertex_id first) const {
  std::unordered_map<vertex_id, std::uint64_t> numbers{{facts_.community[first], 0}};
  std::vector<json_object> rows;
  for (const vertex_id v : vertices) {
    json_object& row = rows.emplace_back();
    row.set_label("vertex", g_.label_of(v));
    row.set("pagerank", facts_.pagerank[v]);
    row.set("community", numbers.try_emplace(facts_.community[v], numbers.size()).first->second);
    row.set("core", std::uint64_t{facts_.core[v]});
  }
  return rows;
}

void report_drawing::set_neighbourhood(json_object& j, vertex_id centre) {
  std::vector<vertex_id> around(out_[centre].begin(), out_[centre].end());
  if (view_.directed) around.insert(around.end(), in_[centre].begin(), in_[centre].end());
  std::ranges::sort(around);
  around.erase(std::ranges::unique(around).begin(), around.end());
  j.set_label("neighbourhood/centre", g_.label_of(centre));
  j.set("neighbourhood/neighbours", static_cast<std::uint64_t>(around.size()));
  keep_best(around, k_neighbours, facts_.pagerank);
  around.insert(std::ranges::lower_bound(around, centre), centre);
  j.set_array("neighbourhood/vertices");
  std::vector<json_object> rows = describe(around, centre);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].set("centre", around[i] == centre);
    j.append("neighbourhood/vertices", std::move(rows[i]));
  }
  j.set("neighbourhood/edges", *edges_among(around, around.size() * around.size()));
}

void report_drawing::set_drawing(json_object& j) {
  std::vector<vertex_id> drawn;
  for (vertex_id v = 0; v < view_.vertices; ++v)
    if (out_.degree(v) + in_.degree(v) > 0) drawn.push_back(v);
  if (drawn.empty()) return;
  std::optional<std::vector<std::uint64_t>> edges;
  for (std::size_t most = k_most_drawn; !edges; most = most * 3 / 4) {
    keep_best(drawn, most, facts_.pagerank);
    edges = edges_among(drawn, k_most_edges);
  }
  const auto best = std::ranges::max(drawn, {}, [&](vertex_id v) { return facts_.pagerank[v]; });
  j.set_array("drawing/vertices");
  for (json_object& row : describe(drawn, best)) j.append("drawing/vertices", std::move(row));
  j.set("drawing/edges", *edges);
}

}  // namespace gossamer::cli
