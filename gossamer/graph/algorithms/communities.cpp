// Communities: the order of the steps. Steps are in internal/community_moves.cpp and community_levels.cpp.
//
// Leiden: moves vertices until few would move, then refines communities: within each, singleton vertices
//   merge if that increases modularity. The refined communities are the vertices of the next level, which
//   begin in the communities from before. A refined community is never split, so each community stays
//   connected. On the last level all vertices stay alone; it is evaluated once more without a threshold, so
//   that no two communities would gain by merging. All of that runs twice; the second time starts from the
//   communities of the first. The better result is kept.
// Refinement: greedy, without the random choice of the paper, as in GVE-Leiden [S. Sahu, 2023]. Only
//   singletons move, into communities that do not move, so merged communities are connected by construction.
// Louvain: the same without refinement, once.
// Labels: rounds of the first level only.
// Levels: each process evaluates levels of few arcs alone, one vertex after another.
#include "gossamer/graph/algorithms/communities.hpp"

#include <fmt/format.h>

#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/hash.hpp"
#include "gossamer/graph/algorithms/internal/community_state.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/store/vertex_error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

/// Runs the steps. Main fiber only.
class community_search {
 public:
  community_search(const community_options& options, const progress_hook& progress,
                   communities_result& result)
      : options_(options), progress_(progress), result_(result) {}

  void run(const graph_view& g);

 private:
  static constexpr std::uint64_t k_small_arcs = 1 << 15;
  static constexpr std::uint64_t k_most_levels = 64;  // never reached so far
  static constexpr std::uint64_t k_most_rounds = 1000;  // likewise
  static constexpr std::uint64_t k_most_refining = 3;  // rounds of a refinement
  static constexpr double k_first_share = 0.3;  // if fewer vertices move, the level ends: Leiden, first run
  static constexpr double k_second_share = 0.01;  // likewise: Leiden, second run
  static constexpr double k_louvain_share = 0.003;  // likewise: Louvain

  /// Makes all processes run a step.
  template <class F>
  void step(F f) const {
    on_all_processes([f, states = states_.handle()] { f(states.here()); });
  }
  const community_facts& facts() const { return states_.handle().here().facts; }
  void levels(double share);
  std::uint64_t move(community_aim aim, double share, std::uint64_t most);

  const community_options& options_;
  const progress_hook& progress_;
  communities_result& result_;
  scoped_per_process<community_state> states_;
};

/// Runs at most so many rounds, until no vertex is marked. Stops early after a round that moves fewer
/// vertices than a share of those evaluated in the first round. Returns the number of moves.
std::uint64_t community_search::move(community_aim aim, double share, std::uint64_t most) {
  step([](community_state& s) { s.recount(); });
  std::uint64_t moved = 0;
  double enough = 0;
  for (std::uint64_t i = 0; i < most; ++i) {
    step([aim, salt = hash_words(options_.seed, result_.rounds)](community_state& s) { s.round(aim, salt); });
    if (i == 0) enough = share * static_cast<double>(facts().evaluated);
    moved += facts().moved;
    report(progress_, "communities", ++result_.rounds, 0);
    if (facts().waiting == 0 || static_cast<double>(facts().moved) < enough) break;
  }
  return moved;
}

/// Runs the steps of each level, from the current level to the last.
void community_search::levels(double share) {
  const bool refines = options_.method == community_method::leiden;
  bool is_exact = false;  // moves without a threshold; then all vertices begin as singletons
  for (std::uint64_t i = 0; i < k_most_levels; ++i) {
    ++result_.levels;
    const std::uint64_t moved = move(community_aim::modularity, is_exact ? 0 : share, k_most_rounds);
    if (is_exact && moved == 0) return;
    if (refines) {
      step([](community_state& s) { s.separate_within(); });
      move(community_aim::refined, 0, k_most_refining);
    }
    step([refines](community_state& s) { s.coarsen(refines); });
    is_exact = !facts().is_smaller;
    if (is_exact) step([](community_state& s) { s.separate(); });
  }
  step([](community_state& s) { s.separate(); });  // each vertex of the level is connected
}

void community_search::run(const graph_view& g) {
  step([g, resolution = options_.resolution,
        small = options_.small_arcs.value_or(k_small_arcs)](community_state& s) {
    s.begin(g, resolution, small);
    s.start_alone();
  });
  if (options_.method == community_method::labels) {
    result_.levels = 1;
    move(community_aim::label, 0, k_most_rounds);
    result_.converged = facts().waiting == 0;
  } else {
    levels(options_.method == community_method::leiden ? k_first_share : k_louvain_share);
  }
  step([](community_state& s) { s.keep(); });
  community_facts found = facts();
  result_.raised_weights = states_.handle().here().raises_weights;
  std::vector<vertex_id> kept = states_.handle().here().kept();
  if (options_.method == community_method::leiden && found.has_modularity) {
    step([](community_state& s) { s.start_from_kept(); });
    levels(k_second_share);
    step([](community_state& s) { s.keep(); });
    if (facts().modularity >= found.modularity) {
      found = facts();
      kept = std::move(states_.handle().here().kept());
    }
  }
  if (found.has_modularity) result_.modularity = found.modularity;
  result_.groups.component = std::move(kept);
}

}  // namespace

communities_result find_communities(const graph_view& g, const community_options& options,
                                    const progress_hook& progress) {
  communities_result r;
  if (g.vertices == 0) return r;
  if (g.weights != weight_type::none)
    if (const auto bad = find_bad_length(g))
      throw vertex_error(
          {{fmt::format("communities: expected weights of 0 or more, found {} from ", bad->weight),
            bad->from},
           {" to ", bad->to}});
  const std::uint64_t weighted_arcs = g.weights == weight_type::none ? 0 : g.arcs;
  machine::require_memory(40 * g.vertices + 8 * weighted_arcs / processes(), "communities");
  const std::uint64_t begin = machine::now_ns();
  community_search(options, progress, r).run(g);
  r.seconds = machine::seconds_since(begin);
  r.groups = components_of_labels(std::move(r.groups.component));
  return r;
}

}  // namespace gossamer::graph
