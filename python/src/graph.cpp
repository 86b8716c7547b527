// The class _core.Graph: a graph of the library, what is known of it, and the algorithms on it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "arrow_graph.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gossamer/graph/algorithms/bellman_ford.hpp"
#include "gossamer/graph/algorithms/betweenness.hpp"
#include "gossamer/graph/algorithms/closeness.hpp"
#include "gossamer/graph/algorithms/condensation.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/algorithms/strong.hpp"
#include "gossamer/graph/algorithms/truss.hpp"
#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/machine/memory.hpp"
#include "owned_graph.hpp"
#include "questions.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gossamer::python {

graph::id_column column_of(const any_column& ids, const char* name) {
  using type = graph::id_column::type;
  graph::id_column column{ids.data(), ids.size(), ids.size() > 1 ? ids.stride(0) : 1};
  const auto is = [&](nb::dlpack::dtype t) { return ids.dtype() == t; };
  if (is(nb::dtype<std::int32_t>()))
    column.kind = type::int32;
  else if (is(nb::dtype<std::uint32_t>()))
    column.kind = type::uint32;
  else if (is(nb::dtype<std::int64_t>()))
    column.kind = type::int64;
  else if (is(nb::dtype<std::uint64_t>()))
    column.kind = type::uint64;
  else
    throw nb::type_error((std::string(name) + ": expected integers of 32 or 64 bits").c_str());
  return column;
}

