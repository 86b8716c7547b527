#include "questions.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/graph/questions/question.hpp"
#include "numbers.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {
namespace {

/// Returns what people call a parameter in Python.
std::string name_of(const graph::parameter& p) { return std::string(p.python ? p.python->name : p.name); }

[[noreturn]] void refuse(const graph::parameter& p, nb::handle value) {
  const std::string shown = nb::cast<std::string>(nb::repr(value));
  throw nb::value_error(fmt::format("{}: expected {}, found {}", name_of(p), p.expected(), shown).c_str());
}

[[noreturn]] void refuse_type(const graph::parameter& p, nb::handle value, const char* expected) {
  PyErr_Clear();
  const std::string shown = nb::cast<std::string>(nb::repr(value));
  throw nb::type_error(fmt::format("{}: expected {}, found {}", name_of(p), expected, shown).c_str());
}

/// Returns an array of numbers as values of vertices. The package makes such arrays of what its callers give.
graph::vertex_values values_in(nb::handle value) {
  const auto all = span_of(nb::cast<numbers_of<const double>>(value));
  return {all.begin(), all.end()};
}

void set(const graph::parameter& p, nb::handle value) {
  if (p.is_vertex_values()) {
    if (!p.set(values_in(value)))
      throw nb::value_error(fmt::format("{}: expected {}", name_of(p), p.expected()).c_str());
    return;
  }
  if (p.is_list()) {
    const auto vertices = nb::cast<std::vector<std::uint64_t>>(value);
    return p.set(std::vector<graph::vertex_id>(vertices.begin(), vertices.end()));
  }
  if (p.is_folder()) {
    const nb::object path = nb::steal(PyOS_FSPath(value.ptr()));
    if (!path.is_valid() || !nb::isinstance<nb::str>(path)) refuse_type(p, value, "a path");
    if (!p.set(nb::cast<std::string>(path))) refuse(p, value);
    return;
  }
  if (p.is_flag()) {
    const int is_set = PyObject_IsTrue(value.ptr());
    if (is_set < 0) throw nb::python_error();
    return p.set(is_set == 1);
  }
  if (p.is_choice()) {
    if (!nb::isinstance<nb::str>(value)) refuse_type(p, value, "a text");
    if (!p.pick(nb::cast<std::string>(value))) refuse(p, value);
    return;
  }
  if (p.is_real()) {
    const double x = PyFloat_AsDouble(value.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) refuse_type(p, value, "a number");
    if (!p.set(x)) refuse(p, value);
    return;
  }
  const nb::object whole = nb::steal(PyNumber_Index(value.ptr()));
  if (!whole.is_valid()) refuse_type(p, value, "a whole number");
  const unsigned long long x = PyLong_AsUnsignedLongLong(whole.ptr());
  const bool fits = PyErr_Occurred() == nullptr;
  PyErr_Clear();
  if (!fits && whole > nb::int_(0)) {
    const std::string shown = nb::cast<std::string>(nb::repr(value));
    throw nb::value_error(
        fmt::format("{}: expected at most {}, found {}", name_of(p), ~std::uint64_t{0}, shown).c_str());
  }
  if (!fits || !p.set(std::uint64_t{x})) refuse(p, value);
}

nb::dict dict_of_facts(const graph::facts& known);

nb::object object_of(const graph::fact& known) {
  return std::visit(
      [](const auto& value) -> nb::object {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, graph::vertex_value>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, std::vector<graph::vertex_value>>) {
          nb::list vertices;
          for (const graph::vertex_value& each : value) vertices.append(std::uint64_t{each.vertex});
          return vertices;
        } else if constexpr (std::is_same_v<T, graph::histogram>) {
          nb::dict counts;
          for (const auto& [of, count] : value.bins) counts[nb::int_(of)] = count;
          return counts;
        } else if constexpr (std::is_same_v<T, std::vector<graph::facts>>) {
          nb::list all;
          for (const graph::facts& each : value) all.append(dict_of_facts(each));
          return all;
        } else {
          return nb::cast(value);
        }
      },
      known.value);
}

/// Returns facts by name, but for vertices: a caller knows their labels better.
nb::dict dict_of_facts(const graph::facts& known) {
  nb::dict all;
  for (const graph::fact& each : known)
    if (!std::holds_alternative<graph::vertex_value>(each.value)) all[each.key.c_str()] = object_of(each);
  return all;
}

nb::object array_of_column(graph::vertex_column&& values) {
  return std::visit(
      [&](auto&& all) -> nb::object {
        using T = typename std::remove_cvref_t<decltype(all)>::value_type;
        if constexpr (std::is_same_v<T, double>)
          return array_of<double>(std::move(all));
        else if constexpr (std::is_same_v<T, std::uint64_t> && !std::is_same_v<T, graph::vertex_id>)
          return array_of<std::int64_t>(std::move(all));  // what is unreached is -1
        else if (values.has_gaps || values.form == graph::vertex_column::kind::vertices)
          return signed_array_of(std::move(all));
        else
          return array_of<std::int64_t>(std::vector<std::int64_t>(all.begin(), all.end()));
      },
      std::move(values.values));
}

