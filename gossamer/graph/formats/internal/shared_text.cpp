// Reads edges on all processes, each its block, and numbers their vertices, with the same result as in one
// process (number_edges.hpp). Edges stay in the process that read them until they are exchanged
// (process_rows.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"
#include "gossamer/graph/formats/internal/shared_load.hpp"
#include "gossamer/graph/formats/internal/vertex_list.hpp"
#include "gossamer/graph/ingest/internal/number_edges.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/interrupt.hpp"

namespace gossamer::graph {
namespace {

// Parameters for every process. Trivially copyable.
struct reading {
  direction how = direction::by_input;
  label_mode vertices = label_mode::by_input;
  header_mode header = header_mode::by_input;
  char separator = '\0';
  bool comments = true;
  bool quotes = true;
  bool matrix = false;
  weight_use weights = weight_use::counted;
  duplicate_rule duplicates = duplicate_rule::min;
};

struct read_facts {
  bool problem = false, names = false, zeros = false;  // text_problem
  std::uint64_t position = 0;
};

struct edge_facts {
  std::uint64_t count = 0, weights = 0, highest = 0;
  bool wide = false;
  line_counts counts;
  weight_facts kept;
};

// The state of a process that reads a text.
struct text_block {
  files::input_files input;         // one
  std::string columns, nulls;       // from the options, each with a line end
  load_options options;             // progress: process 0 only
  matrix_header header;
  text_options text;
  std::unique_ptr<text_reader> reader;
  text_problem problem;
  std::vector<read_facts> read;     // by process
  text_edges edges;
  std::vector<edge_facts> found;    // by process
};

using text_blocks = per_process<text_block>;

// Reading ----------------------------------------------------------------------------------------------

std::vector<std::string> split_lines(std::string_view lines) {
  std::vector<std::string> all;
  for (; !lines.empty(); lines.remove_prefix(all.back().size() + 1))
    all.emplace_back(lines.substr(0, lines.find('\n')));
  return all;
}

void open_block(text_block& mine, const reading& what) {
  mine.options.how = what.how;
  mine.options.vertices = what.vertices;
  mine.options.weights = what.weights;
  mine.options.duplicates = what.duplicates;
  mine.options.table = {.header = what.header,
                        .columns = split_lines(mine.columns),
                        .separator = what.separator,
                        .quotes = what.quotes,
                        .comments = what.comments,
                        .nulls = split_lines(mine.nulls)};
  text_options& text = mine.text;
  text.block = process();
  text.blocks = processes();
  text.positions = true;
  text.weights = keeps_weights(mine.options);
  text.in_order = text.weights && depends_on_order(mine.options.duplicates);
  text.progress = mine.options.progress;
  text_block* const own = &mine;
  if (what.matrix)
    text.begin = [own](std::string_view beginning, bool whole) {
      return begin_matrix_market(beginning, whole, own->input[0].name(), own->header, own->options.weights);
    };
  else
    text.begin = [own](std::string_view beginning, bool whole) {
      return begin_edge_list(beginning, whole, own->input[0].name(), own->options);
    };
  mine.reader = std::make_unique<text_reader>(mine.input[0], text);
}

// Stores problems until all blocks are scanned: the first one of the text is reported.
void scan_block(text_block& mine, bool names) {
  try {
    mine.problem = mine.reader->scan(names);
  } catch (const std::exception& e) {
    mine.problem = {};
    mine.problem.found = true;
    mine.problem.message = e.what();
  }
  mine.read = all_gather_processes(
      read_facts{mine.problem.found, mine.problem.names, mine.problem.zeros, mine.problem.position});
}

// Returns the process with the first problem in the text, or processes().
unsigned first_with_problem(const std::vector<read_facts>& all) {
  unsigned first = processes();
  for (unsigned p = 0; p < all.size(); ++p)
    if (all[p].problem && (first == processes() || all[p].position < all[first].position)) first = p;
  return first;
}

void collect_block(text_block& mine) {
  const uninterrupted collective;
  mine.edges = mine.reader->collect();
  mine.reader.reset();
  mine.found = all_gather_processes(edge_facts{mine.edges.count, mine.edges.weighted, mine.edges.highest,
                                               !mine.edges.wide.empty(), mine.edges.counts,
                                               facts_of(mine.edges.chunks)});
  weight_facts kept;
  for (const edge_facts& f : mine.found) kept += f.kept;
  if (mine.options.weights != weight_use::counted) place_weights(mine.edges, kept, mine.options.duplicates);
}

// Reads all blocks, and reads them as names if `names`.
void read_blocks(text_blocks state, const std::string& path, const reading& what, const load_options& options,
                 bool names = false) {
  text_block& here = state.here();
  here.options.progress = options.progress;
  for (const std::string& column : options.table.columns) here.columns += column + '\n';
  for (const std::string& null : options.table.nulls) here.nulls += null + '\n';
  files::open_files(state, &text_block::input, {path}, files::file_contents::numbers);
  share_text(state, &text_block::columns);
  share_text(state, &text_block::nulls);
  on_all_processes([state, what] { open_block(state.here(), what); });
  bool zeros = false;
  for (;; names = true) {
    on_all_processes([state, names] { scan_block(state.here(), names); });
    const unsigned p = first_with_problem(here.read);
    if (p == processes()) break;
    if (here.read[p].names && !names) {
      zeros = here.read[p].zeros;
      continue;
    }
    on_all_processes([state, p] {
      if (process() == p) throw error(state.here().problem.message);
    });
  }
  on_all_processes([state] { collect_block(state.here()); });
  if (zeros) here.edges.notes.emplace_back(k_zeros_note);
}

edge_facts all_of(const std::vector<edge_facts>& facts) {
  edge_facts all;
  for (const edge_facts& f : facts) {
    all.count += f.count;
    all.weights += f.weights;
    all.highest = std::max(all.highest, f.highest);
    all.wide |= f.wide;
    all.counts += f.counts;
  }
  return all;
}

}  // namespace

graph read_edge_list_over_processes(const std::string& path, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  text_edges listed = read_vertices(options, false);  // by process 0, for all
  scoped_per_process<text_block> state;
  read_blocks(state.handle(), path,
              {.how = options.how,
               .vertices = options.vertices,
               .header = options.table.header,
               .separator = options.table.separator,
               .comments = options.table.comments,
               .quotes = options.table.quotes,
               .weights = options.weights,
               .duplicates = options.duplicates},
              options, listed.named);
  edge_facts all = all_of(state.here().found);
  const bool named = state.here().edges.named;
  if (named && !listed.named) listed = read_vertices(options, true);
  const text_facts facts = state.here().edges;
  check_counted_vertices(options, listed.count, all.highest + facts.left_vertices, path);
  graph_statistics statistics;
  statistics.format = named ? "edge list of names" : "edge list";
  fill_statistics(statistics, facts, all.counts);
  statistics.edges_read = all.count;
  statistics.weights = all.weights;
  statistics.load_seconds = machine::seconds_since(start);

  const std::uint64_t numbering = machine::now_ns();
  scoped_per_process<process_edges> edges;
  on_all_processes([state = state.handle(), edges = edges.handle(), left = facts.left_vertices] {
    edges.here().read = std::move(state.here().edges);
    if (left != 0) move_targets(edges.here().read, left, state.here().input[0].name());
  });
  const std::uint64_t vertices_listed = listed.count;
  statistics.notes.insert(statistics.notes.end(), listed.notes.begin(), listed.notes.end());
  all.highest = std::max(all.highest + facts.left_vertices, listed.highest);
  all.count += vertices_listed;
  all.wide |= !listed.wide.empty();
  add_vertices(edges.here().read, std::move(listed));
  labels names = number_process_edges(edges.handle(), all.count, all.highest, all.wide);
  statistics.build_seconds = machine::seconds_since(numbering);
  scoped_per_process<process_rows> rows;
  on_all_processes([edges = edges.handle(), rows = rows.handle(), rule = options.duplicates] {
    rows.here().blocks = std::move(edges.here().read.edges);
    rows.here().weights = std::move(edges.here().read.weights);
    rows.here().weights.rule = rule;
    rows.here().numbers = std::move(edges.here().present);
  });
  const std::uint64_t vertices = names.size();
  graph g = build_over_processes(rows.handle(), vertices, is_directed(facts, options), std::move(names),
                                 std::move(statistics), options.progress);
  g.statistics().self_loops -= vertices_listed;  // they were read as self-loops
  note_no_header(g, facts);
  return g;
}

graph read_matrix_market_over_processes(const std::string& path, const load_options& options) {
  const std::uint64_t start = machine::now_ns();
  scoped_per_process<text_block> state;
  read_blocks(state.handle(), path,
              {.how = options.how,
               .vertices = options.vertices,
               .matrix = true,
               .weights = options.weights,
               .duplicates = options.duplicates},
              options);
  const matrix_header header = state.here().header;
  const edge_facts all = all_of(state.here().found);
  check_entries(path, header, all.count);
  const bool directed = is_directed(header, options);
  const bool both_arcs = directed && header.symmetric;
  graph_statistics statistics;
  fill_statistics(statistics, header);
  const bool magnitudes = header.skew && !directed && all.weights != 0 &&
                          options.weights != weight_use::counted &&
                          options.duplicates != duplicate_rule::count;
  if (magnitudes) statistics.notes.emplace_back(k_magnitudes_note);
  statistics.edges_read = both_arcs ? 2 * all.count : all.count;
  statistics.weights = all.weights;
  statistics.load_seconds = machine::seconds_since(start);
  scoped_per_process<process_rows> rows;
  on_all_processes([state = state.handle(), both_arcs, magnitudes, rows = rows.handle()] {
    edge_batch& read = state.here().edges;
    const matrix_header& own_header = state.here().header;
    if (magnitudes) take_magnitudes(read.weights);
    if (both_arcs) add_reversed(read, own_header.skew && keeps_weights(state.here().options));
    separate_columns(read.edges, own_header);
    rows.here().blocks = std::move(read.edges);
    rows.here().weights = std::move(read.weights);
    rows.here().weights.rule = state.here().options.duplicates;
  });
  graph g =
      build_over_processes(rows.handle(), header.vertices(), directed, labels::range(header.vertices(), 1),
                           std::move(statistics), options.progress);
  if (both_arcs) count_diagonal_once(g.statistics());
  return g;
}

}  // namespace gossamer::graph
