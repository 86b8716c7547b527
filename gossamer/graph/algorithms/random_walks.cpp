// Random walks.
//
// Algorithm: all walks make one step in each phase. The owner of the current vertex draws the next vertex
//   from its row, and ships the walk to the owner of the next vertex. The random number of a step is a hash
//   of the seed, the start, the number of the walk among those of that vertex, and the step.
// Phases: each core makes one step with its walks; in the next phase it continues with those that arrived.
#include "gossamer/graph/algorithms/random_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/engine/traversal.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

namespace {

/// A walk that has not ended.
struct walker {
  std::uint64_t stream;  // seed of its random numbers
  std::uint64_t walk;  // its index among all walks
  vertex_id at;
  vertex_id unused = 0;  // no bytes without a value are sent
};

struct walks_here {
  std::vector<walker> now, coming;  // walks at own vertices: of this step, and of the next
  std::vector<double> sums;  // prefix sums of the weights of own rows, each row from its first arc on
};

/// Computes the prefix sums of the weights of each own row.
template <class Weight>
void add_up_weights(const adjacency& rows, std::uint64_t first, std::uint64_t end,
                    std::vector<double>& sums) {
  sums.resize(rows.offsets[end] - rows.offsets[first]);
  const Weight* const weights = rows.weights_as<Weight>();
  scan_meter meter(k_pull);
  meter.rows = end - first;
  meter.arcs = sums.size();
  for (std::uint64_t v = first; v < end; ++v) {
    const auto add_up = [&](double unit) {
      double sum = 0;
      for (std::uint64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i)
        sums[i - rows.offsets[first]] = sum += static_cast<double>(weights[i]) * unit;
      return sum;
    };
    if (!std::isfinite(add_up(1))) add_up(0x1p-64);  // smaller units do not overflow
  }
}

/// Draws the index of an arc in a row. Returns `degree` if the row is empty.
std::uint64_t draw(std::uint64_t degree, std::uint64_t random) {
  return degree == 0 ? 0 : static_cast<std::uint64_t>(static_cast<unsigned __int128>(random) * degree >> 64);
}

/// Draws in proportion to weights, given their prefix sums. Returns their number if all weights are 0.
std::uint64_t draw(std::span<const double> sums, std::uint64_t random) {
  const double all = sums.empty() ? 0 : sums.back();
  if (!(all > 0)) return sums.size();
  const double target = static_cast<double>(random >> 11) * 0x1.0p-53 * all;
  const auto found = std::ranges::upper_bound(sums, target);
  // Rounding may make `target` equal to the whole sum: then the last arc with a weight above 0 is drawn.
  return static_cast<std::uint64_t>((found != sums.end() ? found : std::ranges::lower_bound(sums, all)) -
                                    sums.begin());
}

class walking {
 public:
  walking(const graph_view& g, const random_walk_options& options)
      : graph_(g), options_(options), go_(g), vertices_(go_.values<std::uint8_t>()) {
    const std::uint64_t starts = options.starts.empty() ? g.vertices : options.starts.size();
    std::uint64_t places = 0, bytes = 0;
    const bool is_too_much = __builtin_mul_overflow(starts, options.walks, &walks_) ||
                             __builtin_mul_overflow(walks_, options.steps + 1, &places) || places == 0 ||
                             __builtin_mul_overflow(places, sizeof(vertex_id), &bytes);
    machine::require_memory(is_too_much ? ~std::uint64_t{0} : bytes, "the table of random walks");
    paths_ = scoped_array<vertex_id>(places);
  }

  random_walks_result run(const progress_hook& progress) {
    random_walks_result r;
    on_all_cores([paths = paths_.handle()] { fill(paths.local(), k_no_vertex); });
    if (options_.by_weights) add_up();
    start();
    for (std::uint64_t step = 1; step <= options_.steps; ++step) {
      report(progress, "random walks", step, options_.steps);
      make_step(step);
    }
    r.walks = walks_;
    r.vertices = copy_of(paths_.handle());
    for (std::uint64_t walk = 0; walk < walks_; ++walk)
      r.ended += r.vertices[(walk + 1) * (options_.steps + 1) - 1] == k_no_vertex;
    return r;
  }

