#pragma once
// The state of a process during a search for communities, and its steps. communities.cpp makes all processes
// run each step together. Data of the vertices lie in every process, and decisions are equal in all.

#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/graph/algorithms/communities.hpp"
#include "gossamer/graph/algorithms/internal/community_level.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

/// The next community of a vertex.
struct community_move {
  vertex_id vertex, to;
};

/// The objective of a move: more modularity; more modularity within the community that limits a vertex that
/// is still alone; the label with the most weight.
enum class community_aim : std::uint8_t { modularity, refined, label };

/// The result of a step. Equal in all processes.
struct community_facts {
  std::uint64_t evaluated = 0;  // vertices that were considered for a move
  std::uint64_t moved = 0;
  std::uint64_t waiting = 0;  // vertices to consider in the next round
  bool is_smaller = false;  // coarsen(): the next level has fewer vertices
  double modularity = 0;
  bool has_modularity = false;
};

class community_state {
 public:
  community_facts facts;
  bool raises_weights = false;  // some are so much smaller than others that they became the least unit

  /// Makes the first level. All processes call these functions together.
  void begin(const graph_view& g, double resolution, std::uint64_t small_arcs);
  /// Resets to the first level, each vertex alone.
  void start_alone();
  /// Resets to the first level, with the communities that were kept.
  void start_from_kept();
  /// Makes each vertex of the level a community of its own.
  void separate();
  /// Does the same, and limits each vertex to the community that it was in.
  void separate_within();
  /// Counts communities, and marks all vertices for the next round.
  void recount();
  /// Evaluates each marked vertex once, in an order that depends on the salt. On a level that each process
  /// computes alone: until none is marked.
  void round(community_aim aim, std::uint64_t salt);
  /// Makes each community a vertex of the next level. Its community there is itself, or, with a limit, the
  /// limiting community.
  void coarsen(bool had_limit);
  /// Keeps the communities of the first level's vertices, named by their smallest vertices, and computes
  /// modularity.
  void keep();
  /// Returns what keep() kept.
  std::vector<vertex_id>& kept() { return kept_; }

 private:
  static constexpr unsigned k_groups = 16;
  static constexpr std::uint8_t k_rests = 255;
  static constexpr std::uint64_t k_vertices_per_chunk = 32;
  static constexpr std::uint64_t k_few_vertices = 64;  // too few to start the cores

  /// The arrays with which a core evaluates vertices.
  struct workspace {
    community_sums sums;
    std::vector<community_move> moves;
    std::vector<community_arc> arcs;  // of the next level, by their first ends
  };
  /// The position of the arcs of a vertex of the next level.
  struct place {
    unsigned core;
    std::uint64_t begin, size;
  };

  void take_weights(const graph_view& g);
  void share_masses();
  void gather_first();
  template <class Weight>
  void take_weights_as(const graph_view& g);
  template <class F>
  void over(std::uint64_t size, F f);
  template <community_aim Aim>
  void round_for(std::uint64_t salt);
  template <community_aim Aim, bool IsDirected>
  void round_of(std::uint64_t salt);
  template <community_aim Aim, bool IsDirected>
  void round_alone(std::uint64_t salt);
  template <community_aim Aim, bool IsDirected>
  vertex_id best_of(vertex_id v, community_sums& sums) const;
  void apply(const std::vector<community_move>& moves);
  void mark_neighbours(const std::vector<community_move>& moves, unsigned group);
  void share_marks();
  std::uint64_t count_marks() const;
  std::uint64_t stride() const { return is_directed_ ? 2 : 1; }
  bool is_massless(vertex_id v) const {
    return is_directed_ ? (level_->mass[2 * v] | level_->mass[2 * v + 1]) == 0 : level_->mass[v] == 0;
  }
  void take_rows(community_level& next, const std::vector<vertex_id>& ids, std::uint64_t count);
  void take_rows_of_all(community_level& next, const std::vector<place>& places, std::uint64_t count);
  void keep_arcs(community_level& next, const std::vector<std::vector<community_arc>>& parts,
                 vertex_range range);

  double resolution_ = 1;
  std::uint64_t small_arcs_ = 0;
  bool is_directed_ = false;
  double all_weight_ = 0;  // of all rows
  community_level first_, next_;
  community_level* level_ = nullptr;
  std::vector<vertex_id> community_;  // by vertex of the level
  std::vector<vertex_id> limit_;  // likewise: the community that limits the vertex
  std::vector<vertex_id> vertex_of_;  // by vertex of the first level: its vertex of this level
  std::vector<vertex_id> kept_;
  std::vector<std::int64_t> mass_;  // by community, as community_level::mass
  std::vector<vertex_id> members_;  // by community: number of vertices
  std::vector<std::uint8_t> marks_;  // by vertex: whether it is considered in the next round
  std::vector<std::uint8_t> turn_;  // by vertex: its group in the round; k_rests: it is in none
  std::vector<std::vector<vertex_id>> groups_;  // own vertices, by group
  std::unique_ptr<local::scoped_per_core<workspace>> workspaces_;
};

}  // namespace gossamer::graph