namespace {

/// Returns weights as the library takes them; none where there is no array.
graph::weight_column weights_of(const std::optional<any_column>& weights) {
  if (!weights) return {};
  graph::weight_column column{weights->data(), weights->size(), weights->size() > 1 ? weights->stride(0) : 1,
                              graph::weight_type::none};
  const auto is = [&](nb::dlpack::dtype t) { return weights->dtype() == t; };
  if (is(nb::dtype<std::int32_t>()))
    column.kind = graph::weight_type::int32;
  else if (is(nb::dtype<std::uint32_t>()))
    column.kind = graph::weight_type::uint32;
  else if (is(nb::dtype<float>()))
    column.kind = graph::weight_type::float32;
  else if (is(nb::dtype<double>()))
    column.kind = graph::weight_type::float64;
  else
    throw nb::type_error("weights: expected integers of 32 bits, float or double");
  return column;
}

using graph::vertex_id;
/// Returns what Python has encoded: labels and names of files may be any bytes.
std::string_view bytes_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

/// Calls make(hook), which returns a graph, on the main fiber.
template <class F>
graph_object make_graph(F make, when_interrupted then = when_interrupted::waits) {
  return call(
      [make = std::move(make)](const graph::progress_hook& hook, runtime& in) {
        return graph_object{std::make_shared<const owned_graph>(make(hook), in)};
      },
      then);
}

graph_object load(const nb::bytes& source, std::optional<bool> directed, std::optional<bool> labels,
                  std::optional<bool> header, const std::vector<nb::bytes>& columns,
                  const std::string& separator, bool comments, bool quotes,
                  const std::vector<nb::bytes>& nulls, const nb::bytes& vertices, std::uint64_t seed,
                  bool weights, unsigned duplicates) {
  graph::load_options how;
  if (weights) how.weights = graph::weight_use::kept;
  if (directed) how.how = *directed ? graph::direction::directed : graph::direction::undirected;
  if (labels) how.vertices = *labels ? graph::label_mode::names : graph::label_mode::integers;
  if (header) how.table.header = *header ? graph::header_mode::present : graph::header_mode::absent;
  for (const nb::bytes& each : columns) how.table.columns.emplace_back(bytes_of(each));
  if (!separator.empty()) how.table.separator = separator[0];
  how.table.comments = comments;
  how.table.quotes = quotes;
  how.table.vertices = bytes_of(vertices);
  for (const nb::bytes& each : nulls) how.table.nulls.emplace_back(bytes_of(each));
  how.seed = seed;
  how.duplicates = static_cast<graph::duplicate_rule>(duplicates);
  return make_graph([source = std::string(bytes_of(source)),
                     how](const graph::progress_hook&) { return graph::load(source, how); },
                    when_interrupted::leaves);
}

graph_object from_edges(const any_column& sources, const any_column& targets, bool directed,
                        std::optional<std::uint64_t> vertices, bool compact,
                        const std::optional<any_column>& weights) {
  const auto from = column_of(sources, "sources"), to = column_of(targets, "targets");
  const graph::from_edges_options how{
      .directed = directed, .vertices = vertices, .compact = compact, .weights = weights_of(weights)};
  return make_graph(
      [from, to, how](const graph::progress_hook& hook) { return graph::from_edges(from, to, how, hook); });
}

graph_object from_arrow(const arrow_table& table, std::size_t source, std::size_t target, bool directed,
                        bool compact, const std::optional<any_column>& weights) {
  if (source >= table.columns() || target >= table.columns())
    throw nb::index_error("expected a column of the table");
  const graph::from_edges_options how{
      .directed = directed, .vertices = {}, .compact = compact, .weights = weights_of(weights)};
  return make_graph([&table, source, target, how](const graph::progress_hook& hook) {
    return graph_of_arrow(table.column(source), table.column(target), how, hook);
  });
}

graph_object undirected(const graph_object& g, std::optional<unsigned> duplicates) {
  if (!g.view().directed) return g;
  std::optional<graph::duplicate_rule> rule;
  if (duplicates) rule = static_cast<graph::duplicate_rule>(*duplicates);
  return make_graph([owned = g.owned, rule](const graph::progress_hook& hook) {
    return graph::undirected_copy(owned->get(), rule, hook);
  });
}

/// Returns the graph with every edge turned round. Costs nothing: the rows of both ways are there, and the original keeps them.
graph_object reversed(const graph_object& g) {
  graph::graph_view view = g.view();
  std::swap(view.out, view.in);
  return {std::make_shared<const owned_graph>(graph::graph(view, g.all().names(), g.all().statistics(), {}),
                                              g.owned)};
}

std::string label_kind(const graph_object& g) {
  switch (g.all().names().form()) {
    case graph::labels::kind::range:
      return "range";
    case graph::labels::kind::integers:
      return "integers";
    case graph::labels::kind::strings:
      break;
  }
  return "strings";
}

void check_vertex(const graph_object& g, std::uint64_t v) {
  if (v >= g.view().vertices) throw nb::index_error("expected a vertex of the graph");
}

nb::object label(const graph_object& g, std::uint64_t v) {
  check_vertex(g, v);
  const graph::labels& names = g.all().names();
  switch (names.form()) {
    case graph::labels::kind::range:
      return nb::int_(names.first() + v);
    case graph::labels::kind::integers:
      return nb::int_(names.values()[v]);
    case graph::labels::kind::strings:
      break;
  }
  return text_of(names.label(static_cast<vertex_id>(v)));
}

/// Returns all labels: an array of integers, or a list of texts.
nb::object labels(const graph_object& g) {
  const graph::labels& names = g.all().names();
  if (names.form() == graph::labels::kind::integers) {
    return array_of<std::uint64_t>(std::vector<std::uint64_t>(names.values().begin(), names.values().end()));
  }
  if (names.form() == graph::labels::kind::range) {
    std::vector<std::uint64_t> all(names.size());
    for (std::uint64_t v = 0; v < all.size(); ++v) all[v] = names.first() + v;
    return array_of<std::uint64_t>(std::move(all));
  }
  nb::list all;
  for (std::uint64_t v = 0; v < names.size(); ++v) all.append(label(g, v));
  return all;
}

/// Copies of the rows that several processes have.
struct gathered_rows {
  std::vector<std::uint64_t> offsets;
  std::vector<vertex_id> targets;
  std::vector<std::byte> weights;
};

enum class gathered : std::uint8_t { offsets, targets, weights };

gathered_rows gather(const graph_object& g, bool incoming, gathered what) {
  return call([owned = g.owned, incoming, what](const graph::progress_hook& hook) {
    constexpr std::uint64_t k_at_once = std::uint64_t{1} << 20;
    const graph::graph_view view = owned->get().view();
    graph::remote_row_cache cache(view, incoming ? view.in : view.out);
    gathered_rows all;
    all.offsets.assign(cache.offsets(), cache.offsets() + view.vertices + 1);
    if (what == gathered::offsets) return all;
    const std::uint64_t bytes = graph::weight_bytes(view.weights);
    machine::require_memory(view.arcs * (what == gathered::targets ? sizeof(vertex_id) : bytes),
                            "a copy of all rows in process 0");
    for (std::uint64_t at = 0; at < view.arcs; at += k_at_once) {
      const std::uint64_t end = std::min(view.arcs, at + k_at_once);
      if (what == gathered::targets) {
        const vertex_id* const some = cache.arcs(at, end);
        all.targets.insert(all.targets.end(), some, some + (end - at));
      } else {
        const std::byte* const some = cache.weights(at, end);
        all.weights.insert(all.weights.end(), some, some + (end - at) * bytes);
      }
      hook("rows", end, view.arcs);
    }
    return all;
  });
}

/// Returns the offsets of all rows: in one process in place, else as a copy.
nb::object offsets(nb::handle self, bool incoming) {
  const auto& g = nb::cast<const graph_object&>(self);
  const auto view = g.view();
  if (view.process_bounds != nullptr)
    return array_of<std::uint64_t>(gather(g, incoming, gathered::offsets).offsets);
  const graph::adjacency& side = incoming ? view.in : view.out;
  return view_of(side.offsets, side.offsets != nullptr ? view.vertices + 1 : 0, self);
}

/// Returns offsets and targets of all rows: in one process in place, else as copies.
nb::tuple rows(nb::handle self, bool incoming) {
  const auto& g = nb::cast<const graph_object&>(self);
  const auto view = g.view();
  if (view.process_bounds != nullptr) {
    gathered_rows all = gather(g, incoming, gathered::targets);
    return nb::make_tuple(array_of<std::uint64_t>(std::move(all.offsets)),
                          array_of<vertex_id>(std::move(all.targets)));
  }
  const graph::adjacency& side = incoming ? view.in : view.out;
  return nb::make_tuple(offsets(self, incoming), view_of(side.targets, view.arcs, self));
}

/// Returns the weights of all arcs, row after row: in one process in place, else as a copy. None where there are none.
nb::object weights(nb::handle self, bool incoming) {
  const auto& g = nb::cast<const graph_object&>(self);
  const auto view = g.view();
  if (view.weights == graph::weight_type::none) return nb::none();
  return graph::with_weight_type(view.weights, [&]<class Weight>(std::type_identity<Weight>) -> nb::object {
    if (view.process_bounds == nullptr)
      return view_of((incoming ? view.in : view.out).weights_as<Weight>(), view.arcs, self);
    const std::vector<std::byte> bytes = gather(g, incoming, gathered::weights).weights;
    std::vector<Weight> all(view.arcs);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(all.data()));
    return array_of<Weight>(std::move(all));
  });
}

