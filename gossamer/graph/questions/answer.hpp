#pragma once
// The answer of a question, for any reader: facts by name, columns with a value per vertex, sentences and tables. The program
// makes text, JSON and rows of it; Python makes arrays.

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

/// A vertex as a value. It is printed by its label.
struct vertex_value {
  vertex_id vertex = k_no_vertex;  ///< its number
};

/// How often each value occurs, ascending.
struct histogram {
  std::string_view of;  ///< what the values are: "size"
  std::string_view counts;  ///< what is counted: "components"
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bins;  ///< values and counts
};

/// A fact about the whole graph.
struct fact {
  std::string key;  ///< of JSON and of Python's `stats`
  std::variant<std::uint64_t, double, bool, vertex_value, std::vector<vertex_value>,
               std::vector<std::uint64_t>, histogram, std::vector<facts>>
      value;  ///< in one of the forms above
};

/// The values of all vertices, or of all rows of an answer with other rows.
struct vertex_column {
  /// The form of the values: numbers, or vertices, where k_no_vertex is none.
  enum class kind : std::uint8_t { numbers, vertices };

  kind form = kind::numbers;  ///< the form of the values
  /// Whether some vertices have no value. No value is k_no_vertex, the largest of 64 bits, or infinity.
  bool has_gaps = false;
  /// Whether the values are parents in a tree. A root is its own parent, and has an empty field in rows.
  bool is_tree = false;
  /// One value per vertex or row.
  std::variant<std::vector<vertex_id>, std::vector<std::uint64_t>, std::vector<double>> values = {};

  /// Returns the number of values.
  std::size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, values);
  }
  /// Calls f(value) with the value of a vertex or row, if it has one.
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

/// A sentence about the answer with an emphasized part.
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
