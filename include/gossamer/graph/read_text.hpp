#pragma once
// A text, plain or compressed, to edges, on all cores.
// Plain text is scanned where it lies, in pieces that end at line ends. Compressed text comes in
// rounds: core 0 decompresses the next few megabytes while the others scan the last, then helps; two
// buffers, so memory is bounded. Line numbers are counted only when one is needed: for an error.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/edges.hpp"
#include "gossamer/graph/labels.hpp"
#include "gossamer/graph/progress.hpp"
#include "gossamer/graph/scan.hpp"

namespace gossamer::graph {

/// What the beginning of a text says about the rest.
struct preamble {
  line_format format;
  bool names = false;               // scan as names
  bool names_allowed = false;       // if a vertex is no integer, begin again as names
  bool found = false;               // false: no data yet, give more text
  std::size_t bytes = 0;            // of the preamble: data begins there
};
/// Looks at the first lines of a text. `whole`: there is no more.
/// Throws gossamer::error naming path and line.
using preamble_reader = std::function<preamble(std::string_view text, bool whole)>;

struct text_options {
  std::string path;                 // for errors
  preamble_reader begin;
  std::uint64_t piece_bytes = 0;    // 0: chosen; a piece is one core's work at a time
  std::uint64_t round_bytes = std::uint64_t{8} << 20;  // compressed: text per round
  progress_hook progress;
  /// Called around each piece of plain text, from any core: to map it in one go, and to unmap it.
  std::function<void(std::size_t offset, std::size_t bytes)> prepare, finished;
};

struct text_edges {
  std::vector<edge_block<edge>> edges;
  std::vector<edge_block<wide_edge>> wide;  // of pieces with ids that do not fit an edge
  labels names;                             // of a text of names
  bool named = false;
  std::uint64_t count = 0, weights = 0;
  std::uint64_t highest = 0;                // id, counted from the format's first
};

/// Reads all of it. Throws gossamer::error for the first bad line: "<path>:<line>: expected ...".
text_edges read_text(std::span<const std::byte> file, const text_options& options);

/// Throws "<path>:<line>: <what>".
[[noreturn]] void fail_at(const std::string& path, std::uint64_t line, const std::string& what);

}  // namespace gossamer::graph
