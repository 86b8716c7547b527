#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

constexpr std::unique_ptr<question> (*k_makers[])() = {
    make_components,   make_strong,        make_bfs,         make_sssp,         make_path,
    make_johnson,      make_pagerank,      make_eigenvector, make_katz,         make_hits,
    make_betweenness,  make_cores,         make_communities, make_triangles,    make_closeness,
    make_eccentricity, make_diameter,      make_topological, make_colouring,    make_independent_set,
    make_matching,     make_spanning_tree, make_biconnected, make_truss,        make_max_flow,
    make_similarity,   make_neighbours,    make_subgraph,    make_random_walks,
};

}  // namespace

std::span<std::unique_ptr<question> (*const)()> questions() { return k_makers; }

std::unique_ptr<question> make_question(std::string_view name) {
  for (const auto make : k_makers)
    if (auto one = make(); one->text().name == name) return one;
  return nullptr;
}

}  // namespace gossamer::graph
