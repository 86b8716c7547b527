#pragma once
// From a source to a graph: the one entry that programs use.
// A source is a file (text edge list, plain or compressed, or JSON lines; Matrix Market; DIMACS; METIS; Pajek; GAP .sg and .wsg; the native
// form: told apart by content, not by name) or the name of a generated graph, as `kron:SCALE[:EDGEFACTOR]` and `grid:ROWSxCOLUMNS@1..255`.
// Everything here is called by one fiber inside run() and uses all cores.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/graph/store/graph.hpp"

namespace gossamer::graph {

/// `by_input`: text edge lists and general matrices are directed, unless a text says otherwise ("% sym", "# Undirected",
/// a column Type), and so is DIMACS; symmetric matrices, METIS and generated graphs undirected; Pajek, .sg and native files as they say. `undirected` reads every edge both ways;
/// `directed` keeps arcs as they are written (symmetric matrices: both arcs of each entry).
enum class direction : std::uint8_t { by_input, directed, undirected };

/// `by_input`: integers, unless any vertex is not an integer, or begins with a zero as "007". 1e+05 is one. `integers`: a name is an
/// error, and 007 is 7. `names`: every vertex is a name, also "-3".
enum class label_mode : std::uint8_t { by_input, integers, names };

/// `by_input`: the first line that is neither blank nor a comment is a header in four cases. Its first field is
/// empty (a table written with its index). It holds names of columns that are usual for edges ("source", "dst",
/// "weight", ...). It holds no integers and the next lines do. Or its third field alone of the first lines is no
/// number. `present`, `absent`: as the caller says.
enum class header_mode : std::uint8_t { by_input, present, absent };

/// What becomes of weights. `counted`: they are checked and counted, and take no memory. `kept`: the graph has them, if all edges have
/// one; they are finite. Integers of 32 bits stay so, others become double. `lengths`: kept, and none is negative. Of edges between the same
/// vertices load_options::duplicates says which counts. `capacities`: lengths, and a text's edges between the same vertices have the sum of
/// their weights, whatever load_options::duplicates says. Native files give what they have.
enum class weight_use : std::uint8_t { counted, kept, lengths, capacities };

/// How a text edge list is laid out.
struct table_options {
  /// Whether the first line names the columns.
  header_mode header = header_mode::by_input;
  /// Source, target and perhaps weight: names of the header, or numbers from 1; of JSON lines, keys. Empty:
  /// those with usual names, else the first two or three (behind an index).
  std::vector<std::string> columns = {};
  char separator = '\0';  // '\0': as the first line looks; ' ': any number of spaces and tabs
  bool quotes =
      true;  // a field that begins with a double quote ends with one (RFC 4180); else a quote is a character like others
  /// Whether lines that begin with #, % or // are comments: up to the first edge; among integers everywhere; among
  /// names where the marker stands alone.
  bool comments = true;
  /// Texts for a missing vertex or weight. Edges without a vertex are left out, and counted.
  std::vector<std::string> nulls = {};
  std::string vertices = {};  // a file of vertices, one a line: those without edges are in the graph, too
};

/// How a graph is read or generated.
struct load_options {
  /// Whether edges have a direction.
  direction how = direction::by_input;
  /// Whether vertices are numbers or names.
  label_mode vertices = label_mode::by_input;
  /// What becomes of weights.
  weight_use weights = weight_use::counted;
  /// The weight of edges between the same vertices: the least, unless a text is read and something else is asked for. `sum` makes doubles. `count`
  /// is how many lines have them, whether these have weights or not. Each direction of an undirected edge counts.
  duplicate_rule duplicates = duplicate_rule::min;
  /// Whether a file has edges as Graph500 packs them: 12 bytes each, without a mark. They are undirected.
  bool packed_edges = false;
  /// How tables are read.
  table_options table = {};
  std::uint64_t seed = 1;  // generators
  /// Phases "reading", "building", ...; done and total in bytes or edges. Called on core 0 only, every
  /// megabyte or so; unlike elsewhere it must neither throw nor suspend.
  progress_hook progress = {};
};

/// Throws gossamer::error: one line with file, line number, what was expected and what was found.
/// Text errors name the first bad line of the file whatever the number of cores. Memory is predicted
/// before it is taken. Same graph, same ids, on any number of cores.
graph load(const std::string& source, const load_options& options = {});

/// Loads as load() does with several processes; works with one as well. Every process reads a block of the
/// edges, sends them to the owners of their rows, and builds its own. No process ever has the rows of all.
/// Every process has vertex-sized arrays only, while ids are numbered; the labels are in process 0. Each
/// decompresses a compressed text. Files must be there for every process: no pipes.
graph load_shared(const std::string& source, const load_options& options = {});

/// What reading or generating a graph will take.
struct memory_estimate {
  std::uint64_t peak_bytes = 0;  // most memory at once while loading and building
  std::uint64_t graph_bytes = 0;  // what the graph keeps
};

/// Estimates what load() will need in each process. Looks at the file (its size and a sample) or the
/// generator's scale.
memory_estimate estimate_memory(const std::string& source, const load_options& options = {});

/// Returns true for `kron:...`, `uniform:...` and the other names of generated graphs.
bool is_generator(std::string_view source);

}  // namespace gossamer::graph
