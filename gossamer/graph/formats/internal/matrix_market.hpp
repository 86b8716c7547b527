#pragma once
// Matrix Market, coordinate format (Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR
// 5935, 1996), plain, gzip or zstd. An entry (row, column) is an edge, and its value a weight, which is
// checked and counted, or kept (weight_use). An entry of value zero is also an edge. Vertices: the rows of a
// square matrix, labelled from 1, including those without entries. Other matrices are bipartite: the rows and
// then the columns.

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

/// Checks the first line of a text that is not Matrix Market. Throws gossamer::error if its name has the
/// extension of a Matrix Market file. Also throws if a comment before the data resembles a banner that is
/// misspelt or not in the first line.
void check_no_lost_banner(std::string_view beginning, const std::string& path);

struct matrix_header {
  std::uint64_t rows = 0, columns = 0, entries = 0;
  std::uint8_t values = 0;  // numbers per entry: pattern 0, real and integer 1, complex 2
  bool reals = false;  // the field declares that values are no integers
  bool symmetric = false;  // symmetric, skew-symmetric or hermitian: one triangle is stored
  bool skew = false;  // values of the other triangle have the opposite sign
  bool is_square() const { return rows == columns; }
  std::uint64_t vertices() const {
    if (is_square()) return rows;
    return rows > ~columns ? ~std::uint64_t{0} : rows + columns;  // too many
  }
};

/// Reads a matrix. General matrices are directed, symmetric ones (of every kind) undirected, unless
/// options.how says otherwise. If a symmetric matrix is read as directed, each entry gives both arcs.
graph read_matrix_market(const io::text_file& file, text_options text, const load_options& options);

/// Reads the preamble, also for fuzzers. Writes the header to `header`.
preamble begin_matrix_market(std::string_view text, bool whole, const std::string& path,
                             matrix_header& header, weight_use weights = weight_use::counted);

/// Throws gossamer::error if the size line declares another number of entries.
void check_entries(const std::string& path, const matrix_header& header, std::uint64_t found);
bool is_directed(const matrix_header& header, const load_options& options);
/// Numbers the columns of a matrix that is not square after its rows.
void separate_columns(std::vector<edge_block<edge>>& blocks, const matrix_header& header);
/// Stores what is known of a matrix in the statistics.
void fill_statistics(graph_statistics& statistics, const matrix_header& header);
/// Adds the reversed arc of each entry, for symmetric matrices read as directed. `negates`: negates their
/// weights.
void add_reversed(edge_batch& edges, bool negates);
/// Replaces weights by their magnitudes, for skew-symmetric matrices: edges have opposite signs in the two
/// triangles.
void take_magnitudes(edge_weights& weights);
/// Corrects the statistics of a graph whose edges were read with add_reversed(): an entry on the diagonal is
/// one edge.
void count_diagonal_once(graph_statistics& of);
/// The note about magnitudes.
inline constexpr const char* k_magnitudes_note =
    "weights are the magnitudes of a skew-symmetric matrix: --directed keeps the sign of each triangle";

}  // namespace gossamer::graph
