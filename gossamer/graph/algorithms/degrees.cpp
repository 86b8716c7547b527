// Degree distributions. In a first pass, each core makes a histogram by powers of two, sums and extremes. A
// second pass collects the degrees of the bucket that contains the median, and sorts them.
#include "gossamer/graph/algorithms/degrees.hpp"

#include <algorithm>
#include <bit>

#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr std::uint64_t k_grain = 1 << 14;

struct tally {
  std::array<std::uint64_t, 65> buckets{};
  std::uint64_t sum = 0, min = ~std::uint64_t{0}, max = 0;
  vertex_id max_vertex = k_no_vertex;

  void add(vertex_id v, std::uint64_t degree) {
    ++buckets[std::bit_width(degree)];
    sum += degree;
    min = std::min(min, degree);
    if (degree > max || (degree == max && v < max_vertex)) {
      max = degree;
      max_vertex = v;
    }
  }
  void add(const tally& other) {
    for (std::size_t b = 0; b < buckets.size(); ++b) buckets[b] += other.buckets[b];
    sum += other.sum;
    min = std::min(min, other.min);
    if (other.max_vertex != k_no_vertex &&
        (other.max > max || (other.max == max && other.max_vertex < max_vertex))) {
      max = other.max;
      max_vertex = other.max_vertex;
    }
  }
};

using vertex_bounds = std::vector<std::uint64_t>;  // boundaries of the cores' blocks

tally tally_rows(const adjacency& rows, const vertex_bounds& bounds) {
  scoped_per_core<tally> tallies;
  forall_chunks(bounds, k_grain, [rows, slots = tallies.handle()](std::uint64_t b, std::uint64_t e) {
    tally& mine = slots.here();
    for (auto v = static_cast<vertex_id>(b); v < e; ++v) mine.add(v, rows.degree(v));
  });
  tally all;
  for (const auto& one :
       collect_spans<tally>(tallies.handle(), [](tally& t) { return std::span<const tally>(&t, 1); }))
    all.add(one[0]);
  return all;
}

/// Returns the degrees within one bucket, ascending.
std::vector<std::uint64_t> degrees_in_bucket(const adjacency& rows, const vertex_bounds& bounds, int bucket) {
  scoped_per_core<std::vector<std::uint64_t>> found;
  forall_chunks(bounds, k_grain, [rows, bucket, slots = found.handle()](std::uint64_t b, std::uint64_t e) {
    for (auto v = static_cast<vertex_id>(b); v < e; ++v) {
      if (static_cast<int>(std::bit_width(rows.degree(v))) == bucket) slots.here().push_back(rows.degree(v));
    }
  });
  std::vector<std::uint64_t> all;
  for (const auto& one : collect_spans<std::uint64_t>(
           found.handle(),
           [](std::vector<std::uint64_t>& degrees) { return std::span<const std::uint64_t>(degrees); }))
    all.insert(all.end(), one.begin(), one.end());
  std::sort(all.begin(), all.end());
  return all;
}

/// Returns the degree of rank `rank` (0-based) in ascending order.
std::uint64_t degree_of_rank(const adjacency& rows, const vertex_bounds& bounds, const tally& t,
                             std::uint64_t rank) {
  int bucket = 0;
  while (rank >= t.buckets[bucket]) rank -= t.buckets[bucket++];
  if (bucket <= 1) return static_cast<std::uint64_t>(bucket);
  return degrees_in_bucket(rows, bounds, bucket)[rank];
}

degree_summary summarise(const adjacency& rows, const vertex_bounds& bounds) {
  degree_summary s;
  const std::uint64_t vertices = bounds.back();
  if (vertices == 0) return s;
  const tally t = tally_rows(rows, bounds);
  s.min = t.min;
  s.max = t.max;
  s.max_vertex = t.max_vertex;
  s.mean = static_cast<double>(t.sum) / static_cast<double>(vertices);
  const std::uint64_t high = degree_of_rank(rows, bounds, t, vertices / 2);
  const std::uint64_t low = vertices % 2 ? high : degree_of_rank(rows, bounds, t, vertices / 2 - 1);
  s.median = (static_cast<double>(low) + static_cast<double>(high)) / 2;
  s.histogram.assign(t.buckets.begin(), t.buckets.begin() + std::bit_width(t.max) + 1);
  return s;
}

std::uint64_t count_isolated(const graph_view& g, const vertex_bounds& bounds) {
  scoped_per_core<std::uint64_t> isolated;
  forall_chunks(bounds, k_grain, [g, slots = isolated.handle()](std::uint64_t b, std::uint64_t e) {
    const adjacency &out = g.out, &in = g.in;
    std::uint64_t n = 0;
    for (auto v = static_cast<vertex_id>(b); v < e; ++v) n += out.degree(v) == 0 && in.degree(v) == 0;
    slots.here() += n;
  });
  return isolated.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace

degrees_result degrees(const graph_view& g) {
  degrees_result r;
  const vertex_bounds bounds = core_bounds(g);
  r.out = summarise(g.out, bounds);
  r.in = g.directed ? summarise(g.in, bounds) : r.out;
  r.isolated = count_isolated(g, bounds);
  return r;
}

}  // namespace gossamer::graph
