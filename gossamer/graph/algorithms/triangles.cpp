// Triangles by intersection of rows, directed from smaller to larger degree.
//
// Algorithm: vertices are ranked by degree, ties by number. Only the higher ranks of each row are kept, so
//   no row has more than sqrt(2 * edges) of them. A triangle a < b < c is found once: b and c are in the
//   row of a, c is in that of b [T. Schank, D. Wagner, "Finding, Counting and Listing All Triangles in
//   Large Graphs", WEA 2005: the forward algorithm].
// Encoding: a row holds ranks. Each core marks the positions of its members in the row of a in an array by
//   rank. High ranks are in many rows, so look-ups are close together. Matching positions are first listed,
//   without a branch, then counted. Most look-ups fail; if they were counted at once, each would wait for the
//   previous one. Matches are counted by position, so there is one message per edge, not per triangle.
// Phases: rows, ranks and degrees are frozen while all cores read them (path 2); owners add counts (path
//   1).
#include "gossamer/graph/algorithms/triangles.hpp"

#include <algorithm>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {

namespace {

constexpr scan_cost k_intersect{10'000, 2'000};  // an arc: a member of one row, looked up in another
constexpr std::uint64_t k_rows_per_chunk = 64;

/// The vertex of each rank, and the rank of each vertex: the same in every process.
struct degree_ranking {
  std::vector<vertex_id> vertex, rank;

  /// Sorts the vertices by ascending degree, stably.
  degree_ranking(const vertex_id* degree, std::uint64_t n) : vertex(n), rank(n) {
    const vertex_id most = n == 0 ? 0 : *std::max_element(degree, degree + n);
    std::vector<vertex_id> next(std::size_t{most} + 2);
    for (std::uint64_t v = 0; v < n; ++v) ++next[degree[v] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::uint64_t v = 0; v < n; ++v) {
      rank[v] = next[degree[v]]++;
      vertex[rank[v]] = static_cast<vertex_id>(v);
    }
  }
  degree_ranking() = default;
};

class counting {
 public:
  explicit counting(const graph_view& g)
      : g_(g),
        go_(g),
        degree_(go_.values<vertex_id>()),
        begins_(go_.values<std::uint64_t>()),
        counts_(go_.values<std::uint64_t>()) {}

  triangles_result run(const progress_hook& progress);

 private:
  void rank();
  void keep_higher();
  void count();
  void summarise(triangles_result& r) const;

  graph_view g_;
  traversal go_;
  scoped_array<vertex_id> degree_;
  scoped_array<std::uint64_t> begins_, counts_;  // begins_: of the row of higher ranks
  scoped_array<vertex_id> higher_;
  scoped_per_process<degree_ranking> ranks_;
  scoped_per_core<std::uint64_t> kept_;
};

void counting::rank() {
  go_.vertex_map(k_pass, degree_.handle(), [rows = adjacency(g_.out)](vertex_id v, vertex_id& degree) {
    degree = static_cast<vertex_id>(rows.degree(v));
  });
  on_all_processes([ranks = ranks_.handle(), degrees = degree_.freeze()] {
    ranks.here() = degree_ranking(degrees.data(), degrees.size());
  });
  degree_.thaw();
}

/// Builds the rows of higher ranks, each sorted.
void counting::keep_higher() {
  on_all_cores(
      [rows = adjacency(g_.out), ranks = ranks_.handle(), begins = begins_.handle(), kept = kept_.handle()] {
        const std::vector<vertex_id>& rank = ranks.here().rank;
        auto v = static_cast<vertex_id>(begins.local_begin());
        scan_meter meter(k_pull);
        std::uint64_t all = 0;
        for (std::uint64_t& begin : begins.local()) {
          begin = all;
          ++meter.rows;
          meter.arcs += rows.degree(v);
          for (const vertex_id n : rows[v]) all += rank[n] > rank[v];
          ++v;
        }
        kept.here() = all;
      });
  std::vector<std::uint64_t> bounds = {0};
  for (const std::uint64_t n : collect(kept_.handle(), [](std::uint64_t& all) { return all; }))
    bounds.push_back(bounds.back() + n);
  higher_ = scoped_array<vertex_id>(bounds.back(), by_boundaries(bounds));
  on_all_cores([rows = adjacency(g_.out), ranks = ranks_.handle(), begins = begins_.handle(),
                higher = higher_.handle()] {
    const std::vector<vertex_id>& rank = ranks.here().rank;
    const std::span<vertex_id> own = higher.local();
    auto v = static_cast<vertex_id>(begins.local_begin());
    std::size_t at = 0;
    scan_meter meter(k_pull);
    for (std::uint64_t& begin : begins.local()) {
      begin = higher.local_begin() + at;
      const std::size_t first = at;
      ++meter.rows;
      meter.arcs += rows.degree(v);
      for (const vertex_id n : rows[v])
        if (rank[n] > rank[v]) own[at++] = rank[n];
      std::sort(own.begin() + static_cast<std::ptrdiff_t>(first),
                own.begin() + static_cast<std::ptrdiff_t>(at));
      ++v;
    }
  });
}

/// The arrays with which a core intersects rows.
struct marks {
  std::vector<vertex_id> place;  // by rank: 1 and up in the row that is marked, else 0
  std::vector<vertex_id> hits;  // by place
  std::vector<vertex_id> found;  // places of the members of one row that are marked