nb::dict describe(const graph::parameter& p) {
  nb::dict d;
  d["name"] = p.name;
  d["argument"] = p.python ? nb::cast(p.python->name) : nb::none();
  d["help"] = p.help;
  d["more"] = p.python ? p.python->help : std::string_view();
  d["kind"] = p.is_flag()     ? "flag"
              : p.is_list()   ? std::get<graph::vertex_list*>(p.value)->each == 2 ? "pairs" : "vertices"
              : p.is_vertex() ? "vertex"
              : p.is_vertex_values() ? "values"
              : p.is_real()          ? "real"
              : p.is_choice()        ? "choice"
              : p.is_folder()        ? "folder"
                                     : "whole";
  d["optional"] = p.is_optional();
  d["expected"] = p.is_flag() || p.is_vertex() || p.is_list() || p.is_folder() ? std::string() : p.expected();
  const bool has_own = !p.python || p.python->fallback.empty();
  d["default"] = has_own ? p.text() : std::string(p.python->fallback);
  return d;
}

nb::dict describe(graph::question& asked) {
  const graph::question_text& text = asked.text();
  graph::parameter_list parameters;
  asked.declare(parameters);
  nb::dict d;
  d["name"] = text.name;
  d["summary"] = text.summary;
  d["definition"] = text.definition;
  d["undirected"] = text.is_undirected;
  d["either_way"] = text.takes_either_way;
  d["lengths"] = text.weights == graph::weight_use::lengths || text.weights == graph::weight_use::capacities;
  nb::list all_parameters, columns, methods, functions;
  for (const graph::parameter& p : parameters.all()) all_parameters.append(describe(p));
  for (const auto& each : text.columns) columns.append(nb::make_tuple(each.name, each.help));
  for (const auto& m : text.methods) {
    nb::dict method;
    method["name"] = m.name;
    method["column"] = m.column;
    method["type"] = m.type;
    method["summary"] = m.summary;
    method["returns"] = m.returns;
    method["fact"] = m.fact.empty() ? nb::none() : nb::cast(m.fact);
    methods.append(method);
  }
  for (const auto& f : text.networkx) {
    nb::dict function;
    function["name"] = f.name;
    function["parameters"] = f.parameters;
    function["column"] = f.column;
    function["loops_matter"] = f.loops_matter;
    functions.append(function);
  }
  d["parameters"] = all_parameters;
  d["columns"] = columns;
  d["methods"] = methods;
  d["networkx"] = functions;
  return d;
}

nb::list questions() {
  nb::list all;
  for (const auto make : graph::questions()) all.append(describe(*make()));
  return all;
}

}  // namespace

nb::tuple ask(const graph_object& g, const std::string& question, const nb::dict& given) {
  struct asked_question {
    std::unique_ptr<graph::question> one;
    graph::parameter_list parameters;
  };
  const auto asked = std::make_shared<asked_question>();
  asked->one = graph::make_question(question);
  if (asked->one == nullptr) throw nb::value_error(("there is no question " + question).c_str());
  asked->one->declare(asked->parameters);
  for (const auto& [name, value] : given) {
    const graph::parameter* const p = asked->parameters.find(nb::cast<std::string>(name));
    if (p == nullptr) throw nb::key_error(nb::cast<std::string>(name).c_str());
    if (value.is_none()) continue;
    std::vector<std::uint64_t> vertices;
    if (p->is_vertex()) vertices.push_back(nb::cast<std::uint64_t>(value));
    if (p->is_list()) vertices = nb::cast<std::vector<std::uint64_t>>(value);
    if (std::ranges::any_of(vertices, [&](std::uint64_t v) { return v >= g.view().vertices; }))
      throw nb::index_error("expected a vertex of the graph");
    if (p->is_vertex_values())
      check_lengths("vertices", g.view().vertices, "values", values_in(value).size());
    set(*p, value);
  }
  struct found {
    graph::facts known;
    double seconds = 0;
    std::string shortfall;
    std::vector<graph::vertex_column> columns, rows;
  };
  found f = call([owned = g.owned, asked](const graph::progress_hook& hook) {
    graph::answer a = asked->one->ask(owned->get(), {.progress = hook});
    found all{std::move(a.known), a.seconds, std::move(a.shortfall),
              a.columns ? a.columns() : std::vector<graph::vertex_column>(),
              a.rows ? a.rows() : std::vector<graph::vertex_column>()};
    if (a.forget) a.forget();
    return all;
  });
  nb::dict stats = dict_of_facts(f.known);
  stats["seconds"] = f.seconds;
  const nb::object shortfall = f.shortfall.empty() ? nb::none() : nb::cast(f.shortfall);
  if (!f.rows.empty()) {
    const std::vector<std::string> names = asked->one->row_names();
    nb::dict rows;
    for (std::size_t c = 0; c < names.size(); ++c)
      rows[names[c].c_str()] = array_of_column(std::move(f.rows[c]));
    return nb::make_tuple(rows, stats, shortfall);
  }
  nb::list columns;
  for (graph::vertex_column& each : f.columns) columns.append(array_of_column(std::move(each)));
  return nb::make_tuple(columns, stats, shortfall);
}

void bind_questions(nb::module_& m) {
  m.def("questions", &questions, "Describe the questions that ask() takes.");
}

}  // namespace gossamer::python