nb::dict origin(const graph_object& g) {
  const graph::graph_statistics& from = g.all().statistics();
  nb::dict d;
  d["format"] = from.format;
  d["header"] = text_of(from.header);
  d["columns"] = text_of(from.columns);
  d["columns_left_out"] = text_of(from.left_out);
  nb::list notes;
  for (const std::string& note : from.notes) notes.append(text_of(note));
  d["notes"] = notes;
  d["comments"] = from.comments;
  d["edges_read"] = from.edges_read;
  d["duplicates"] = from.duplicates;
  d["self_loops"] = from.self_loops;
  d["negative_loops"] = from.negative_loops;
  const bool has_weights = g.view().weights != graph::weight_type::none;
  d["weights"] = graph::name_of(g.view().weights);
  d["weights_ignored"] = has_weights ? std::uint64_t{0} : from.weights;
  d["load_seconds"] = from.load_seconds;
  d["build_seconds"] = from.build_seconds;
  return d;
}

/// Returns (from, to, weight) of the first edge whose weight is no length, or not above 0; None where all are.
std::optional<std::tuple<std::uint64_t, std::uint64_t, double>> bad_length(const graph_object& g,
                                                                           bool above_zero) {
  const auto bad = call([owned = g.owned, above_zero](const graph::progress_hook&) {
    return graph::find_bad_length(owned->get().view(), above_zero);
  });
  if (!bad) return std::nullopt;
  return std::tuple<std::uint64_t, std::uint64_t, double>(bad->from, bad->to, bad->weight);
}

/// Returns the vertices of a negative cycle, which the source reaches where one is given; none where there is no such cycle.
std::vector<std::uint64_t> negative_cycle(const graph_object& g, std::optional<std::uint64_t> source) {
  return call([owned = g.owned, source](const graph::progress_hook& hook) {
    std::optional<graph::vertex_id> from;
    if (source) from = static_cast<graph::vertex_id>(*source);
    const auto cycle = graph::bellman_ford(owned->get().view(), from, hook).cycle;
    return std::vector<std::uint64_t>(cycle.begin(), cycle.end());
  });
}

/// Returns of each vertex how many it reaches, itself included, the sum of their distances, and the largest. Incoming: those that reach it.
nb::tuple distances(const graph_object& g, bool incoming) {
  const auto r = call([owned = g.owned, incoming](const graph::progress_hook& hook) {
    graph::distance_options how;
    if (incoming) how.direction = graph::path_direction::incoming;
    return graph::sum_distances(owned->get().view(), how, hook);
  });
  std::vector<std::int64_t> reached, sums, farthest;
  for (const graph::distance_summary& each : r.distances) {
    reached.push_back(static_cast<std::int64_t>(each.reached));
    sums.push_back(static_cast<std::int64_t>(each.sum));
    farthest.push_back(static_cast<std::int64_t>(each.farthest));
  }
  return nb::make_tuple(array_of<std::int64_t>(std::move(reached)), array_of<std::int64_t>(std::move(sums)),
                        array_of<std::int64_t>(std::move(farthest)));
}