  /// Returns how many members of a row are marked, and counts a hit at the place of each.
  std::uint64_t look_up(std::span<const vertex_id> row) {
    if (found.size() < row.size()) found.resize(row.size());
    vertex_id* end = found.data();
    for (const vertex_id c : row) {
      *end = place[c];
      end += *end != 0;
    }
    for (const vertex_id* hit = found.data(); hit != end; ++hit) ++hits[*hit];
    return static_cast<std::uint64_t>(end - found.data());
  }
};

void counting::count() {
  const scoped_per_core<marks> scratch;
  const auto add = [](std::uint64_t n) { return [n](std::uint64_t& count) { count += n; }; };
  forall_chunks(
      go_.bounds(), k_rows_per_chunk,
      [n = g_.vertices, ranks = ranks_.handle(), begins = begins_.freeze(), higher = higher_.freeze(),
       counts = counts_.handle(), scratch = scratch.handle(), add](std::uint64_t begin, std::uint64_t end) {
        const std::vector<vertex_id>& vertex_of = ranks.here().vertex;
        marks& mine = scratch.here();
        mine.place.resize(n);
        const auto row = [&](std::uint64_t v) {
          const std::uint64_t last = v + 1 == n ? higher.size() : begins[v + 1];
          return std::span(higher.data() + begins[v], higher.data() + last);
        };
        scan_meter meter(k_intersect);
        for (std::uint64_t a = begin; a < end; ++a) {
          const auto members = row(a);
          if (members.size() < 2) continue;
          mine.hits.assign(members.size() + 1, 0);
          for (std::size_t i = 0; i < members.size(); ++i)
            mine.place[members[i]] = static_cast<vertex_id>(i + 1);
          std::uint64_t of_a = 0;
          for (std::size_t i = 0; i < members.size(); ++i) {
            const auto others = row(vertex_of[members[i]]);
            const std::uint64_t found = mine.look_up(others);
            mine.hits[i + 1] += static_cast<vertex_id>(found);
            of_a += found;
            ++meter.rows;
            meter.arcs += others.size();
          }
          for (std::size_t i = 0; i < members.size(); ++i) {
            mine.place[members[i]] = 0;
            if (const std::uint64_t hits = mine.hits[i + 1]; hits != 0)
              counts.async(vertex_of[members[i]], add(hits));
          }
          if (of_a != 0) counts.async(a, add(of_a));
        }
      });
  begins_.thaw();
  higher_.thaw();
}

/// Sums of all vertices.
struct totals {
  std::uint64_t triangles = 0, paths = 0;
  void add(const totals& other) {
    triangles += other.triangles;
    paths += other.paths;
  }
};

void counting::summarise(triangles_result& r) const {
  r.triangles = copy_of(counts_.handle());
  const std::vector<vertex_id> degree = copy_of(degree_.handle());
  r.clustering.resize(r.triangles.size());
  totals all;
  double sum = 0;
  for (std::size_t v = 0; v < r.triangles.size(); ++v) {
    const std::uint64_t pairs = degree[v] == 0 ? 0 : std::uint64_t{degree[v]} * (degree[v] - 1) / 2;
    all.add({r.triangles[v], pairs});
    if (pairs != 0) r.clustering[v] = static_cast<double>(r.triangles[v]) / static_cast<double>(pairs);
    sum += r.clustering[v];
  }
  r.total = all.triangles / 3;
  if (all.paths != 0) r.transitivity = static_cast<double>(all.triangles) / static_cast<double>(all.paths);
  r.average_clustering = sum / static_cast<double>(r.triangles.size());
}

triangles_result counting::run(const progress_hook& progress) {
  triangles_result r;
  const std::uint64_t begin = machine::now_ns();
  rank();
  report(progress, "triangles", 1, 0);
  keep_higher();
  report(progress, "triangles", 2, 0);
  count();
  r.seconds = machine::seconds_since(begin);
  summarise(r);
  return r;
}

}  // namespace

triangles_result count_triangles(const graph_view& g, const progress_hook& progress) {
  if (g.directed) throw error("triangles: expected an undirected graph, found a directed one");
  if (g.vertices == 0) return {};
  return counting(g).run(progress);
}

}  // namespace gossamer::graph
