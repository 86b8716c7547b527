#pragma once
// The answer of a question: facts by name, columns with a value per vertex, sentences and tables. The program
// prints it as text, JSON or rows; Python returns arrays.

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
/// Facts, in the order in which they are printed.
using facts = std::vector<fact>;

/// A vertex as a value. It is printed by its label.
struct vertex_value {
  vertex_id vertex = k_no_vertex;  ///< its number
};

/// The number of occurrences of each value, ascending by value.
struct histogram {
  std::string_view of;  ///< name of the values: "size"
  std::string_view counts;  ///< name of the counted things: "components"
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bins;  ///< values and counts
};

/// A fact about the whole graph.
struct fact {
  std::string key;  ///< its name in JSON and in Python's `stats`
  std::variant<std::uint64_t, double, bool, vertex_value, std::vector<vertex_value>,
               std::vector<std::uint64_t>, histogram, std::vector<facts>>
      value;  ///< in one of the forms above
};

/// The values of all vertices, or of all rows of an answer with other rows.
struct vertex_column {
  /// The form of the values: numbers, or vertices; k_no_vertex means no vertex.
  enum class kind : std::uint8_t { numbers, vertices };

  kind form = kind::numbers;  ///< the form of the values
  /// Whether some vertices may have no value. It is represented by k_no_vertex, the largest integer of 64
  /// bits, or infinity.
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
  std::string before;  ///< plain text before the emphasized part
  std::string strong = {};  ///< emphasized part
  std::string after = {};  ///< plain text after it
};

/// A table of text, for readers of the terminal.
struct text_table {
  std::vector<std::string> titles;  ///< of the columns
  std::vector<std::vector<std::string>> rows = {};  ///< as many cells as titles
};

/// How the best vertices are listed.
struct vertex_ranking {
  /// How scores are written: as lengths ("%g"), as integers, or with enough digits to distinguish neighbours.
  enum class form : std::uint8_t { lengths, counts, scores };

  std::string_view title = "vertex";  ///< title of the column of vertices
  std::string_view score = "score";  ///< title of the column of scores
  form how = form::scores;  ///< how scores are written
  bool is_asked_for = false;  ///< listed only on request, and then without ranks
  bool is_ascending = false;  ///< the smallest scores are listed first, not the largest
  /// Returns a function from a vertex to its score, computed from the columns; nothing for a vertex that is
  /// not listed. Unset: the first column has the scores.
  std::function<std::function<std::optional<double>(vertex_id)>(const std::vector<vertex_column>&)> scores =
      {};
};

/// The answer of a question.
struct answer {
  facts known;  ///< facts about the whole graph
  double seconds = 0;  ///< of the algorithm alone
  std::vector<sentence> sentences;  ///< tables are printed after the first one
  std::vector<text_table> tables;  ///< printed only in text
  vertex_ranking top;  ///< used if there are columns or rows
  /// Returns a column for each of question_text::columns. Unset: there are none. May be called once;
  /// collective over all cores.
  std::function<std::vector<vertex_column>()> columns;
  /// Returns a column for each of question::row_names(), all of one length. Rows are edges, pairs or walks,
  /// the best first. Unset: each vertex has a row. May be called once; collective over all cores.
  std::function<std::vector<vertex_column>()> rows;
  /// Whether the rows with the largest values of the last column are the best, instead of the first rows.
  bool last_column_ranks_rows = false;
  std::vector<std::string> notes;  ///< warnings that the graph may not be as the user assumes
  std::string shortfall;  ///< why the answer is incomplete: "stopped after 5 iterations ..."; or empty
  check verified;  ///< result of the verification; ok if none was requested
  /// Removes the checkpoint, whose folder is locked until then. Called once the answer has been written or
  /// returned; unset: there is none.
  std::function<void()> forget;
};

}  // namespace gossamer::graph
