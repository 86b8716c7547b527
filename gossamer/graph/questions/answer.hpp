#pragma once
// What a question answers, for any reader: facts by name, columns with a value per vertex, sentences and tables for people. The program
// makes text, JSON and rows of it, Python arrays.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/base/check.hpp"
#include "gossamer/graph/store/view.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::graph {

struct fact;
/// Names and values, in order.
using facts = std::vector<fact>;

/// A vertex as a value: shown by its label.
struct vertex_value {
  vertex_id vertex = k_no_vertex;  ///< its number
};

/// How often each value occurs, ascending.
struct histogram {
  std::string_view of;  ///< what the values are: "size"
  std::string_view counts;  ///< what is counted: "components"
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bins;  ///< values and counts
};

/// A value that is known of the whole graph.
struct fact {
  std::string key;  ///< of JSON and of Python's `stats`
  std::variant<std::uint64_t, double, bool, vertex_value, std::vector<vertex_value>,
               std::vector<std::uint64_t>, histogram, std::vector<facts>>
      value;  ///< of one of the forms above
};

/// The values of all vertices, or of all rows of an answer that has other rows.
struct vertex_column {
  /// What they are: numbers; or vertices, of which k_no_vertex is none.
  enum class kind : std::uint8_t { numbers, vertices };

  kind form = kind::numbers;  ///< what the values are
  /// Whether some vertices have no value: k_no_vertex, the largest of 64 bits, infinity.
  bool has_gaps = false;
  /// Whether the values are parents in a tree: a root is its own, which rows leave empty.
  bool is_tree = false;
  /// One by vertex, or by row.
  std::variant<std::vector<vertex_id>, std::vector<std::uint64_t>, std::vector<double>> values = {};

  /// Returns how many there are.
  std::size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, values);
  }
  /// Calls f(value) with that of a vertex or row; does nothing where it has none.
  template <class F>
  void with(std::uint64_t v, F f) const {
    std::visit(
        [&](const auto& all) {
          using T = typename std::remove_cvref_t<decltype(all)>::value_type;
          const T x = all[v];
          if (!has_gaps || x != gap<T>()) f(x);
        },
        values);
  }
  /// Returns the value of a vertex or row as a double, or nothing.
  std::optional<double> number(std::uint64_t v) const {
    std::optional<double> x;
    with(v, [&](auto value) { x = static_cast<double>(value); });
    return x;
  }

 private:
  template <class T>
  static constexpr T gap() {
    if constexpr (std::numeric_limits<T>::has_infinity)
      return std::numeric_limits<T>::infinity();
    else
      return std::numeric_limits<T>::max();
  }
};
static_assert(k_no_vertex == std::numeric_limits<vertex_id>::max());

/// A sentence about the answer, of which a part stands out.
struct sentence {
  std::string before;  ///< plain
  std::string strong = {};  ///< what stands out
  std::string after = {};  ///< plain
};

/// Rows for people.
struct text_table {
  std::vector<std::string> titles;  ///< of the columns
  std::vector<std::vector<std::string>> rows = {};  ///< as many cells as titles
};

/// The vertices to list, the best first.
struct vertex_ranking {
  /// How scores are written: as lengths ("%g"), whole numbers, or with digits that tell one from the next.
  enum class form : std::uint8_t { lengths, counts, scores };

  std::string_view title = "vertex";  ///< of the column of vertices
  std::string_view score = "score";  ///< of the column of scores
  form how = form::scores;  ///< how scores are written
  bool is_asked_for = false;  ///< listed only where people ask for it, and then without ranks
  /// Returns the score of a vertex from the columns, nothing where it is not listed. Empty: the first column.
  std::function<std::function<std::optional<double>(vertex_id)>(const std::vector<vertex_column>&)> scores =
      {};
};

/// What a question found.
struct answer {
  facts known;  ///< of the whole graph
  double seconds = 0;  ///< the algorithm alone
  std::vector<sentence> sentences;  ///< tables come behind the first
  std::vector<text_table> tables;  ///< for people alone
  vertex_ranking top;  ///< of no use where there are no columns
  /// Returns a column for each of question_text::columns, unset where there are none. Once; collective over all cores.
  std::function<std::vector<vertex_column>()> columns;
  /// Returns a column for each of question::row_names(), all of one length: edges, pairs, walks, the best first. Unset where rows are those
  /// of the vertices. Once; collective over all cores.
  std::function<std::vector<vertex_column>()> rows;
  /// Whether the best rows are those with the largest values of the last column, and not the first ones.
  bool last_column_ranks_rows = false;
  std::vector<std::string> notes;  ///< where the graph may mean something else
  std::string shortfall;  ///< what the answer lacks of what was asked: "stopped after 5 iterations ..."
  check verified;  ///< ok where no check was asked for
  /// Removes what was kept to go on from. Called once the answer is safe; unset where nothing was kept.
  std::function<void()> forget;
};

}  // namespace gossamer::graph