/// Returns what the given sources add to the scores of vertices; of edges as their ends and scores.
nb::object betweenness_from(const graph_object& g, const std::vector<std::uint64_t>& sources, bool weighted,
                            bool edges) {
  std::vector<vertex_id> from;
  for (const std::uint64_t v : sources) {
    check_vertex(g, v);
    from.push_back(static_cast<vertex_id>(v));
  }
  auto r = call([owned = g.owned, from, weighted, edges](const graph::progress_hook& hook) {
    return graph::betweenness(owned->get().view(), from, {.weighted = weighted, .edges = edges}, hook);
  });
  if (!edges) return array_of<double>(std::move(r.scores));
  return nb::make_tuple(signed_array_of(std::move(r.edges.from)), signed_array_of(std::move(r.edges.to)),
                        array_of<double>(std::move(r.edges.scores)));
}

/// Returns the ends of all edges and their scores, from so many sources or all (0), drawn by the seed; and from how many.
nb::tuple edge_betweenness(const graph_object& g, std::uint64_t samples, std::uint64_t seed, bool weighted,
                           bool normalised) {
  auto r = call([owned = g.owned, samples, seed, weighted, normalised](const graph::progress_hook& hook) {
    const graph::graph_view view = owned->get().view();
    auto found = graph::sampled_betweenness(view, samples, seed, {.weighted = weighted, .edges = true}, hook);
    if (normalised)
      for (double& score : found.edges.scores) score *= graph::edge_normalisation(view);
    return found;
  });
  return nb::make_tuple(signed_array_of(std::move(r.edges.from)), signed_array_of(std::move(r.edges.to)),
                        array_of<double>(std::move(r.edges.scores)), r.sources, r.seconds);
}

/// Returns the strong component of each vertex, and their names such that no edge leads from one to a later one.
nb::tuple strong_in_order(const graph_object& g) {
  auto [component, order] = call([owned = g.owned](const graph::progress_hook& hook) {
    const graph::graph_view view = owned->get().view();
    auto found = graph::strong_components(view, hook).component;
    auto names = graph::sinks_first(view, found);
    return std::pair(std::move(found), std::move(names));
  });
  return nb::make_tuple(signed_array_of(std::move(component)), signed_array_of(std::move(order)));
}

/// Returns the strong components by their names in topological order; sources, targets and numbers of the arcs between them.
nb::tuple condensation(const graph_object& g) {
  auto r = call([owned = g.owned](const graph::progress_hook& hook) {
    const graph::graph_view view = owned->get().view();
    return graph::condensation(view, graph::strong_components(view, hook).component, hook);
  });
  return nb::make_tuple(signed_array_of(std::move(r.order)), signed_array_of(std::move(r.from)),
                        signed_array_of(std::move(r.to)), array_of<std::uint64_t>(std::move(r.arcs)));
}

/// Returns the truss number of each edge; edges come by their smaller ends, then by their larger ones.
nb::object edge_truss(const graph_object& g) {
  return signed_array_of(call([owned = g.owned](const graph::progress_hook& hook) {
    return graph::truss_numbers(owned->get().view(), hook).edges;
  }));
}

nb::dict summary_of(const graph_object& g, const graph::degree_summary& d) {
  nb::dict side;
  side["min"] = d.min;
  side["max"] = d.max;
  side["mean"] = d.mean;
  side["median"] = d.median;
  side["max_vertex"] = d.max_vertex == graph::k_no_vertex ? nb::none() : label(g, d.max_vertex);
  side["histogram"] = d.histogram;
  return side;
}

nb::dict degrees(const graph_object& g) {
  const auto r =
      call([owned = g.owned](const graph::progress_hook&) { return graph::degrees(owned->get().view()); });
  nb::dict d;
  d["out"] = summary_of(g, r.out);
  d["in"] = summary_of(g, r.in);
  d["isolated"] = r.isolated;
  return d;
}

