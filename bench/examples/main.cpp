// example_peers NAME [ARGUMENT...]: an example's computation in plain C++ with OpenMP.
#include <cstdio>
#include <exception>
#include <map>

#include "examples/peers.hpp"

int main(int argc, char** argv) {
  using namespace example_peers;
  const std::map<std::string, void (*)(const arguments&)> peers{
      {"branch_and_bound", branch_and_bound},
      {"breadth_first", breadth_first},
      {"embed", embed},
      {"embedding", embedding},
      {"game_of_life", game_of_life},
      {"hash_join", hash_join},
      {"heat", heat},
      {"histogram", histogram},
      {"k_means", k_means},
      {"key_value_store", key_value_store},
      {"label_propagation", label_propagation},
      {"monte_carlo", monte_carlo},
      {"n_queens", n_queens},
      {"prefix_sums", prefix_sums},
      {"sample_sort", sample_sort},
      {"sparse_matrix_vector", sparse_matrix_vector},
      {"stencil", stencil},
      {"ticket_counter", ticket_counter},
      {"word_count", word_count},
      {"write_graph", write_graph}};
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    peers.at(words.at(0))(arguments({words.begin() + 1, words.end()}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  }
}
