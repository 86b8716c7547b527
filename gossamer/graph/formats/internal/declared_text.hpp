#pragma once
// Texts that declare their vertices in their first lines, and number them from 1: DIMACS, METIS, Pajek. A format says what the lines mean;
// what is here reads them, on the cores of one process or of all:
//   begin    each process reads the first lines, and learns alike which stretches of the text hold edges
//   count    where the number of a line is a vertex (METIS), all lines are counted, chunk by chunk
//   read     the cores of a process read the chunks of its block; the first problem of the text is the one to tell
//   build    one process builds rows from its edges; several deal theirs
// Edges keep the order of the text. All of the text is in memory, decompressed by each process where it is compressed.

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

/// The forms that there are.
enum class declared_form : std::uint8_t { dimacs, metis, pajek };

/// Whole lines of a text that have edges of one kind.
struct text_section {
  std::size_t begin = 0, end = 0;
  unsigned kind = 0;  // the format's own
  bool directed = true;  // edges have one direction
};

/// What the first lines of a text say.
struct declared_header {
  std::string format;  // graph_statistics
  std::vector<std::string> notes;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;  // declared, or a guess: what memory is predicted by
  bool directed = false;
  labels names;  // as many as there are vertices
  std::vector<text_section> sections;
};

/// What is counted while lines are read.
struct declared_counts {
  std::uint64_t lines = 0;  // that count
  std::uint64_t entries = 0;  // edges as the format counts them
  std::uint64_t edges = 0;  // that a graph gets
  std::uint64_t weighted = 0;  // of these
  std::uint64_t balance = 0;  // 0 where each edge stands in both lines

  declared_counts& operator+=(const declared_counts& more);
};

/// Where a format puts the edges of lines. One core's, for a chunk.
class line_edges {
 public:
  /// `both_ways`: adds the reversed arc of each edge, too.
  line_edges(std::vector<edge>& edges, weight_chunk* weights, bool both_ways)
      : edges_(edges), weights_(weights), both_ways_(both_ways) {}

  /// Adds an edge between vertices numbered from 1. `weight`: a number, or empty.
  void add(std::uint64_t from, std::uint64_t to, std::string_view weight);
  /// Counts an edge as the format counts them.
  void count() { ++counts_.entries; }
  /// Counts one of the two places of an edge of METIS.
  void balance(std::uint64_t amount) { counts_.balance += amount; }
  /// Returns what was counted.
  const declared_counts& counts() const { return counts_; }

 private:
  std::vector<edge>& edges_;
  weight_chunk* weights_;
  bool both_ways_;
  declared_counts counts_;
};

/// A format. One object for each process; read() is called by its cores at once.
class declared_format {
 public:
  virtual ~declared_format() = default;
  /// Reads the first lines. Throws gossamer::error "<path>:<line>: expected ...".
  virtual declared_header begin(std::string_view text, const std::string& path, label_mode vertices) = 0;
  /// Returns whether the number of a line means something.
  virtual bool counts_lines() const { return false; }
  /// Returns whether a line counts.
  virtual bool counts(std::string_view) const { return false; }
  /// Adds the edges of a line behind `before` others that count. Returns what is wrong, "expected ..., found ...", or nothing.
  virtual std::string read(std::string_view line, unsigned kind, std::uint64_t before, weight_rule rule,
                           line_edges& to) const = 0;
  /// Throws gossamer::error where the lines together are not what the first ones declare.
  virtual void check(const declared_counts&, std::string_view, const std::string&) const {}
};

std::unique_ptr<declared_format> make_dimacs();
std::unique_ptr<declared_format> make_metis();
std::unique_ptr<declared_format> make_pajek();

/// Returns whether a text begins "p sp N M" or "p max N M", behind lines of comments.
bool is_dimacs(std::string_view text);
/// Returns whether a text is METIS. `whole`: the text has no more lines. Of one that has, the name has to end in .metis or .graph, or lines have
/// to have different numbers of fields, which those of an edge list have not.
bool is_metis(std::string_view text, bool whole, const std::string& path);
/// Returns whether a text begins as a network of Pajek.
bool is_pajek(std::string_view text);

/// Returns which of the forms a text has. Nothing: none of them.
std::optional<declared_form> detect_declared(std::string_view text, bool whole, const std::string& path);
/// Returns what a form is called.
std::string_view name_of(declared_form form);

/// Reads a text of a form. `shared`: on the cores of all processes, which all can open the file.
graph read_declared(const io::text_file& file, declared_form form, const load_options& options, bool shared);

/// Returns what is wrong with a weight, "expected ...", or nothing.
std::string wrong_weight(std::string_view text, weight_rule rule);

/// The words of a line, one after the other.
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
  /// Returns what follows the words so far.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t'; }

  const char* at_;
  const char* const end_;
};

/// Returns an integer of digits only, up to `most`.
std::optional<std::uint64_t> read_number(std::string_view word, std::uint64_t most = ~std::uint64_t{0});

}  // namespace gossamer::graph
