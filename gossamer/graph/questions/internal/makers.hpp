#pragma once
// The functions that make the questions. A new question needs a file in the folder above, a line here, and a
// line of questions.cpp.

#include <memory>

namespace gossamer::graph {

class question;

/// Makes the question of that name.
std::unique_ptr<question> make_components();
std::unique_ptr<question> make_strong();  ///< the same
std::unique_ptr<question> make_bfs();  ///< the same
std::unique_ptr<question> make_sssp();  ///< the same
std::unique_ptr<question> make_path();  ///< the same
std::unique_ptr<question> make_johnson();  ///< the same
std::unique_ptr<question> make_pagerank();  ///< the same
std::unique_ptr<question> make_eigenvector();  ///< the same
std::unique_ptr<question> make_katz();  ///< the same
std::unique_ptr<question> make_hits();  ///< the same
std::unique_ptr<question> make_betweenness();  ///< the same
std::unique_ptr<question> make_cores();  ///< the same
std::unique_ptr<question> make_communities();  ///< the same
std::unique_ptr<question> make_triangles();  ///< the same
std::unique_ptr<question> make_closeness();  ///< the same
std::unique_ptr<question> make_eccentricity();  ///< the same
std::unique_ptr<question> make_diameter();  ///< the same
std::unique_ptr<question> make_topological();  ///< the same
std::unique_ptr<question> make_colouring();  ///< the same
std::unique_ptr<question> make_independent_set();  ///< the same
std::unique_ptr<question> make_matching();  ///< the same
std::unique_ptr<question> make_spanning_tree();  ///< the same
std::unique_ptr<question> make_biconnected();  ///< the same
std::unique_ptr<question> make_truss();  ///< the same
std::unique_ptr<question> make_max_flow();  ///< the same
std::unique_ptr<question> make_similarity();  ///< the same
std::unique_ptr<question> make_neighbours();  ///< the same
std::unique_ptr<question> make_subgraph();  ///< the same
std::unique_ptr<question> make_random_walks();  ///< the same

}  // namespace gossamer::graph
