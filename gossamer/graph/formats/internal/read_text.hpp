#pragma once
// A text, plain or compressed, to edges, on the cores of this process.
// Plain text is scanned where it lies, in chunks that end at line ends. Compressed text comes in
// rounds: the first core decompresses the next few megabytes while the others scan the last, then helps; two
// buffers, so memory is bounded. Line numbers are counted only when one is needed: for an error.
// Several processes each scan a block of the chunks. Where a compressed file can be cut
// (compressed_block_bounds()), each decompresses its block and the line that goes on behind it; else all of them
// decompress all of it.

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

/// What is known of a text besides its edges.
struct text_facts {
  std::string header, columns, left_out;  // graph_statistics
  std::vector<std::string> notes;  // the same
  std::uint64_t comments = 0;  // before the first edge
  bool undirected = false;  // it says so
  bool has_no_header = false;  // of names: the first line may be one that was not found
  std::uint64_t left_vertices = 0;  // of a bipartite text: sources are 1 to this, targets count anew
};

/// What the beginning of a text says about the rest.
struct preamble : text_facts {
  line_format format;
  bool names = false;  // scan as names
  bool names_allowed = false;  // if a vertex is no integer, begin again as names
  bool real_weights = false;  // weights are no integers, whatever they look like
  bool found = false;  // false: no data yet, give more text
  std::size_t bytes = 0;  // of the preamble: data begins there
};
/// Looks at the first lines of a text. `whole`: there is no more.
/// Throws gossamer::error naming path and line.
using preamble_reader = std::function<preamble(std::string_view text, bool whole)>;

struct text_options {
  unsigned block = 0, blocks = 1;  // which of how many equal blocks to scan
  bool positions = false;  // of names, for text_edges
  bool names = false;  // scan as names, whatever begin() says
  bool weights = false;  // whether to keep them: collect() gives chunks, for add_weights()
  preamble_reader begin;
  std::uint64_t chunk_bytes = 0;  // 0: chosen; a chunk is one core's work at a time
  std::uint64_t round_bytes = std::uint64_t{8} << 20;  // compressed: text per round
  progress_hook progress;
};

struct text_edges : text_facts, read_edges {
  std::vector<placed_weights> chunks;  // if weights are kept, and there are any
  std::uint64_t weighted = 0;  // edges with a weight
  line_counts counts;
};

/// Reads all of it. Throws gossamer::error for the first bad line: "<path>:<line>: expected ...".
text_edges read_text(const io::text_file& file, const text_options& options);

/// What keeps a block from being read.
struct text_problem {
  bool found = false;
  bool names = false;  // a vertex is no integer: all of the text is to be read again as names
  bool zeros = false;  // as it begins with a zero
  std::uint64_t position = 0;  // in the whole text: the least one of all blocks counts
  std::string message;  // "<path>:<line>: ..."
};

/// Puts the weights that were kept beside the edges of a text, if each has one; counts edges as weights where the rule is that. Puts edges into
/// the order of the text where the rule goes by it. Throws where that takes more memory than there is.
void place_weights(text_edges& edges, const weight_facts& facts, duplicate_rule rule);

/// The steps of read_text(), for blocks that several processes read. Lives on the heap with both arguments.
class text_reader {
 public:
  text_reader(const io::text_file& file, const text_options& options);
  ~text_reader();
  text_reader(const text_reader&) = delete;
  text_reader& operator=(const text_reader&) = delete;

  /// Scans the block up to its first problem. Again with names = true where some block asks for it.
  text_problem scan(bool names = false);
  /// Returns the edges after a scan without problems.
  text_edges collect();

 private:
  class implementation;
  std::unique_ptr<implementation> it_;
};

/// The note where ids that begin with zeros made names.
inline constexpr const char* k_zeros_note =
    "ids that begin with a zero keep it: vertices are names; --no-labels reads integers";

/// Throws "<path>:<line>: <what>".
[[noreturn]] void fail_at(const std::string& path, std::uint64_t line, const std::string& what);

}  // namespace gossamer::graph
