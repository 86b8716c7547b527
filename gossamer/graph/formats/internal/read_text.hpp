#pragma once
// Reads a text, plain or compressed, into edges, on the cores of this process. Plain text is scanned in
// place, in chunks that end at line ends. Compressed text is read in rounds: the first core decompresses the
// next few megabytes while the others scan the previous ones, then joins them. There are two buffers, so
// memory is bounded. Line numbers are counted only when an error needs one. Several processes each scan a
// block of the chunks. If a compressed file can be divided (compressed_block_bounds()), each decompresses its
// block and the rest of its last line. Otherwise each decompresses the whole file.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/graph/ingest/internal/number_edges.hpp"
#include "gossamer/graph/ingest/internal/with_weights.hpp"
#include "gossamer/graph/ingest/progress.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer::graph {

/// The properties of a text besides its edges.
struct text_facts {
  std::string header, columns, left_out;  // for graph_statistics
  std::vector<std::string> notes;  // for graph_statistics
  std::uint64_t comments = 0;  // before the first edge
  bool undirected = false;  // declared by the text
  bool has_no_header = false;  // of names: the first line may be an undetected header
  std::uint64_t left_vertices = 0;  // of a bipartite text: number of sources; targets begin at 1 again
};

/// The properties of a text inferred from its beginning.
struct preamble : text_facts {
  line_format format;
  bool names = false;  // scan as names
  bool names_allowed = false;  // if a vertex is no integer, restart as names
  bool real_weights = false;  // weights are no integers, even if they look like it
  bool found = false;  // false: no data yet; call again with more text
  std::size_t bytes = 0;  // of the preamble; data follow
};
/// Parses the first lines of a text. `whole`: there is no more text. Throws gossamer::error with path and
/// line.
using preamble_reader = std::function<preamble(std::string_view text, bool whole)>;

struct text_options {
  unsigned block = 0, blocks = 1;  // which of how many equal blocks to scan
  bool positions = false;  // of names, for text_edges
  bool names = false;  // scan as names, whatever begin() returns
  bool weights = false;  // whether to keep them: collect() returns chunks, for add_weights()
  // Weights are read in the order of the text: a stream that cannot be divided is scanned by block 0 alone.
  bool in_order = false;
  preamble_reader begin;
  std::uint64_t chunk_bytes = 0;  // 0: automatic; a chunk is read by one core at a time
  std::uint64_t round_bytes = std::uint64_t{8} << 20;  // compressed: text per round
  progress_hook progress;
};

struct text_edges : text_facts, read_edges {
  std::vector<placed_weights> chunks;  // if weights are kept, and there are any
  std::uint64_t weighted = 0;  // edges with a weight
  line_counts counts;
};

/// Reads the whole text. Throws gossamer::error for the first bad line: "<path>:<line>: expected ...".
text_edges read_text(const io::text_file& file, const text_options& options);

/// A problem in a block.
struct text_problem {
  bool found = false;
  bool names = false;  // a vertex is no integer: the whole text has to be read again as names
  bool zeros = false;  // because it begins with a zero
  std::uint64_t position = 0;  // in the whole text: the smallest one of all blocks is reported
  std::string message;  // "<path>:<line>: ..."
};

/// Attaches the kept weights to the edges of a text, if each has one. Counts edges as weights if the rule is
/// `count`. Sorts edges into the order of the text if the rule depends on it. Throws gossamer::error if
/// memory does not suffice.
void place_weights(text_edges& edges, const weight_facts& facts, duplicate_rule rule);

/// The steps of read_text(), for blocks that several processes read. Both arguments must outlive it.
class text_reader {
 public:
  text_reader(const io::text_file& file, const text_options& options);
  ~text_reader();
  text_reader(const text_reader&) = delete;
  text_reader& operator=(const text_reader&) = delete;

  /// Scans the block up to its first problem. Called again with names = true if some block requires it.
  text_problem scan(bool names = false);
  /// Returns the edges after a scan without problems.
  text_edges collect();

 private:
  class implementation;
  std::unique_ptr<implementation> it_;
};

/// The note about ids that are names because they begin with zeros.
inline constexpr const char* k_zeros_note =
    "ids that begin with a zero keep it: vertices are names; --no-labels reads integers";

/// Throws "<path>:<line>: <what>".
[[noreturn]] void fail_at(const std::string& path, std::uint64_t line, const std::string& what);

}  // namespace gossamer::graph
