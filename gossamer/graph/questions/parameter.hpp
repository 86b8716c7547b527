#pragma once
// The parameters of a question: names, ranges, defaults and help, declared once. They become options of the
// program and arguments in Python.

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// The name of a parameter in Python, and its documentation there.
struct python_parameter {
  std::string_view name;  ///< of the argument: "max_iter"
  std::string_view help;  ///< a sentence or more; empty: the help of the option
  std::string_view fallback;  ///< the default in Python's syntax; empty: that of the parameter
};

/// The reals that a parameter accepts.
struct real_range {
  std::string_view expected;  ///< "a number from 0 to 1, 1 excluded"
  bool (*accepts)(double);  ///< returns whether a number is in the range
};

/// Numbers above 0.
inline constexpr real_range k_positive{
    "a positive number", [](double x) { return x > 0 && x < std::numeric_limits<double>::infinity(); }};
/// Numbers from 0 to 1, without 1.
inline constexpr real_range k_below_one{"a number from 0 to 1, 1 excluded",
                                        [](double x) { return x >= 0 && x < 1; }};

/// One of some names.
struct choice {
  std::span<const std::string_view> names;  ///< all names, the default first
  std::size_t picked = 0;  ///< index of the chosen name

  /// Returns the chosen name.
  std::string_view name() const { return names[picked]; }
};

/// A value of 0 or more for each vertex; empty: none were given.
using vertex_values = std::vector<double>;

/// Vertices from a list.
struct vertex_list {
  std::vector<vertex_id> vertices;  ///< in groups of `each`
  std::size_t each = 1;  ///< 1, or 2 for pairs
  bool is_given = false;  ///< whether there is a list; a given list may be empty
};

/// A parameter, and a pointer to its value, which is a member of the question. The question must outlive the
/// parameter.
struct parameter {
  /// An optional value has no default; a vertex is given by its label, a list of vertices by a file of
  /// labels.
  using place =
      std::variant<std::uint64_t*, std::optional<std::uint64_t>*, double*, std::optional<double>*, bool*,
                   std::optional<vertex_id>*, choice*, vertex_values*, vertex_list*, std::string*>;

  std::string_view name;  ///< of the option, without dashes: "max-iterations"
  std::string_view type;  ///< of its value, as help shows it: "N"; empty for flags
  std::string_view help;  ///< a phrase: "stop after N iterations at the latest"
  place value;  ///< where the value is stored
  std::uint64_t least = 0;  ///< the smallest accepted integer
  std::optional<real_range> reals = {};  ///< the accepted reals
  std::string_view spellings = {};  ///< other spellings, with dashes: "-s"
  bool in_program = true;  ///< whether the program has the option
  bool is_argument = false;  ///< positional: it follows the graph, without a name
  std::optional<python_parameter> python = {};  ///< unset: no argument in Python

  /// Returns whether it is a flag.
  bool is_flag() const { return std::holds_alternative<bool*>(value); }
  /// Returns whether it is a vertex.
  bool is_vertex() const { return std::holds_alternative<std::optional<vertex_id>*>(value); }
  /// Returns whether it is a real.
  bool is_real() const {
    return std::holds_alternative<double*>(value) || std::holds_alternative<std::optional<double>*>(value);
  }
  /// Returns whether it is one of some names.
  bool is_choice() const { return std::holds_alternative<choice*>(value); }
  /// Returns whether it is a value for each vertex.
  bool is_vertex_values() const { return std::holds_alternative<vertex_values*>(value); }
  /// Returns whether it is a list of vertices.
  bool is_list() const { return std::holds_alternative<vertex_list*>(value); }
  /// Returns whether it is a folder.
  bool is_folder() const { return std::holds_alternative<std::string*>(value); }
  /// Returns whether it has no default.
  bool is_optional() const {
    return is_vertex() || is_folder() || is_vertex_values() || is_list() ||
           std::holds_alternative<std::optional<std::uint64_t>*>(value) ||
           std::holds_alternative<std::optional<double>*>(value);
  }
  /// Returns the accepted values in words: "1 or more".
  std::string expected() const;
  /// Returns the default, or the value that was set: "1e-06". Returns an empty text if there is none.
  std::string text() const;

