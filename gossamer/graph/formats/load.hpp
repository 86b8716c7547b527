#pragma once
// Makes a graph from a source: the entry point for programs.
// A source is a file or the name of a generated graph, such as `kron:SCALE[:EDGEFACTOR]` and `grid:ROWSxCOLUMNS@1..255`. Files: text edge
// lists (plain or compressed) and JSON lines, Matrix Market, DIMACS, METIS, Pajek, GAP .sg and .wsg, and the native format. Their
// content decides the format, not their name.
// All functions are called by one fiber inside run(), and use all cores.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// Whether edges have a direction. `by_input`: text edge lists, general matrices and DIMACS are directed,
/// unless the text says otherwise ("% sym", "# Undirected", a column Type). Symmetric matrices, METIS and
/// generated graphs are undirected. Pajek, .sg and native files declare it. `undirected` reads every edge in
/// both directions. `directed` keeps arcs as they are written; each entry of a symmetric matrix gives both
/// arcs.
enum class direction : std::uint8_t { by_input, directed, undirected };

/// Whether vertices are numbers or names. `by_input`: integers, unless any vertex is no integer, or begins with a zero as "007" (1e+05 is
/// an integer). `integers`: a name is an error, and 007 is 7. `names`: every vertex is a name, also "-3".
enum class label_mode : std::uint8_t { by_input, integers, names };

/// Whether a text has a header. `by_input`: the first line that is neither blank nor a comment is a header in
/// four cases. Its first field is empty (a table written with its index). It has usual names of edge columns
/// ("source", "dst", "weight", ...). It has no integers and the next lines do. Or, of the first lines, only
/// its third field is no number. `present`, `absent`: as the caller says.
enum class header_mode : std::uint8_t { by_input, present, absent };

/// The treatment of weights. `counted`: they are checked and counted, and take no memory. `kept`: the graph
/// keeps them if all edges have one; they must be finite. 32-bit integers keep their type, others become
/// double. `lengths`: kept, and none may be negative. load_options::duplicates chooses the weight of parallel
/// edges. `capacities`: as lengths, but weights of parallel edges of a text, or of a serialized graph, are
/// added up, whatever load_options::duplicates says. Native files have fixed weights.
enum class weight_use : std::uint8_t { counted, kept, lengths, capacities };

/// The layout of a text edge list.
struct table_options {
  /// Whether the first line names the columns.
  header_mode header = header_mode::by_input;
  /// Source, target and optionally weight: names from the header, or numbers from 1; keys of JSON lines.
  /// Empty: the columns with usual names, otherwise the first two or three (after an index).
  std::vector<std::string> columns = {};
  char separator = '\0';  // '\0': inferred from the first line; ' ': any number of spaces and tabs
  bool quotes =
      true;  // a field that begins with a double quote ends with one (RFC 4180); else quotes are ordinary characters
  /// Whether lines that begin with #, % or // are comments. Before the first edge always; among integers
  /// everywhere; among names only if the marker is a separate field.
  bool comments = true;
  /// Texts for a missing vertex or weight. Edges without a vertex are skipped, and counted.
  std::vector<std::string> nulls = {};
  std::string vertices = {};  // a file of vertices, one per line: the graph also has those without edges
};

/// The options of reading or generating a graph.
struct load_options {
  /// Whether edges have a direction.
  direction how = direction::by_input;
  /// Whether vertices are numbers or names.
  label_mode vertices = label_mode::by_input;
  /// The treatment of weights.
  weight_use weights = weight_use::counted;
  /// The weight of parallel edges. Other rules than `min` apply to texts only. `sum` makes doubles; a sum
  /// beyond them is an error. `count` is the number of lines with the edge, with or without weights. Each
  /// direction of an undirected edge counts.
  duplicate_rule duplicates = duplicate_rule::min;
  /// Whether a file has Graph500's packed edges: 12 bytes each, without a magic number. They are undirected.
  bool packed_edges = false;
  /// The layout of tables.
  table_options table = {};
  std::uint64_t seed = 1;  // of generators
  /// Reports phases "reading", "building", ...; done and total in bytes or edges. Called on core 0 only, about once per
  /// megabyte. Unlike other hooks it must neither throw nor suspend.
  progress_hook progress = {};
};

/// Reads or generates a graph. Suspends until all cores are done. The same source gives the same ids on any
/// number of cores. Throws gossamer::error: one line with file, line number, what was expected and what was
/// found; for a text, the first bad line of the file on any number of cores. Predicts the memory, and throws
/// if it exceeds the available memory.
graph load(const std::string& source, const load_options& options = {});

/// Loads as load() does, divided over several processes; works with one as well. Every process reads a block
/// of the edges, sends them to the owners of their rows, and builds its own rows. No process ever has all
/// rows. While ids are numbered, each process has only arrays of vertex size; the labels are in process 0.
/// Each process decompresses a compressed text. Every process must be able to read the files, so pipes do not
/// work.
graph load_shared(const std::string& source, const load_options& options = {});

/// The memory that reading or generating a graph takes.
struct memory_estimate {
  std::uint64_t peak_bytes = 0;  // the largest amount at once, while loading and building
  std::uint64_t graph_bytes = 0;  // the graph itself
};

/// Estimates the memory that load() needs in each process, from the file's size and a sample of it, or from the
/// generator's scale.
memory_estimate estimate_memory(const std::string& source, const load_options& options = {});

/// Returns true for `kron:...`, `uniform:...` and the other names of generated graphs.
bool is_generator(std::string_view source);

}  // namespace gossamer::graph
