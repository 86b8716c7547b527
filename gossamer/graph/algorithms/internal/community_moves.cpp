// Rounds of moves. A hash divides the marked vertices into 16 groups, which are processed one after another.
// The decisions of a group depend only on the state before the group, so the cores may share them. Then all
// decisions are applied [synchronous sub-rounds: L. Gottesbüren, M. Hamann, "Deterministic Parallel
// Hypergraph Partitioning", Euro-Par 2022]. A singleton that would join a singleton of the same group waits
// for the next round, which has other groups: the other one may leave, too, and the two would only change
// places.
// Waiting vertices: the neighbours of a moved vertex, except those in its new community, and those whose
//   group is still to be processed.
// Phases: while a group decides, only marks of vertices are written; then each process applies all moves,
//   of all processes.
#include <algorithm>
#include <atomic>

#include "gossamer/base/random.hpp"
#include "gossamer/graph/algorithms/internal/community_state.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

constexpr scan_cost k_community_move{20'000, 6'000};  // not measured: as k_push

}  // namespace

template <community_aim Aim, bool IsDirected>
vertex_id community_state::best_of(vertex_id v, community_sums& sums) const {
  const community_level& level = *level_;
  sums.clear(std::min(level.degree(v), level.vertices));
  level.for_each(v, [&](vertex_id n, std::int64_t weight) {
    if (Aim != community_aim::refined || limit_[n] == limit_[v]) sums.add(community_[n], weight);
  });
  const vertex_id own = community_[v];
  vertex_id to = own;
  if constexpr (Aim == community_aim::label) {
    std::int64_t most = sums.of(own);
    sums.for_each([&](vertex_id c, std::int64_t weight) {
      if (weight > most || (weight == most && to != own && c < to)) {
        most = weight;
        to = c;
      }
    });
    return to;
  }
  // The score of a community: the weight to it, minus the weight expected by chance. It is the gain of
  // modularity but for a constant factor.
  double out, in = 0, by_chance;
  if constexpr (IsDirected) {
    out = static_cast<double>(level.mass[2 * v]);
    in = static_cast<double>(level.mass[2 * v + 1]);
    by_chance = 2 * resolution_ / all_weight_;
  } else {
    out = static_cast<double>(level.mass[v]);
    by_chance = resolution_ / all_weight_ * out;
  }
  const auto score = [&](vertex_id c, std::int64_t weight, double without) {
    if constexpr (IsDirected) {
      const double others_out = static_cast<double>(mass_[2 * c]) - without * out;
      const double others_in = static_cast<double>(mass_[2 * c + 1]) - without * in;
      return static_cast<double>(weight) - by_chance * (out * others_in + in * others_out);
    } else {
      return static_cast<double>(weight) - by_chance * (static_cast<double>(mass_[c]) - without * out);
    }
  };
  double most = score(own, sums.of(own), 1) + 1e-10 * (out + in);
  sums.for_each([&](vertex_id c, std::int64_t weight) {
    if (c == own) return;
    const double s = score(c, weight, 0);
    if (s > most || (s == most && to != own && c < to)) {
      most = s;
      to = c;
    }
  });
  return to;
}

template <class F>
void community_state::over(std::uint64_t size, F f) {
  const auto chunk = [this, &f](std::uint64_t begin, std::uint64_t end) {
    workspace& mine = workspaces_->here();
    scan_meter meter(k_community_move);
    for (std::uint64_t i = begin; i < end; ++i) f(i, mine, meter);
  };
  if (size <= k_few_vertices)
    chunk(0, size);
  else
    local::forall_chunks(0, size, k_vertices_per_chunk, chunk);
}

void community_state::recount() {
  const std::uint64_t n = level_->vertices;
  mass_.assign(n * stride(), 0);
  members_.assign(n, 0);
  for (std::uint64_t v = 0; v < n; ++v) {
    ++members_[community_[v]];
    for (std::uint64_t i = 0; i < stride(); ++i)
      mass_[community_[v] * stride() + i] += level_->mass[v * stride() + i];
  }
  marks_.assign(n, 1);
  turn_.assign(n, k_rests);
}

void community_state::apply(const std::vector<community_move>& moves) {
  for (const auto& [v, to] : moves) {
    const vertex_id from = community_[v];
    for (std::uint64_t i = 0; i < stride(); ++i) {
      const std::int64_t mass = level_->mass[v * stride() + i];
      mass_[from * stride() + i] -= mass;
      mass_[to * stride() + i] += mass;
    }
    --members_[from];
    ++members_[to];
    community_[v] = to;
  }
}

void community_state::mark_neighbours(const std::vector<community_move>& moves, unsigned group) {
  over(moves.size(), [&](std::uint64_t i, workspace&, scan_meter& meter) {
    const auto [v, to] = moves[i];
    ++meter.rows;
    level_->for_each(v, [&](vertex_id n, std::int64_t) {
      ++meter.arcs;
      const bool follows = turn_[n] != k_rests && turn_[n] > group;
      if (community_[n] != to && !follows)
        std::atomic_ref(marks_[n]).store(1, std::memory_order_relaxed);  // read after a barrier
    });
  });
}