 private:
  void add_up() {
    on_all_cores([g = graph_, vertices = vertices_.handle(), parts = parts_.handle()] {
      const std::uint64_t first = vertices.local_begin(), end = first + vertices.local().size();
      if (first == end) return;
      with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) {
        add_up_weights<Weight>(g.out, first, end, parts.here().sums);
      });
    });
  }

  /// Starts the walks of a vertex, at its owner.
  struct begin_walks {
    per_core<walks_here> parts;
    std::uint64_t first, count, seed;
    std::uint64_t earlier = 0;  // walks of the same vertex, if it was given several times
    vertex_id v = 0;
    vertex_id unused = 0;  // no bytes without a value are sent
    void operator()(std::uint8_t&) const {
      for (std::uint64_t k = 0; k < count; ++k)
        parts.here().now.push_back({hash64(hash64(seed, v), earlier + k), first + k, v});
    }
  };

  void start() {
    const begin_walks one{parts_.handle(), 0, options_.walks, options_.seed};
    if (options_.starts.empty()) {
      on_all_cores([one, vertices = vertices_.handle()] {
        begin_walks mine = one;
        mine.v = static_cast<vertex_id>(vertices.local_begin());
        for (std::uint8_t& each : vertices.local()) {
          mine.first = mine.v * mine.count;
          mine(each);
          ++mine.v;
        }
      });
    } else {
      finish([&] {
        begin_walks mine = one;
        std::unordered_map<vertex_id, std::uint64_t> walks_of;
        for (const vertex_id v : options_.starts) {
          mine.v = v;
          std::uint64_t& walks = walks_of[v];
          mine.earlier = walks;
          walks += mine.count;
          vertices_.async(v, mine);
          mine.first += mine.count;
        }
      });
    }
    on_all_cores([paths = paths_.handle(), parts = parts_.handle(), length = options_.steps + 1] {
      for (const walker& w : parts.here().now)
        paths.async(w.walk * length, [v = w.at](vertex_id& place) { place = v; });
    });
  }

  /// Moves all walks by one step.
  void make_step(std::uint64_t step) {
    on_all_cores([out = adjacency(graph_.out), by_weights = options_.by_weights, step,
                  length = options_.steps + 1, vertices = vertices_.handle(), paths = paths_.handle(),
                  parts = parts_.handle()] {
      walks_here& mine = parts.here();
      const std::uint64_t first = vertices.local_begin(), count = vertices.local().size();
      scan_meter meter(k_top_down);
      for (walker& w : mine.now) {
        const std::span<const vertex_id> row = out[w.at];
        const std::uint64_t random = hash64(w.stream, step);
        ++meter.rows;
        ++meter.arcs;
        const std::uint64_t place = by_weights ? draw(std::span<const double>(mine.sums).subspan(
                                                          out.offsets[w.at] - out.offsets[first], row.size()),
                                                      random)
                                               : draw(row.size(), random);
        if (place == row.size()) continue;
        w.at = row[place];
        paths.async(w.walk * length + step, [v = w.at](vertex_id& at) { at = v; });
        if (w.at - first < count)
          mine.coming.push_back(w);
        else
          vertices.async(w.at, [parts, w](std::uint8_t&) { parts.here().coming.push_back(w); });
      }
      mine.now.clear();
    });
    (void)collect(parts_.handle(), [](walks_here& mine) {
      std::swap(mine.now, mine.coming);
      return 0;
    });
  }

  graph_view graph_;
  const random_walk_options& options_;
  traversal go_;
  scoped_array<std::uint8_t> vertices_;  // not used but to find the owner of a vertex
  scoped_array<vertex_id> paths_;
  scoped_per_core<walks_here> parts_;
  std::uint64_t walks_ = 0;
};

}  // namespace

random_walks_result random_walks(const graph_view& g, const random_walk_options& options,
                                 const progress_hook& progress) {
  if (options.by_weights) {
    if (g.weights == weight_type::none) throw error("random-walks: expected weights to draw by, found none");
    if (const auto bad = find_bad_length(g))
      throw vertex_error(
          {{fmt::format("random-walks: expected weights of 0 or more, found {} from ", bad->weight),
            bad->from},
           {" to ", bad->to}});
  }
  if (g.vertices == 0) return {};
  const std::uint64_t begin = machine::now_ns();
  random_walks_result r = walking(g, options).run(progress);
  r.seconds = machine::seconds_since(begin);
  return r;
}

}  // namespace gossamer::graph
