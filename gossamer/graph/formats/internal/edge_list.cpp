#include "gossamer/graph/formats/internal/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/formats/internal/vertex_list.hpp"
#include "gossamer/graph/ingest/internal/number_edges.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::graph {

weight_rule rule_of(weight_use use) {
  return use == weight_use::counted ? weight_rule::number
         : use == weight_use::kept  ? weight_rule::finite
                                    : weight_rule::length;
}

bool keeps_weights(const load_options& options) {
  return options.weights != weight_use::counted && options.duplicates != duplicate_rule::count;
}

bool is_directed(const text_facts& facts, const load_options& options) {
  return options.how == direction::by_input ? !facts.undirected : options.how == direction::directed;
}

void fill_statistics(graph_statistics& statistics, const text_facts& facts, const line_counts& counts) {
  statistics.header = facts.header;
  statistics.columns = facts.columns;
  statistics.left_out = facts.left_out;
  statistics.notes = facts.notes;
  statistics.comments = facts.comments + counts.comments;
  const auto lines = [](std::uint64_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  if (counts.comments != 0)
    statistics.notes.push_back(lines(counts.comments, "line behind the first edge is a comment",
                                     "lines behind the first edge are comments") +
                               ": --no-comments reads them");
  if (counts.whole != 0)
    statistics.notes.push_back(lines(counts.whole, "edge has an id", "edges have ids") +
                               " such as 1e+05 or 7.0, read as integers: --labels keeps them as names");
  if (counts.missing != 0)
    statistics.notes.push_back(
        lines(counts.missing, "edge without a vertex is", "edges without a vertex are") +
        " left out, as --null says");
}

void note_no_header(graph& g, const text_facts& facts) {
  const graph_view view = g.view();
  if (!facts.has_no_header || view.edges() < 3 || view.vertices < 4) return;
  const bool alone = view.directed ? view.out.degree(0) == 1 && view.in.degree(0) == 0 &&
                                         view.out.degree(1) == 0 && view.in.degree(1) == 1
                                   : view.out.degree(0) == 1 && view.out.degree(1) == 1;
  if (alone)
    g.statistics().notes.push_back(fmt::format(
        "no header was found, so {} and {} of the first line are vertices: --header takes it for one",
        in_quotes(g.names().label(0)), in_quotes(g.names().label(1))));
}

graph read_edge_list(const io::text_file& file, text_options text, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  text.begin = [&](std::string_view beginning, bool whole) {
    return begin_edge_list(beginning, whole, file.name(), options);
  };
  text_edges vertices = read_vertices(options, false);
  text.names = vertices.named;
  text.weights = keeps_weights(options);
  text_edges edges = read_text(file, text);
  if (edges.named && !vertices.named) vertices = read_vertices(options, true);
  const text_facts facts = edges;
  if (options.weights != weight_use::counted)
    place_weights(edges, facts_of(edges.chunks), options.duplicates);
  if (facts.left_vertices != 0) {
    move_targets(edges, facts.left_vertices, file.name());
    edges.highest += facts.left_vertices;
  }
  check_counted_vertices(options, vertices.count, edges.highest, file.name());
  graph_statistics statistics;
  statistics.format = edges.named ? "edge list of names" : "edge list";
  fill_statistics(statistics, facts, edges.counts);
  statistics.edges_read = edges.count;
  statistics.weights = edges.weighted;
  const std::uint64_t listed = vertices.count;
  statistics.notes.insert(statistics.notes.end(), vertices.notes.begin(), vertices.notes.end());
  add_vertices(edges, std::move(vertices));
  statistics.load_seconds = machine::seconds_since(start);
  const std::uint64_t numbering = machine::now_ns();
  numbered_edges numbered = number_edges(std::move(edges));
  statistics.build_seconds = machine::seconds_since(numbering);
  numbered.weights.rule = options.duplicates;
  graph g = build({.blocks = std::move(numbered.edges),
                   .weights = std::move(numbered.weights),
                   .vertices = numbered.names.size(),
                   .directed = is_directed(facts, options),
                   .only_present = numbered.only_present},
                  std::move(numbered.names), std::move(statistics), options.progress);
  g.statistics().self_loops -= listed;  // they were read as self-loops
  note_no_header(g, facts);
  return g;
}

}  // namespace gossamer::graph
