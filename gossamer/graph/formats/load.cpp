#include "gossamer/graph/formats/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/files/same_files.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/check_sums.hpp"
#include "gossamer/graph/build/internal/generate.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/build/internal/rebuild.hpp"
#include "gossamer/graph/formats/internal/declared_text.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/foreign_formats.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"
#include "gossamer/graph/formats/internal/native.hpp"
#include "gossamer/graph/formats/internal/packed_edges.hpp"
#include "gossamer/graph/formats/internal/serialized.hpp"
#include "gossamer/graph/formats/internal/shared_load.hpp"
#include "gossamer/graph/ingest/internal/generator.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/io/text_format.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::graph {
namespace {

using bytes_view = std::span<const std::byte>;

// The beginning of a file's text, decompressed if necessary.
struct text_sample {
  std::string text;
  std::uint64_t file_bytes = 0;  // number of bytes of the file that it comes from
};

text_sample sample_text(const io::text_file& file, std::size_t bytes) {
  text_sample s;
  if (file.is_plain()) {
    s.text = file.beginning(bytes);
    s.file_bytes = s.text.size();
  } else {
    io::record_stream source(file, 0, file.bytes().size(), {.bytes = 1});
    s.text = source.next(bytes);
    s.file_bytes = source.consumed();
  }
  s.text.erase(0, io::byte_order_mark(s.text));
  return s;
}

enum class format : std::uint8_t { edge_list, matrix_market, dimacs, metis, pajek, serialized, native };

std::optional<declared_form> declared_form_of(format what) {
  switch (what) {
    case format::dimacs:
      return declared_form::dimacs;
    case format::metis:
      return declared_form::metis;
    case format::pajek:
      return declared_form::pajek;
    default:
      return std::nullopt;
  }
}

/// Returns the options of a source without capacities: they are lengths, and parallel ones of a text are
/// added up.
load_options with_lengths(load_options options, bool is_text) {
  if (options.weights != weight_use::capacities) return options;
  options.weights = weight_use::lengths;
  if (is_text) options.duplicates = duplicate_rule::sum;
  return options;
}

/// Returns the rule for parallel edges in rows of a file.
duplicate_rule rule_of_rows(const load_options& asked) {
  return asked.weights == weight_use::capacities ? duplicate_rule::sum : duplicate_rule::min;
}

/// Throws gossamer::error if a rule for parallel edges is given for a source that has none, or no order.
void check_no_rule(const load_options& options, const std::string& source, std::string_view what) {
  if (options.duplicates != duplicate_rule::min)
    throw error(fmt::format("{}: weights of duplicates are combined in texts, this is {}", source, what));
}

/// Throws gossamer::error if options of tables are given for another format.
void check_no_table(const table_options& table, const std::string& source, std::string_view what) {
  if (!table.columns.empty() || table.separator != '\0' || table.header == header_mode::present ||
      !table.vertices.empty())
    throw error(fmt::format("{}: header, columns, separator and vertices are of text edge lists, this is {}",
                            source, what));
}

/// Throws gossamer::error if options of text edge lists are given for another source, which would ignore them.
/// `has_names`: the format may have names of vertices.
void check_no_text(const load_options& options, const std::string& source, std::string_view what,
                   bool has_names) {
  const table_options& table = options.table;
  check_no_table(table, source, what);
  if ((options.vertices == label_mode::names && !has_names) || table.header == header_mode::absent ||
      !table.nulls.empty() || !table.comments || !table.quotes)
    throw error(
        fmt::format("{}: {}missing values, headers, comments and quotes are of text edge lists, this is {}",
                    source, has_names ? "" : "names, ", what));
}

std::string_view name_of(format what) {
  switch (what) {
    case format::matrix_market:
      return "a Matrix Market file";
    case format::dimacs:
    case format::metis:
    case format::pajek:
      return name_of(*declared_form_of(what));
    case format::serialized:
      return "a GAP .sg or .wsg file";
    case format::native:
      return "the native form";
    case format::edge_list:
      break;
  }
  return "one";
}

// Detects the format. A text that is no matrix is an edge list if columns are requested.
format detect_format(const io::text_file& file, const text_sample& sample, const table_options& table) {
  const std::string_view beginning = sample.text;
  const std::string& path = file.name();
  if (is_native(file.bytes())) return format::native;
  if (file.is_plain() && is_serialized(file.bytes(), path)) return format::serialized;
  if (is_matrix_market(beginning)) return format::matrix_market;
  if (is_native(std::as_bytes(std::span(beginning))))
    throw error(path + ": a compressed graph in native form; decompress it first");
  io::check_text(file.bytes(), path, k_edges_as_text);
  if (!table.columns.empty()) return format::edge_list;
  const bool whole = sample.file_bytes == file.bytes().size();
  const auto form = detect_declared(beginning, whole, path);
  if (!form) return format::edge_list;
  return *form == declared_form::dimacs  ? format::dimacs
         : *form == declared_form::metis ? format::metis
                                         : format::pajek;
}

/// Refuses by their names files that are read in place and are compressed: their bytes would be taken for ids.
void refuse_compressed_bytes(const std::string& path, const load_options& options) {
  if (!io::is_named_compressed(path)) return;
  const std::string_view name = io::decompressed_name(path);
  if (!options.packed_edges && !name.ends_with(".sg") && !name.ends_with(".wsg")) return;
  throw error(fmt::format("{}: a compressed file of {}; decompress it first", path,
                          options.packed_edges ? "packed edges" : "GAP"));
}

bool wants_directed(direction how, bool by_input) {
  return how == direction::by_input ? by_input : how == direction::directed;
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

// Estimates the lines of a file from its beginning. Also samples a plain file in its middle and at its end,
// because ids grow.
std::uint64_t guess_lines(const io::text_file& file, const text_sample& sample) {
  std::uint64_t lines = lines_in(sample.text), bytes = std::max<std::uint64_t>(sample.file_bytes, 1);
  const std::string_view text = file.text();
  if (file.is_plain() && text.size() > 4 * bytes) {
    lines += lines_in(text.substr(text.size() / 2, bytes)) + lines_in(text.substr(text.size() - bytes));
    bytes *= 3;
  }
  return static_cast<std::uint64_t>(static_cast<double>(lines) * static_cast<double>(text.size()) /
                                    static_cast<double>(bytes));
}

// Estimates the memory of one process.
memory_estimate estimate_edges(std::uint64_t edges, std::uint64_t vertices, bool directed,
                               weight_use weights = weight_use::counted) {
  const auto type = weights == weight_use::counted ? weight_type::none : weight_type::int32;
  const std::uint64_t graph = graph_bytes(edges, vertices, directed, type) / processes();
  return {processes() == 1 ? build_peak_bytes(edges, vertices, directed, type)
                           : shared_peak_bytes(edges, vertices, type),
          graph};
}

// Estimates the memory for a text. Edge lists of names, and of ids scattered over 64 bits, need more. A
// matrix has the number of vertices in its size line, however few its entries are.
memory_estimate estimate_text(const io::text_file& file, const text_sample& sample, format what,
                              const load_options& options) {
  const std::uint64_t edges = guess_lines(file, sample);
  std::uint64_t vertices = edges / 16;
  if (what == format::matrix_market) {
    matrix_header header;
    const bool all = sample.file_bytes == file.bytes().size();
    const std::size_t lines = all ? sample.text.size() : sample.text.rfind('\n') + 1;
    if (lines != 0)
      (void)begin_matrix_market(sample.text.substr(0, lines), all, file.name(), header, options.weights);
    vertices = std::max(vertices, header.vertices());
  }
  return estimate_edges(edges, vertices, options.how != direction::undirected, options.weights);
}

constexpr std::size_t k_sample_bytes = 256 << 10;

// Throws gossamer::error if other processes cannot read the file of process 0, or see another file.
void check_common_file(const std::string& path, bytes_view bytes) {
  if (machine::file_bytes(path) != bytes.size())
    throw error(path + ": expected a file that every process can read by itself, found a pipe or a device");
  files::require_same_files({path});
}

// Opens or reads a file of rows, in native or serialized form.
graph read_rows(const std::shared_ptr<const machine::mapped_file>& file, format what, duplicate_rule rule,
                const progress_hook& progress, bool shared) {
  const std::string& path = file->path();
  if (what == format::native)
    return shared ? open_native_over_processes(path, progress) : open_native(file, progress);
  return shared ? read_serialized_over_processes(path, rule, progress)
                : read_serialized(file->bytes(), path, rule, progress);
}

graph load_file(const std::string& path, const load_options& asked, bool shared) {
  load_options options = with_lengths(asked, false);
  const auto mapped = std::make_shared<const machine::mapped_file>(path);
  const io::text_file file(mapped);
  const bytes_view bytes = file.bytes();
  if (bytes.empty()) throw error(path + " is empty: expected an edge list");
  refuse_compressed_bytes(path, options);
  if (options.packed_edges) {
    check_no_text(options, path, "a file of packed edges", false);
    check_no_rule(options, path, "a file of packed edges");
    if (shared) check_common_file(path, bytes);
    return read_packed_edges(file, options, shared);
  }
  const text_sample sample = sample_text(file, k_sample_bytes);
  const format what = detect_format(file, sample, options.table);
  if (what != format::edge_list)
    check_no_text(options, path, name_of(what), declared_form_of(what).has_value());
  if (shared) check_common_file(path, bytes);
  if (what == format::native || what == format::serialized) {
    check_no_rule(options, path, name_of(what));
    const duplicate_rule rule = rule_of_rows(asked);
    graph g = read_rows(mapped, what, rule, options.progress, shared);
    if (what == format::native && asked.weights == weight_use::capacities &&
        g.view().weights != weight_type::none && g.statistics().duplicates != 0)
      g.statistics().notes.push_back(
          "parallel edges were combined when this file was made: their capacities add up only if it was with "
          "--duplicates sum");
    const bool directed = wants_directed(options.how, g.view().directed);
    return as_directed(std::move(g), directed, options.progress, rule);
  }
  options = with_lengths(asked, true);
  if (const auto form = declared_form_of(what)) {
    graph g = read_declared(file, *form, options, shared);
    if (!file.is_plain()) g.statistics().format += std::string(", ") + io::name_of(file.how());
    return g;
  }
  const memory_estimate need = estimate_text(file, sample, what, options);
  machine::require_memory(need.peak_bytes, path);
  text_options text;
  text.progress = options.progress;
  const bool matrix = what == format::matrix_market;
  graph g = shared   ? matrix ? read_matrix_market_over_processes(path, options)
                              : read_edge_list_over_processes(path, options)
              : matrix ? read_matrix_market(file, std::move(text), options)
                     : read_edge_list(file, std::move(text), options);
  if (!file.is_plain()) g.statistics().format += std::string(", ") + io::name_of(file.how());
  return g;
}

graph load_as(const std::string& source, const load_options& options, bool shared) {
  const auto what = parse_generator(source, options.seed);
  if (!what) {
    graph g = load_file(source, options, shared);
    if (options.duplicates == duplicate_rule::sum || options.weights == weight_use::capacities)
      check_sums(g, source);
    return g;
  }
  check_no_text(options, source, "generated", false);
  if (options.packed_edges) throw error(source + ": packed edges are of files, this is generated");
  check_no_rule(options, source, "generated");
  const bool keeps_weights = options.weights != weight_use::counted;
  if (with_lengths(options, false).weights == weight_use::lengths && what->weights.low < 0)
    throw error(
        fmt::format("{}: expected weights of 0 or more, as weights are lengths or capacities here, found {}",
                    source, what->weights.low));
  graph g = shared ? generate_over_processes(*what, keeps_weights, options.progress)
                   : generate(*what, keeps_weights, options.progress);
  return as_directed(std::move(g), options.how == direction::directed, options.progress);
}

}  // namespace

graph load(const std::string& source, const load_options& options) {
  return load_as(source, options, processes() > 1);
}

graph load_shared(const std::string& source, const load_options& options) {
  return load_as(source, options, true);
}

memory_estimate estimate_memory(const std::string& source, const load_options& options) {
  if (const auto what = parse_generator(source, options.seed))
    return estimate_edges(what->edges(), what->vertices(), false,
                          what->weights.type == weight_type::none ? weight_use::counted : options.weights);
  const io::text_file file(std::make_shared<const machine::mapped_file>(source));
  if (file.bytes().empty()) return {};
  const text_sample sample = sample_text(file, k_sample_bytes);
  const format what = detect_format(file, sample, options.table);
  if (what == format::native || what == format::serialized)
    return {file.bytes().size() / processes(), file.bytes().size() / processes()};
  return estimate_text(file, sample, what, with_lengths(options, true));
}

bool is_generator(std::string_view source) { return is_generator_name(source); }

}  // namespace gossamer::graph
