// The peer: direction-optimising breadth-first search in plain OpenMP, as a textbook has it. One parent array
// that all threads write with compare-and-swap top-down, bitmaps and dynamic chunks bottom-up.
#include <atomic>
#include <bit>
#include <numeric>

#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/algorithms/sources.hpp"
#include "gossamer/machine/clock.hpp"
#include "support/kernel_bench.hpp"

namespace {

using namespace gossamer;
using graph::k_no_vertex;
using graph::vertex_id;

class omp_bfs {
 public:
  explicit omp_bfs(const graph::graph_view& g)
      : g_(g), parent_(g.vertices), front_((g.vertices + 63) / 64), next_(front_.size()) {}

  std::vector<std::uint64_t> run(vertex_id source) {
    const auto n = static_cast<std::int64_t>(g_.vertices);
#pragma omp parallel for
    for (std::int64_t v = 0; v < n; ++v) parent_[v] = k_no_vertex;
    parent_[source] = source;
    queue_.assign(1, source);
    std::vector<std::uint64_t> levels;
    std::uint64_t unexplored = g_.arcs, size = 1, previous = 0;
    bool bottom_up = false;
    while (size > 0) {
      levels.push_back(size);
      if (!bottom_up) {
        std::uint64_t edges = 0;
        for (vertex_id v : queue_) edges += g_.out.degree(v);
        bottom_up = edges > unexplored / 15 && unexplored > 0;
        unexplored -= std::min(unexplored, edges);
        if (bottom_up) to_bitmap();
      } else if (size < previous && size < g_.vertices / 18) {
        to_queue();
        bottom_up = false;
        unexplored = 0;
      }
      previous = size;
      size = bottom_up ? step_bottom_up() : step_top_down();
    }
    return levels;
  }
  const std::vector<vertex_id>& parents() const { return parent_; }

 private:
  std::uint64_t step_top_down() {
    std::vector<vertex_id> found;
#pragma omp parallel
    {
      std::vector<vertex_id> mine;
#pragma omp for schedule(dynamic, 64) nowait
      for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (vertex_id w : g_.out[queue_[i]]) {
          std::atomic_ref<vertex_id> cell(parent_[w]);
          vertex_id none = k_no_vertex;
          // Relaxed: the end of the parallel region orders the level.
          if (cell.load(std::memory_order_relaxed) == none &&
              cell.compare_exchange_strong(none, queue_[i], std::memory_order_relaxed)) {
            mine.push_back(w);
          }
        }
      }
#pragma omp critical
      found.insert(found.end(), mine.begin(), mine.end());
    }
    queue_.swap(found);
    return queue_.size();
  }

  std::uint64_t step_bottom_up() {
    std::uint64_t found = 0;
    const auto words = static_cast<std::int64_t>(front_.size());
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : found)
    for (std::int64_t w = 0; w < words; ++w) {
      std::uint64_t bits = 0;
      const std::uint64_t last = std::min<std::uint64_t>(g_.vertices, (w + 1) * 64);
      for (std::uint64_t v = w * 64; v < last; ++v) {
        if (parent_[v] != k_no_vertex) continue;
        for (vertex_id u : g_.in[static_cast<vertex_id>(v)]) {
          if (front_[u / 64] >> (u % 64) & 1) {
            parent_[v] = u;
            bits |= std::uint64_t{1} << (v % 64);
            break;
          }
        }
      }
      next_[w] = bits;
      found += std::popcount(bits);
    }
    front_.swap(next_);
    return found;
  }

  void to_bitmap() {
    std::ranges::fill(front_, 0);
    for (vertex_id v : queue_) front_[v / 64] |= std::uint64_t{1} << (v % 64);
  }
  void to_queue() {
    queue_.clear();
    for (std::size_t w = 0; w < front_.size(); ++w) {
      for (std::uint64_t bits = front_[w]; bits != 0; bits &= bits - 1) {
        queue_.push_back(static_cast<vertex_id>(w * 64 + std::countr_zero(bits)));
      }
    }
  }

  graph::graph_view g_;
  std::vector<vertex_id> parent_, queue_;
  std::vector<std::uint64_t> front_, next_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_openmp(argc, argv, [](const graph::graph_view& g, unsigned repeats) {
    omp_bfs search(g);
    std::vector<double> rates;
    for (unsigned r = 0; r < repeats; ++r) {
      for (vertex_id source : graph::random_sources(g, 64, 1)) {
        graph::bfs_result result;
        result.source = source;
        const std::uint64_t start = machine::now_ns();
        result.levels = search.run(source);
        result.seconds = machine::seconds_since(start);
        result.reached = std::accumulate(result.levels.begin(), result.levels.end(), std::uint64_t{0});
        for (std::uint64_t v = 0; v < g.vertices; ++v) {
          if (search.parents()[v] != k_no_vertex) result.edges += g.out.degree(static_cast<vertex_id>(v));
        }
        if (!g.directed) result.edges /= 2;
        if (rates.size() % 16 == 0 && r == 0) bench::require(graph::verify_bfs(g, result, search.parents()));
        rates.push_back(result.mteps());
      }
    }
    const double mean = graph::harmonic_mean(rates);
    return bench::outcome{"bfs", "omp", "MTEPS", std::move(rates), mean};
  });
}
