#pragma once
// Texts whose first lines declare their vertices, numbered from 1: DIMACS, METIS, Pajek. A format parses the
// lines; the code here reads them, on the cores of one process or of all:
//   begin    each process parses the first lines, and finds the same sections of edges in the text
//   count    if the number of a line is a vertex (METIS), all lines are counted, chunk by chunk
//   read     the cores of a process read the chunks of its block; the first problem of the text is reported
//   build    one process builds rows from its edges; several exchange theirs
// Edges keep the order of the text. The whole text is in memory; each process decompresses a compressed text.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/internal/scan.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/ingest/edge_batch.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer::graph {

/// The declared formats.
enum class declared_form : std::uint8_t { dimacs, metis, pajek };

/// Whole lines of a text with edges of one kind.
struct text_section {
  std::size_t begin = 0, end = 0;
  unsigned kind = 0;  // defined by the format
  bool directed = true;  // edges have one direction
};

/// The declarations in the first lines of a text.
struct declared_header {
  std::string format;  // for graph_statistics
  std::vector<std::string> notes;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  // declared, or estimated: the basis of memory prediction
  bool directed = false;
  labels names;  // one for each vertex
  std::vector<text_section> sections;
};

/// Counts of the lines read.
struct declared_counts {
  std::uint64_t lines = 0;  // that are counted
  std::uint64_t entries = 0;  // edges as counted by the format
  std::uint64_t edges = 0;  // edges of the graph
  std::uint64_t weighted = 0;  // of these, edges with a weight
  std::uint64_t balance = 0;  // 0 if each edge occurs in both of its lines

  declared_counts& operator+=(const declared_counts& more);
};

/// Receives the edges of lines from a format. Of one core, for a chunk.
class line_edges {
 public:
  /// Starts with no edges. `both_ways`: adds the reversed arc of each edge, too.
  line_edges(std::vector<edge>& edges, weight_chunk* weights, bool both_ways)
      : edges_(edges), weights_(weights), both_ways_(both_ways) {}

  /// Adds an edge between vertices numbered from 1. `weight`: a number, or empty.
  void add(std::uint64_t from, std::uint64_t to, std::string_view weight);
  /// Counts an edge as the format counts it.
  void count() { ++counts_.entries; }
  /// Counts one of the two occurrences of an edge of METIS.
  void balance(std::uint64_t amount) { counts_.balance += amount; }
  /// Returns the counts.
  const declared_counts& counts() const { return counts_; }

 private:
  std::vector<edge>& edges_;
  weight_chunk* weights_;
  bool both_ways_;
  declared_counts counts_;
};

/// A format. One object for each process; its cores call read() concurrently.
class declared_format {
 public:
  virtual ~declared_format() = default;
  /// Reads the first lines. Throws gossamer::error "<path>:<line>: expected ...".
  virtual declared_header begin(std::string_view text, const std::string& path, label_mode vertices) = 0;
  /// Returns whether line numbers are significant.
  virtual bool counts_lines() const { return false; }
  /// Returns whether a line is counted.
  virtual bool counts(std::string_view) const { return false; }
  /// Adds the edges of a line that follows `before` other counted lines. Returns an error, "expected ...,
  /// found ...", or nothing.
  virtual std::string read(std::string_view line, unsigned kind, std::uint64_t before, weight_rule rule,
                           line_edges& to) const = 0;
  /// Throws gossamer::error if all lines together contradict the declarations.
  virtual void check(const declared_counts&, std::string_view, const std::string&) const {}
};

std::unique_ptr<declared_format> make_dimacs();
std::unique_ptr<declared_format> make_metis();
std::unique_ptr<declared_format> make_pajek();

/// Returns whether a text begins "p sp N M" or "p max N M", after lines of comments.
bool is_dimacs(std::string_view text);
/// Returns whether a text is METIS. `whole`: the text has no more lines. If it has more, the name has to end
/// in .metis or .graph, or lines have to differ in their numbers of fields, unlike those of an edge list.
bool is_metis(std::string_view text, bool whole, const std::string& path);
/// Returns whether a text begins as a network of Pajek.
bool is_pajek(std::string_view text);

/// Returns the declared format of a text, or nothing if it has none.
std::optional<declared_form> detect_declared(std::string_view text, bool whole, const std::string& path);
/// Returns the name of a format.
std::string_view name_of(declared_form form);

/// Reads a text of a declared format. `shared`: on the cores of all processes, each of which can open the
/// file.
graph read_declared(const io::text_file& file, declared_form form, const load_options& options, bool shared);

/// Returns the error in a weight, "expected ...", or nothing.
std::string wrong_weight(std::string_view text, weight_rule rule);

/// Splits a line into words.
class line_words {
 public:
  explicit line_words(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  /// Returns the next word, or nothing at the end.
  std::string_view next() {
    while (at_ != end_ && is_space(*at_)) ++at_;
    const char* const begin = at_;
    while (at_ != end_ && !is_space(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// Returns the rest of the line after the words read so far.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t'; }

  const char* at_;
  const char* const end_;
};

/// Returns an integer that consists of digits only, up to `most`.
std::optional<std::uint64_t> read_number(std::string_view word, std::uint64_t most = ~std::uint64_t{0});

}  // namespace gossamer::graph
