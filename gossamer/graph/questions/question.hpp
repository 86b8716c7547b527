#pragma once
// The interface of questions about a graph: the name, parameters and answer of each. From this description
// are made: the command (cli/commands/question_command.hpp) and its rows of docs/cli.md; the methods of
// Python's Graph and the entries of the NetworkX backend (tools/python-questions). A question is one file of
// this folder, a line of makers.hpp and a line of questions.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/questions/answer.hpp"
#include "gossamer/graph/questions/parameter.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// A column of the answer, with one value per vertex or row.
struct column_text {
  std::string_view name;  ///< in the header of --output
  std::string_view help;  ///< a sentence that defines the value
};

/// A method of Python's Graph.
struct python_method {
  std::string_view name;  ///< its name
  /// The column that it returns. Other columns are attributes of the result, unless another method returns
  /// them.
  std::size_t column;
  std::string_view type;  ///< of the result: a class of python/gossamer/_result.py; for rows `Rows`
  std::string_view summary;  ///< the first sentence of its documentation
  std::string_view returns;  ///< documentation of the result
  /// A fact that it returns instead of a column; `type` is its Python type. It returns None if an answer does
  /// not have the fact.
  std::string_view fact = {};
};

/// A function of NetworkX whose result is one of our columns, by node.
struct networkx_function {
  std::string_view name;  ///< its name
  std::string_view parameters;  ///< besides G, as Python declares them; a call must leave each at its default
  std::size_t column;  ///< the column
  bool loops_matter;  ///< whether self-loops, which a graph does not store, change the result
};

/// The description of a question.
struct question_text {
  std::string_view name;  ///< of the command
  std::string_view summary;  ///< one line of help
  std::string_view definition;  ///< exact definition of the answer, in Markdown
  std::string_view examples;  ///< whole lines, indented by two
  std::string_view verifier;  ///< the method that checks answers
  std::span<const column_text> columns =
      {};  ///< values per vertex; empty: the answer has rows, or only facts
  std::span<const column_text> rows = {};  ///< columns of an answer whose rows are edges, pairs or walks
  std::span<const python_method> methods;  ///< methods of Python's Graph
  std::span<const networkx_function> networkx = {};  ///< functions of the backend
  bool is_undirected = false;  ///< refuses directed graphs
  bool is_directed = false;  ///< refuses undirected graphs
  bool takes_either_way = false;  ///< Python may ignore the directions of a directed graph on request
  weight_use weights = weight_use::counted;  ///< lengths: weights must be 0 or more
};

/// The options of one request for an answer.
struct asking {
  /// The graph as the user named it, for messages of the program, which may name options. Empty: called from
  /// Python.
  std::string_view graph_name = {};
  bool verify = false;  ///< whether the answer is verified
  progress_hook progress = {};  ///< receives the progress

  /// Returns verify_answer() if the caller asked for verification.
  template <class F>
  check checked(F verify_answer) const {
    if (!verify) return {};
    report(progress, "verifying", 0, 0);
    return verify_answer();
  }
  /// Throws gossamer::error; in the program the message begins with the name of the graph.
  [[noreturn]] void refuse(std::string_view why) const;
};

/// A question with the values of its parameters. Its one caller calls declare() first.
class question {
 public:
  /// Takes the description, which must outlive the question.
  explicit question(const question_text& text) : text_(text) {}
  virtual ~question() = default;
  question(const question&) = delete;
  question& operator=(const question&) = delete;

  /// Returns the description.
  const question_text& text() const { return text_; }
  /// Declares the parameters.
  virtual void declare(parameter_list&) {}
  /// Checks combinations of parameters before the program reads the graph. Throws gossamer::error.
  virtual void check() const {}
  /// Returns how the question uses weights, given its parameters.
  virtual weight_use weights() const { return text_.weights; }
  /// Returns the names of the columns of answer::rows: by default those of question_text::rows. Empty: the
  /// answer has a row per vertex. Called after the parameters are set.
  virtual std::vector<std::string> row_names() const;
  /// Computes the answer, and verifies it on request. Collective over all cores; main fiber. The answer must
  /// not outlive the job. Throws gossamer::error for a graph that the question does not accept.
  answer ask(const graph& g, const asking& how) const;

  /// The seed of random choices.
  std::uint64_t seed = 1;

 protected:
  /// Computes the answer.
  virtual answer compute(const graph& g, const asking& how) const = 0;

 private:
  const question_text& text_;
};

/// Returns the functions that make the questions, in the order of the help.
std::span<std::unique_ptr<question> (*const)()> questions();
/// Makes the question of that name, or returns null.
std::unique_ptr<question> make_question(std::string_view name);

}  // namespace gossamer::graph