void write(const graph_object& g, const nb::bytes& path) {
  (void)call([owned = g.owned, path = std::string(bytes_of(path))](const graph::progress_hook& hook) {
    graph::write(owned->get(), path, hook);
    return true;
  });
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<graph_object>(m, "Graph", "A graph of the library: rows of neighbours and labels.")
      .def_static("load", &load, "source"_a, "directed"_a = nb::none(), "labels"_a = nb::none(),
                  "header"_a = nb::none(), "columns"_a = nb::list(), "separator"_a = "", "comments"_a = true,
                  "quotes"_a = true, "nulls"_a = nb::list(), "vertices"_a = nb::bytes("", 0), "seed"_a = 1,
                  "weights"_a = false, "duplicates"_a = 0, "Read or generate a graph.")
      .def_static("from_edges", &from_edges, "sources"_a, "targets"_a, "directed"_a = true,
                  "vertices"_a = nb::none(), "compact"_a = false, "weights"_a = nb::none(),
                  "Build a graph from two arrays of ids and perhaps one of weights.")
      .def_static("from_arrow", &from_arrow, "table"_a, "source"_a, "target"_a, "directed"_a = true,
                  "compact"_a = false, "weights"_a = nb::none(),
                  "Build a graph from two columns of an Arrow table, given by number, and perhaps weights.")
      .def_prop_ro(
          "vertices", [](const graph_object& g) { return g.view().vertices; }, "How many vertices.")
      .def_prop_ro(
          "edges", [](const graph_object& g) { return g.view().edges(); }, "How many edges.")
      .def_prop_ro(
          "directed", [](const graph_object& g) { return g.view().directed; }, "Whether edges lead one way.")
      .def_prop_ro(
          "memory_bytes", [](const graph_object& g) { return g.all().memory_bytes(); },
          "Bytes of rows and labels.")
      .def_prop_ro("label_kind", &label_kind, "range, integers or strings.")
      .def_prop_ro("origin", &origin, "How the graph came to be.")
      .def("label", &label, "vertex"_a, "Return the label of a vertex.")
      .def("labels", &labels, "Return all labels.")
      .def(
          "find",
          [](const graph_object& g, const nb::bytes& text) -> std::optional<std::uint64_t> {
            return g.all().names().find(bytes_of(text));
          },
          "label"_a, "Return the vertex with a label.")
      .def(
          "nearest",
          [](const graph_object& g, const nb::bytes& text, std::size_t k) {
            nb::list near;
            for (const auto& each : g.all().names().nearest(bytes_of(text), k)) near.append(text_of(each));
            return near;
          },
          "label"_a, "k"_a = 3, "Return labels near a text.")
      .def(
          "rows", [](nb::handle self, bool incoming) { return rows(self, incoming); }, "incoming"_a = false,
          "Return offsets and targets of all rows: in place, or copied from several processes.")
      .def(
          "offsets", [](nb::handle self, bool incoming) { return offsets(self, incoming); },
          "incoming"_a = false, "Return where each row begins: in place, or copied from several processes.")
      .def(
          "weights", [](nb::handle self, bool incoming) { return weights(self, incoming); },
          "incoming"_a = false,
          "Return the weights of all rows as rows() orders them; None if there are none.")
      .def("ask", &ask, "question"_a, "parameters"_a,
           "Return columns, what is known of all, and what the answer lacks: see questions().")
      .def("bad_length", &bad_length, "above_zero"_a = false,
           "Return ends and weight of the first edge whose weight is no length, or not above 0.")
      .def("negative_cycle", &negative_cycle, "source"_a.none(),
           "Return the vertices of a negative cycle, of those that the source reaches if there is "
           "one.")
      .def("undirected", &undirected, "duplicates"_a.none(),
           "Return the graph with every edge read both ways.")
      .def("reversed", &reversed, "Return the graph with every edge turned round, in place.")
      .def("distances", &distances, "incoming"_a,
           "Return of each vertex how many it reaches, the sum of their distances, and the largest.")
      .def("condensation", &condensation,
           "Return the strong components in topological order, and the arcs between them.")
      .def("strong_in_order", &strong_in_order,
           "Return the strong components, and their names, those first that no edge leaves.")
      .def("betweenness_from", &betweenness_from, "sources"_a, "weighted"_a = false, "edges"_a = false,
           "Return what the given sources add: scores, or ends and scores of edges.")
      .def("edge_betweenness", &edge_betweenness, "samples"_a, "seed"_a, "weighted"_a, "normalised"_a,
           "Return ends and scores of edges, from how many sources, and the seconds.")
      .def("edge_truss", &edge_truss, "Return the truss number of each edge, by its smaller end.")
      .def("degrees", &degrees, "Return the degree distributions.")
      .def("write", &write, "path"_a, "Write the graph to a file.");
}

}  // namespace gossamer::python