  /// Sets an integer or a vertex, if it is in range. Returns whether it is.
  bool set(std::uint64_t x) const;
  /// Sets a real, if it is in range. Returns whether it is.
  bool set(double x) const;
  /// Sets a flag.
  void set(bool x) const { *std::get<bool*>(value) = x; }

  /// Sets the values of all vertices, if they are finite and 0 or more, and one is positive. Returns whether
  /// they are. An empty list is accepted.
  bool set(vertex_values all) const;
  /// Sets a list of vertices in the layout of vertex_list.
  void set(std::vector<vertex_id> vertices) const {
    vertex_list& list = *std::get<vertex_list*>(value);
    list.vertices = std::move(vertices);
    list.is_given = true;
  }

  /// Sets a folder, if its name is not empty. Returns whether it is not.
  bool set(std::string folder) const {
    *std::get<std::string*>(value) = std::move(folder);
    return !std::get<std::string*>(value)->empty();
  }

  /// Chooses a name. Returns whether it exists.
  bool pick(std::string_view wanted) const;

  /// Makes it an argument of Python's method, too. The order of these calls is the order of the arguments.
  parameter& of_python(std::string_view argument, std::string_view more = {},
                       std::string_view fallback = {}) {
    python = python_parameter{argument, more, fallback};
    return *this;
  }
  /// Adds other spellings of the option: "-s".
  parameter& also(std::string_view others) {
    spellings = others;
    return *this;
  }
  /// Makes it a required positional argument of the command.
  parameter& as_argument() {
    is_argument = true;
    return *this;
  }
  /// Hides it from the program's options.
  parameter& not_in_program() {
    in_program = false;
    return *this;
  }
};

/// The parameters of a question. References to them stay valid.
class parameter_list {
 public:
  /// Declares an integer of at least `least`.
  parameter& whole(std::string_view name, parameter::place target, std::string_view help,
                   std::uint64_t least = 0, std::string_view type = "N") {
    return all_.emplace_back(parameter{name, type, help, target, least});
  }
  /// Declares a real.
  parameter& real(std::string_view name, parameter::place target, const real_range& range,
                  std::string_view help, std::string_view type = "X") {
    return all_.emplace_back(parameter{name, type, help, target, 0, range});
  }
  /// Declares a flag.
  parameter& flag(std::string_view name, bool* target, std::string_view help) {
    return all_.emplace_back(parameter{name, "", help, target});
  }
  /// Declares a choice among names.
  parameter& one_of(std::string_view name, choice* target, std::string_view help,
                    std::string_view type = "NAME") {
    return all_.emplace_back(parameter{name, type, help, target});
  }
  /// Declares a vertex, which is given by its label.
  parameter& vertex(std::string_view name, std::optional<vertex_id>* target, std::string_view help) {
    return all_.emplace_back(parameter{name, "V", help, target});
  }

  /// Declares a value for each vertex. The program reads them from a file of vertices and values.
  parameter& values(std::string_view name, vertex_values* target, std::string_view help) {
    return all_.emplace_back(parameter{name, "FILE", help, target});
  }
  /// Declares a list of vertices, or of pairs.
  parameter& list(std::string_view name, vertex_list* target, std::string_view help) {
    return all_.emplace_back(parameter{name, "FILE", help, target});
  }
  /// Declares the name of a folder.
  parameter& folder(std::string_view name, std::string* target, std::string_view help) {
    return all_.emplace_back(parameter{name, "DIR", help, target});
  }

  /// Returns all parameters, in the order in which they were declared.
  const std::deque<parameter>& all() const { return all_; }
  /// Returns the parameter of that name, or null.
  const parameter* find(std::string_view name) const;

 private:
  std::deque<parameter> all_;
};

}  // namespace gossamer::graph
