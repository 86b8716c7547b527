#pragma once
// What a process knows while communities are found, and the steps: communities.cpp has all processes take each at once. Facts of the vertices
// lie in every process, and what is decided is the same in all.

#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/graph/algorithms/communities.hpp"
#include "gossamer/graph/algorithms/internal/community_level.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

/// Where a vertex goes.
struct community_move {
  vertex_id vertex, to;
};

/// What vertices look for: more modularity; the same within the community that limits them, as long as they are alone; the label with the most
/// weight.
enum class community_aim : std::uint8_t { modularity, refined, label };

/// What a step told. The same in all processes.
struct community_facts {
  std::uint64_t evaluated = 0;  // vertices that might have moved
  std::uint64_t moved = 0;
  std::uint64_t waiting = 0;  // vertices to look at in the next round
  bool is_smaller = false;  // coarsen(): there is a level of fewer vertices
  double modularity = 0;
  bool has_modularity = false;
};

class community_state {
 public:
  community_facts facts;

  /// Makes the first level. Each process does at once what these functions do.
  void begin(const graph_view& g, double resolution, std::uint64_t small_arcs);
  /// Goes back to the first level, each vertex by itself.
  void start_alone();
  /// Goes back to the first level, and to the communities that were kept.
  void start_from_kept();
  /// Makes each vertex of the level a community by itself.
  void separate();
  /// Does the same, and limits each vertex to the community that it was in.
  void separate_within();
  /// Counts communities, and has all vertices looked at in the next round.
  void recount();
  /// Looks at the waiting vertices, each once, in an order that the salt draws. Of a level that processes go through alone: until none waits.
  void round(community_aim aim, std::uint64_t salt);
  /// Makes each community a vertex of the next level. Its community is its own, or where there was a limit, that.
  void coarsen(bool had_limit);
  /// Keeps the communities of the first level's vertices, named by their smallest vertices, and computes modularity.
  void keep();
  /// Returns what keep() kept.
  std::vector<vertex_id>& kept() { return kept_; }

 private:
  static constexpr unsigned k_groups = 16;
  static constexpr std::uint8_t k_rests = 255;
  static constexpr std::uint64_t k_vertices_per_chunk = 32;
  static constexpr std::uint64_t k_few_vertices = 64;  // not worth a launch of the cores

  /// What a core needs to look at vertices.
  struct workspace {
    community_sums sums;
    std::vector<community_move> moves;
    std::vector<community_arc> arcs;  // of the next level, by their first ends
  };
  /// Where the arcs of a vertex of the next level are.
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
  std::vector<vertex_id> limit_;  // likewise: the community that it must stay in
  std::vector<vertex_id> vertex_of_;  // by vertex of the first level: that of the level
  std::vector<vertex_id> kept_;
  std::vector<std::int64_t> mass_;  // by community, as community_level::mass
  std::vector<vertex_id> members_;  // by community: how many
  std::vector<std::uint8_t> marks_;  // by vertex: whether it waits for the next round
  std::vector<std::uint8_t> turn_;  // by vertex: its group in the round, or k_rests
  std::vector<std::vector<vertex_id>> groups_;  // own vertices, by turn
  std::unique_ptr<local::scoped_per_core<workspace>> workspaces_;
};

}  // namespace gossamer::graph