/// Marks the vertices that any process has marked.
void community_state::share_marks() {
  if (processes() == 1) return;
  constexpr std::uint64_t k_bits = 64;
  std::vector<std::uint64_t> mine((marks_.size() + k_bits - 1) / k_bits);
  for (std::size_t v = 0; v < marks_.size(); ++v) mine[v / k_bits] |= std::uint64_t{marks_[v]} << v % k_bits;
  for (const auto& bits : exchange(std::vector(processes(), mine)))
    for (std::size_t v = 0; v < marks_.size(); ++v)
      marks_[v] |= static_cast<std::uint8_t>(bits[v / k_bits] >> v % k_bits & 1);
}

std::uint64_t community_state::count_marks() const {
  return static_cast<std::uint64_t>(std::ranges::count(marks_, std::uint8_t{1}));
}

template <community_aim Aim, bool IsDirected>
void community_state::round_of(std::uint64_t salt) {
  const std::uint64_t n = level_->vertices;
  facts = {};
  groups_.resize(k_groups);
  for (auto& group : groups_) group.clear();
  pass_over(k_pass, marks_, [&, v = vertex_id{0}](std::uint8_t& mark) mutable {
    turn_[v] = k_rests;
    if (mark != 0 && !is_massless(v)) {
      turn_[v] = static_cast<std::uint8_t>(hash64(v ^ salt) % k_groups);
      ++facts.evaluated;
      if (level_->own.has(v)) groups_[turn_[v]].push_back(v);
    }
    mark = 0;
    ++v;
  });
  std::vector<community_move> moves;
  for (unsigned group = 0; group < k_groups; ++group) {
    const std::vector<vertex_id>& turn = groups_[group];
    over(turn.size(), [&](std::uint64_t i, workspace& mine, scan_meter& meter) {
      const vertex_id v = turn[i], own = community_[v];
      if (Aim == community_aim::refined && members_[own] != 1) return;  // others have joined it
      ++meter.rows;
      meter.arcs += level_->degree(v);
      const vertex_id to = best_of<Aim, IsDirected>(v, mine.sums);
      if (to == own) return;
      const bool may_leave = members_[to] == 1 && turn_[to] == group;
      if (Aim != community_aim::label && may_leave && members_[own] == 1)
        marks_[v] = 1;
      else
        mine.moves.push_back({v, to});
    });
    moves.clear();
    for (unsigned c = 0; c < local::cores(); ++c) {
      auto& of_core = workspaces_->at(c).moves;
      moves.insert(moves.end(), of_core.begin(), of_core.end());
      of_core.clear();
    }
    if (processes() == 1) {
      apply(moves);
      facts.moved += moves.size();
    } else {
      for (const auto& of_process : exchange(std::vector(processes(), moves))) {
        apply(of_process);
        facts.moved += of_process.size();
      }
    }
    if (Aim != community_aim::refined) mark_neighbours(moves, group);
  }
  share_marks();
  facts.waiting = n == 0 ? 0 : count_marks();
}

template <community_aim Aim, bool IsDirected>
void community_state::round_alone(std::uint64_t salt) {
  facts = {};
  std::vector<std::pair<std::uint64_t, vertex_id>> order;
  community_sums& sums = workspaces_->here().sums;
  scan_meter meter(k_community_move);
  do {
    order.clear();
    for (std::uint64_t v = 0; v < level_->vertices; ++v) {
      if (marks_[v] != 0 && !is_massless(static_cast<vertex_id>(v)))
        order.emplace_back(hash64(v ^ salt), static_cast<vertex_id>(v));
      else
        marks_[v] = 0;
    }
    std::ranges::sort(order);
    facts.evaluated += order.size();
    for (const auto& [hash, v] : order) {
      marks_[v] = 0;
      if (Aim == community_aim::refined && members_[community_[v]] != 1) continue;
      ++meter.rows;
      meter.arcs += level_->degree(v);
      const vertex_id to = best_of<Aim, IsDirected>(v, sums);
      if (to == community_[v]) continue;
      apply({{v, to}});
      ++facts.moved;
      if (Aim != community_aim::refined)
        level_->for_each(v, [&](vertex_id n, std::int64_t) { marks_[n] |= community_[n] != to; });
    }
    salt = hash64(salt);
  } while (!order.empty());
}

template <community_aim Aim>
void community_state::round_for(std::uint64_t salt) {
  if (level_->is_alone)
    is_directed_ ? round_alone<Aim, true>(salt) : round_alone<Aim, false>(salt);
  else
    is_directed_ ? round_of<Aim, true>(salt) : round_of<Aim, false>(salt);
}

void community_state::round(community_aim aim, std::uint64_t salt) {
  switch (aim) {
    case community_aim::modularity:
      return round_for<community_aim::modularity>(salt);
    case community_aim::refined:
      return round_for<community_aim::refined>(salt);
    case community_aim::label:
      return round_for<community_aim::label>(salt);
  }
}

}  // namespace gossamer::graph
