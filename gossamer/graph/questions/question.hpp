#pragma once
// Questions about a graph, one interface for all: what a question is called, what it may be told, and what it answers. From this
// description come the command (cli/commands/question_command.hpp) and its rows of docs/cli.md. So do the method of Python's Graph
// and the entries of the NetworkX backend (tools/python-questions). A question is one file of this folder and a line of questions.cpp.

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

/// A column of the answer, one value per vertex or row.
struct column_text {
  std::string_view name;  ///< in the header of --output
  std::string_view help;  ///< what the value is, as a sentence
};

/// A method of Python's Graph.
struct python_method {
  std::string_view name;  ///< of the method
  std::size_t column;  ///< that it returns; the others are attributes, unless another method returns them
  std::string_view type;  ///< of the result: a class of python/gossamer/_result.py; of rows `Rows`
  std::string_view summary;  ///< of its documentation, a sentence
  std::string_view returns;  ///< what the result holds
  std::string_view fact =
      {};  ///< that is returned instead of a column, `type` is Python's then; None where it is not there
};

/// A function of NetworkX whose answer is a column of ours, by node.
struct networkx_function {
  std::string_view name;  ///< of NetworkX
  std::string_view parameters;  ///< beside G, as Python declares them; each must have its default
  std::size_t column;  ///< the answer
  bool loops_matter;  ///< whether self-loops, which are not kept, change the answer
};

/// What a question is.
struct question_text {
  std::string_view name;  ///< of the command
  std::string_view summary;  ///< one line of help
  std::string_view definition;  ///< what exactly is computed; Markdown
  std::string_view examples;  ///< whole lines, indented by two
  std::string_view verifier;  ///< the method that checks answers
  std::span<const column_text> columns = {};  ///< by vertex; none: the answer is rows, or facts alone
  std::span<const column_text> rows = {};  ///< columns of an answer whose rows are edges, pairs or the like
  std::span<const python_method> methods;  ///< of Python
  std::span<const networkx_function> networkx = {};  ///< functions of the backend
  bool is_undirected = false;  ///< directed graphs are refused
  bool is_directed = false;  ///< undirected graphs are refused
  bool takes_either_way = false;  ///< Python may ask it of a directed graph without its directions
  weight_use weights = weight_use::counted;  ///< lengths: weights have to be 0 or more
};

/// What a caller asks with.
struct asking {
  std::string_view graph_name =
      {};  ///< as people gave it, for messages of the program, which may name options; empty: Python
  bool verify = false;  ///< whether the answer is checked
  progress_hook progress = {};  ///< told how far it is

  /// Returns verify(), where the caller asks for it.
  template <class F>
  check checked(F verify_answer) const {
    if (!verify) return {};
    report(progress, "verifying", 0, 0);
    return verify_answer();
  }
  /// Throws gossamer::error, in the program after the name of the graph.
  [[noreturn]] void refuse(std::string_view why) const;
};

/// A question, with the values of its parameters. Made for one caller; declare() is called first.
class question {
 public:
  /// Takes what describes it, which must outlive it.
  explicit question(const question_text& text) : text_(text) {}
  virtual ~question() = default;
  question(const question&) = delete;
  question& operator=(const question&) = delete;

  /// Returns what it is.
  const question_text& text() const { return text_; }
  /// Declares its parameters.
  virtual void declare(parameter_list&) {}
  /// Checks what no single parameter can, in the program. Throws gossamer::error.
  virtual void check() const {}
  /// Returns the names of the columns of answer::rows, once the parameters are set: those of question_text::rows.
  virtual std::vector<std::string> row_names() const;
  /// Answers, and checks the answer where asked to. Collective over all cores; main fiber. The answer must not outlive the job. Throws
  /// gossamer::error for a graph that the question is not for.
  answer ask(const graph& g, const asking& how) const;

  /// Of what is drawn at random.
  std::uint64_t seed = 1;

 protected:
  /// Computes the answer.
  virtual answer compute(const graph& g, const asking& how) const = 0;

 private:
  const question_text& text_;
};

/// Makes each question, in the order in which help lists them.
std::span<std::unique_ptr<question> (*const)()> questions();
/// Makes the question of that name, or returns null.
std::unique_ptr<question> make_question(std::string_view name);

}  // namespace gossamer::graph
