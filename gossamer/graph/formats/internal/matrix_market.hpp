#pragma once
// Matrix Market, coordinate format (Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats",
// NISTIR 5935, 1996), plain, gzip or zstd. An entry (row, column) is an edge, and its value a weight, which is checked
// and counted, or kept (weight_use); also an entry whose value is zero is an edge.
// Vertices: the rows of a square matrix, labelled from 1, also those without entries. Of another, which is bipartite, the rows
// and then the columns.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/internal/read_text.hpp"
#include "gossamer/graph/formats/load.hpp"

namespace gossamer::graph {

bool is_matrix_market(std::string_view beginning);

/// Checks a text that is not Matrix Market by its first line. Throws gossamer::error where its name ends as
/// that of a Matrix Market file does. Throws it, too, where a comment before the data looks like a banner,
/// misspelt or not in the first line.
void check_no_lost_banner(std::string_view beginning, const std::string& path);

struct matrix_header {
  std::uint64_t rows = 0, columns = 0, entries = 0;
  std::uint8_t values = 0;  // numbers per entry: pattern 0, real and integer 1, complex 2
  bool reals = false;  // the field says that values are no integers
  bool symmetric = false;  // symmetric, skew-symmetric or hermitian: one triangle is stored
  bool skew = false;  // values of the other triangle have the other sign
  bool is_square() const { return rows == columns; }
  std::uint64_t vertices() const {
    if (is_square()) return rows;
    return rows > ~columns ? ~std::uint64_t{0} : rows + columns;  // too many
  }
};

/// Reads a matrix. General matrices are directed, symmetric ones (of every kind) undirected, unless
/// options.how says otherwise. A symmetric matrix asked to be directed gets both arcs of each entry.
graph read_matrix_market(const io::text_file& file, text_options text, const load_options& options);

/// Reads the preamble, for fuzzers too. Writes the header to `header`.
preamble begin_matrix_market(std::string_view text, bool whole, const std::string& path,
                             matrix_header& header, weight_use weights = weight_use::counted);

/// Throws where the size line says another number of entries.
void check_entries(const std::string& path, const matrix_header& header, std::uint64_t found);
bool is_directed(const matrix_header& header, const load_options& options);
/// Gives the columns of a matrix that is not square ids of their own, behind those of its rows.
void separate_columns(std::vector<edge_block<edge>>& blocks, const matrix_header& header);
/// Writes what is known of a matrix to the statistics.
void fill_statistics(graph_statistics& statistics, const matrix_header& header);
/// Adds the reversed arc of each entry, for symmetric matrices asked to be directed.
/// `negates`: weights get the other sign.
void add_reversed(edge_batch& edges, bool negates);
/// Takes the magnitudes of weights: those of the edges of a skew-symmetric matrix, which have one sign in each triangle.
void take_magnitudes(edge_weights& weights);
/// What is told of it.
inline constexpr const char* k_magnitudes_note =
    "weights are the magnitudes of a skew-symmetric matrix: --directed keeps the sign of each triangle";

}  // namespace gossamer::graph
