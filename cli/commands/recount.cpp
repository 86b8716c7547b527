#include "commands/recount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"

namespace gossamer::cli {
namespace {

using graph::degree_summary;
using graph::graph_view;
using graph::remote_row_cache;
using graph::vertex_id;

check wrong(std::string reason) { return {false, std::move(reason)}; }

check ordered_rows(remote_row_cache& rows, std::uint64_t vertices) {
  for (vertex_id v = 0; v < vertices; ++v) {
    const auto row = rows[v];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] >= vertices)
        return wrong(fmt::format("row {} names vertex {}, there are {}", v, row[i], vertices));
      if (row[i] == v) return wrong(fmt::format("row {} holds a self-loop", v));
      if (i > 0 && row[i - 1] >= row[i])
        return wrong(fmt::format("row {} is not ascending at position {}", v, i));
    }
  }
  return {};
}

std::uint64_t arc_hash(std::uint64_t from, std::uint64_t to) { return hash64(hash64(from) + to); }

/// Returns a hash of the arcs that does not depend on their order. `reversed` swaps the ends of each arc.
std::uint64_t arcs_hash(remote_row_cache& rows, std::uint64_t vertices, bool reversed) {
  std::uint64_t sum = 0;
  for (vertex_id v = 0; v < vertices; ++v) {
    for (const vertex_id w : rows[v]) sum += reversed ? arc_hash(w, v) : arc_hash(v, w);
  }
  return sum;
}

check counted(const remote_row_cache& rows, std::uint64_t vertices, const degree_summary& told,
              const char* side) {
  std::vector<std::uint64_t> histogram;
  std::uint64_t least = vertices == 0 ? 0 : ~std::uint64_t{0};
  std::uint64_t most = 0;
  for (vertex_id v = 0; v < vertices; ++v) {
    const std::uint64_t degree = rows.degree(v);
    const auto bin = static_cast<std::size_t>(std::bit_width(degree));
    if (bin >= histogram.size()) histogram.resize(bin + 1);
    ++histogram[bin];
    least = std::min(least, degree);
    most = std::max(most, degree);
  }
  if (told.min != least || told.max != most) {
    return wrong(
        fmt::format("{} degrees are {} to {}, told {} to {}", side, least, most, told.min, told.max));
  }
  if (told.histogram != histogram) return wrong(fmt::format("the distribution of {} degrees differs", side));
  return {};
}

/// Returns the hashes of the labels: they compare vertices that have different numbers in two graphs.
std::vector<std::uint64_t> label_hashes(const graph::labels& names) {
  std::vector<std::uint64_t> hashes(names.size());
  std::string text;
  for (vertex_id v = 0; v < hashes.size(); ++v) {
    text.clear();
    names.append(v, text);
    hashes[v] = std::hash<std::string>()(text);
  }
  return hashes;
}

/// Returns a weight as the bits of a double, which represents all weight types exactly.
std::uint64_t weight_bits(const graph_view& g, remote_row_cache& rows, std::uint64_t arc) {
  if (g.weights == graph::weight_type::none) return 0;
  const std::byte* const at = rows.weights(arc, arc + 1);
  return graph::with_weight_type(g.weights, [at]<class Weight>(std::type_identity<Weight>) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(*reinterpret_cast<const Weight*>(at)));
  });
}

std::uint64_t named_arcs_hash(const graph::graph& g, bool by_number) {
  const graph_view view = g.view();
  std::vector<std::uint64_t> hashes;
  if (!by_number) hashes = label_hashes(g.names());
  for (std::uint64_t v = 0; v < view.vertices && by_number; ++v) hashes.push_back(v);
  remote_row_cache out(view, view.out);
  std::uint64_t sum = 0;
  for (vertex_id v = 0; v < view.vertices; ++v) {
    const auto row = out[v];
    for (std::size_t i = 0; i < row.size(); ++i)
      sum += arc_hash(arc_hash(hashes[v], hashes[row[i]]), weight_bits(view, out, out.offsets()[v] + i));
  }
  return sum;
}

}  // namespace

check check_degrees(const graph_view& g, const graph::degrees_result& degrees) {
  remote_row_cache out(g, g.out), in(g, g.in);
  if (g.vertices > 0 && out.offsets()[g.vertices] != g.arcs) return wrong("the rows do not hold all arcs");
  if (auto c = ordered_rows(out, g.vertices); !c) return c;
  if (g.directed) {
    if (auto c = ordered_rows(in, g.vertices); !c) return c;
  }
  if (arcs_hash(out, g.vertices, false) != arcs_hash(in, g.vertices, true)) {
    return wrong("incoming and outgoing rows hold different edges");
  }
  if (auto c = counted(out, g.vertices, degrees.out, "outgoing"); !c) return c;
  return counted(in, g.vertices, degrees.in, "incoming");
}

check same_edges(const graph::graph& a, const graph::graph& b, bool by_number) {
  const auto edges = a.view().edges();
  if (edges != b.view().edges()) return wrong(fmt::format("{} edges became {}", edges, b.view().edges()));
  if (by_number && a.view().vertices != b.view().vertices)
    return wrong(fmt::format("{} vertices became {}", a.view().vertices, b.view().vertices));
  if (named_arcs_hash(a, by_number) != named_arcs_hash(b, by_number)) return wrong("the edges differ");
  return {};
}

}  // namespace gossamer::cli
