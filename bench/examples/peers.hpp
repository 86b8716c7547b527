#pragma once
// The computations of examples/ in plain C++ with OpenMP: oracles of tests/examples, and what tools/examples times beside them.
// Each reads the arguments of the example and prints its answer, as the example does. Without OpenMP they are serial.

#include <cstdint>
#include <string>
#include <vector>

namespace example_peers {

/// The words behind the program's name.
class arguments {
 public:
  /// Keeps the words.
  explicit arguments(std::vector<std::string> words) : words_(std::move(words)) {}
  /// Returns word k as a number, or `otherwise` where there is none.
  std::uint64_t number(std::size_t k, std::uint64_t otherwise) const {
    return k < words_.size() ? std::stoull(words_[k]) : otherwise;
  }
  /// Returns word k. Throws std::out_of_range where there is none.
  const std::string& text(std::size_t k) const { return words_.at(k); }

 private:
  std::vector<std::string> words_;
};

// arrays.cpp
void prefix_sums(const arguments& given);
void sample_sort(const arguments& given);
void sparse_matrix_vector(const arguments& given);
void k_means(const arguments& given);
// graphs.cpp
void write_graph(const arguments& given);
void breadth_first(const arguments& given);
void label_propagation(const arguments& given);
// grids.cpp
void stencil(const arguments& given);
void heat(const arguments& given);
void game_of_life(const arguments& given);
// tables.cpp
void histogram(const arguments& given);
void word_count(const arguments& given);
void hash_join(const arguments& given);
void key_value_store(const arguments& given);
void ticket_counter(const arguments& given);
void embed(const arguments& given);
// tasks.cpp
void branch_and_bound(const arguments& given);
void n_queens(const arguments& given);
void monte_carlo(const arguments& given);
void embedding(const arguments& given);

}  // namespace example_peers
