// The levels: the integer weights of the first, and the graph of communities of each level. Each process sums
// the rows of its own vertices by community. It sends the sums to the owner of the community, which adds
// them. Communities are divided evenly among processes by number.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "gossamer/graph/algorithms/internal/community_state.hpp"
#include "gossamer/graph/engine/scan_cost.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

constexpr scan_cost k_community_sum{10'000, 5'000};  // an arc: added to the sum of its communities
constexpr int k_weight_bits = 60;  // of the sum of all weights

/// Returns the sum of a value over all processes.
std::uint64_t sum_of_processes(std::uint64_t mine) {
  const auto all = all_gather_processes(mine);
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

/// Returns the exponent of the power of two that scales weights, so that the sum of all fits. Returns 0 for
/// integers whose sum fits.
template <class Weight>
int weight_exponent(Weight largest, std::uint64_t arcs) {
  if (largest <= 0) return 0;
  const int bits = std::ilogb(static_cast<double>(largest)) + static_cast<int>(std::bit_width(arcs)) + 1;
  return std::is_integral_v<Weight> ? std::min(0, k_weight_bits - bits) : k_weight_bits - bits;
}

template <class Weight>
std::int64_t whole_weight(Weight weight, int exponent) {
  if constexpr (std::is_integral_v<Weight>)
    if (exponent == 0) return static_cast<std::int64_t>(weight);
  if (!(weight > 0)) return 0;
  return std::max<std::int64_t>(1, std::llrint(std::ldexp(static_cast<double>(weight), exponent)));
}

}  // namespace

template <class Weight>
void community_state::take_weights_as(const graph_view& g) {
  const vertex_range own = first_.own;
  const std::uint64_t begin = g.out.offsets[own.begin], end = g.out.offsets[own.end];
  const Weight* const out = g.out.weights_as<Weight>();
  Weight largest = begin == end ? Weight{0} : *std::max_element(out + begin, out + end);
  largest = std::ranges::max(all_gather_processes(largest));
  const int exponent = weight_exponent(largest, 2 * g.arcs);
  Weight least = largest;  // above 0
  for (std::uint64_t i = begin; i < end; ++i)
    if (out[i] > 0) least = std::min(least, out[i]);
  least = std::ranges::min(all_gather_processes(least));
  raises_weights = least > 0 && std::ldexp(static_cast<double>(least), exponent) < 1;
  const adjacency rows[2] = {g.out, g.in};
  for (unsigned d = 0; d < first_.directions.size(); ++d) {
    const std::uint64_t from = rows[d].offsets[own.begin], to = rows[d].offsets[own.end];
    std::vector<std::int64_t> whole(to - from);
    const Weight* const weights = rows[d].weights_as<Weight>();
    pass_over(k_pass, whole,
              [&, at = from](std::int64_t& w) mutable { w = whole_weight(weights[at++], exponent); });
    first_.directions[d].weights = first_.keep_weights(d, std::move(whole), from);
  }
}

void community_state::take_weights(const graph_view& g) {
  if (g.weights == weight_type::none) return;
  with_weight_type(g.weights, [&]<class Weight>(std::type_identity<Weight>) { take_weights_as<Weight>(g); });
}

/// Sends the masses of own vertices of the first level to the other processes.
void community_state::share_masses() {
  if (processes() == 1) return;
  const vertex_range own = first_.own;
  const auto begin = first_.mass.begin();
  const std::vector<std::int64_t> mine(begin + static_cast<std::ptrdiff_t>(own.begin * stride()),
                                       begin + static_cast<std::ptrdiff_t>(own.end * stride()));
  auto at = begin;
  for (const auto& part : exchange(std::vector(processes(), mine))) at = std::ranges::copy(part, at).out;
}

void community_state::begin(const graph_view& g, double resolution, std::uint64_t small_arcs) {
  resolution_ = resolution;
  small_arcs_ = small_arcs;
  is_directed_ = g.directed;
  workspaces_ = std::make_unique<local::scoped_per_core<workspace>>();
  level_ = &first_;
  first_.vertices = g.vertices;
  first_.own = own_vertices(g);
  first_.directions = {{g.out.offsets, g.out.targets, nullptr}};
  if (is_directed_) first_.directions.push_back({g.in.offsets, g.in.targets, nullptr});
  take_weights(g);
  first_.mass.assign(g.vertices * stride(), 0);
  const auto add_up = [this](std::uint64_t begin, std::uint64_t end) {
    scan_meter meter(k_pull);
    meter.rows += end - begin;
    for (std::uint64_t v = begin; v < end; ++v)
      for (std::uint64_t i = 0; i < stride(); ++i) {
        const community_level::direction& d = first_.directions[i];
        const std::uint64_t from = d.offsets[v], to = d.offsets[v + 1];
        first_.mass[v * stride() + i] =
            d.weights == nullptr ? static_cast<std::int64_t>(to - from)
                                 : std::accumulate(d.weights + from, d.weights + to, std::int64_t{0});
        meter.arcs += d.weights == nullptr ? 0 : to - from;
      }
  };
  local::forall_chunks(first_.own.begin, first_.own.end, 4096, add_up);
  share_masses();
  all_weight_ = static_cast<double>(std::accumulate(first_.mass.begin(), first_.mass.end(), std::int64_t{0}));
  first_.is_alone = g.arcs <= small_arcs_;
  if (first_.is_alone && processes() > 1) gather_first();
}

/// Copies all rows of the first level to each process.
void community_state::gather_first() {
  std::vector<community_arc> mine;
  for (std::uint64_t v = first_.own.begin; v < first_.own.end; ++v)
    first_.for_each(static_cast<vertex_id>(v), [&](vertex_id n, std::int64_t weight) {
      mine.push_back({static_cast<vertex_id>(v), n, weight});
    });
  keep_arcs(first_, exchange(std::vector(processes(), mine)), {0, first_.vertices});
}

/// Builds the rows of the vertices of a range from their arcs. Adds up arcs between the same vertices.
void community_state::keep_arcs(community_level& next, const std::vector<std::vector<community_arc>>& parts,
                                vertex_range range) {
  std::vector<std::uint64_t> begins(range.size() + 1);
  for (const auto& part : parts)
    for (const community_arc& a : part) ++begins[a.from - range.begin + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::pair<vertex_id, std::int64_t>> ends(begins.back());
  std::vector<std::uint64_t> at(begins.begin(), begins.end() - 1);
  for (const auto& part : parts)
    for (const community_arc& a : part) ends[at[a.from - range.begin]++] = {a.to, a.weight};
  std::vector<std::uint64_t> offsets{0};
  std::vector<vertex_id> targets;
  std::vector<std::int64_t> weights;
  community_sums& sums = workspaces_->here().sums;
  scan_meter meter(k_community_sum);
  for (std::uint64_t v = 0; v < range.size(); ++v) {
    sums.clear(begins[v + 1] - begins[v]);
    for (std::uint64_t i = begins[v]; i < begins[v + 1]; ++i) sums.add(ends[i].first, ends[i].second);
    sums.for_each([&](vertex_id to, std::int64_t weight) {
      targets.push_back(to);
      weights.push_back(weight);
    });
    offsets.push_back(targets.size());
    ++meter.rows;
  }
  meter.arcs += ends.size();
  next.keep(range.begin, std::move(offsets), std::move(targets), std::move(weights));
}

void community_state::start_alone() {
  level_ = &first_;
  vertex_of_.resize(first_.vertices);
  std::iota(vertex_of_.begin(), vertex_of_.end(), vertex_id{0});
  separate();
}

void community_state::start_from_kept() {
  start_alone();
  community_ = kept_;
}

void community_state::separate() {
  community_.resize(level_->vertices);
  std::iota(community_.begin(), community_.end(), vertex_id{0});
}

void community_state::separate_within() {
  limit_ = community_;
  separate();
}

void community_state::coarsen(bool had_limit) {
  const std::uint64_t n = level_->vertices;
  facts = {};
  std::vector<vertex_id> ids(n, 0);
  for (const vertex_id c : community_) ids[c] = 1;
  std::uint64_t count = 0;
  for (vertex_id& id : ids) {
    const bool is_used = id != 0;
    id = static_cast<vertex_id>(count);
    count += is_used;
  }
  if (count == n) return;
  facts.is_smaller = true;
  for (vertex_id& c : community_) c = ids[c];  // now by vertex of this level: the vertex of the next level
  community_level next;
  next.vertices = count;
  next.mass.assign(count * stride(), 0);
  for (std::uint64_t v = 0; v < n; ++v)
    for (std::uint64_t i = 0; i < stride(); ++i)
      next.mass[community_[v] * stride() + i] += level_->mass[v * stride() + i];
  take_rows(next, community_, count);
  std::vector<vertex_id> names(count);
  std::iota(names.begin(), names.end(), vertex_id{0});
  if (had_limit) {
    std::vector<vertex_id> name(n, k_no_vertex);  // by limit: the first vertex of the next level in it
    std::vector<vertex_id> limit(count);
    for (std::uint64_t v = 0; v < n; ++v) limit[community_[v]] = limit_[v];
    for (std::uint64_t c = 0; c < count; ++c) {
      if (name[limit[c]] == k_no_vertex) name[limit[c]] = static_cast<vertex_id>(c);
      names[c] = name[limit[c]];
    }
  }
  for (vertex_id& v : vertex_of_) v = community_[v];
  community_ = std::move(names);
  next_ = std::move(next);
  level_ = &next_;
}

/// Sums up the rows of the next level. `ids`: by vertex of this level, its vertex of the next level.
void community_state::take_rows(community_level& next, const std::vector<vertex_id>& ids,
                                std::uint64_t count) {
  const vertex_range own = level_->own;
  std::vector<std::uint64_t> begins(count + 1);
  for (std::uint64_t v = own.begin; v < own.end; ++v) ++begins[ids[v] + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<vertex_id> members(own.size());
  std::vector<std::uint64_t> at(begins.begin(), begins.end() - 1);
  for (std::uint64_t v = own.begin; v < own.end; ++v) members[at[ids[v]]++] = static_cast<vertex_id>(v);

  std::vector<place> places(count);
  const auto add_up = [&](std::uint64_t begin, std::uint64_t end) {
    workspace& mine = workspaces_->here();
    scan_meter meter(k_community_sum);
    for (std::uint64_t c = begin; c < end; ++c) {
      std::uint64_t arcs = 0;
      for (std::uint64_t i = begins[c]; i < begins[c + 1]; ++i) arcs += level_->degree(members[i]);
      mine.sums.clear(std::min(arcs, count));
      for (std::uint64_t i = begins[c]; i < begins[c + 1]; ++i)
        level_->for_each(members[i], [&](vertex_id n, std::int64_t w) { mine.sums.add(ids[n], w); });
      meter.rows += begins[c + 1] - begins[c];
      meter.arcs += arcs;
      places[c] = {local::here(), mine.arcs.size(), 0};
      mine.sums.for_each([&](vertex_id to, std::int64_t weight) {
        if (to != c) mine.arcs.push_back({static_cast<vertex_id>(c), to, weight});
      });
      places[c].size = mine.arcs.size() - places[c].begin;
    }
  };
  if (level_->is_alone)
    add_up(0, count);
  else
    local::forall_chunks(0, count, 64, add_up);
  next.is_alone = level_->is_alone;
  if (processes() == 1 || level_->is_alone) {
    std::vector<std::uint64_t> offsets(count + 1);
    for (std::uint64_t c = 0; c < count; ++c) offsets[c + 1] = offsets[c] + places[c].size;
    std::vector<vertex_id> targets(offsets.back());
    std::vector<std::int64_t> weights(offsets.back());
    const auto copy = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t c = begin; c < end; ++c) {
        const community_arc* const from = workspaces_->at(places[c].core).arcs.data() + places[c].begin;
        for (std::uint64_t i = 0; i < places[c].size; ++i) {
          targets[offsets[c] + i] = from[i].to;
          weights[offsets[c] + i] = from[i].weight;
        }
      }
    };
    if (level_->is_alone)
      copy(0, count);
    else
      local::forall_chunks(0, count, 1024, copy);
    next.is_alone |= offsets.back() <= small_arcs_;
    next.keep(0, std::move(offsets), std::move(targets), std::move(weights));
  } else {
    take_rows_of_all(next, places, count);
  }
  for (unsigned c = 0; c < local::cores(); ++c) workspaces_->at(c).arcs.clear();
}

/// Sends the rows that this process has summed up to their owners.
void community_state::take_rows_of_all(community_level& next, const std::vector<place>& places,
                                       std::uint64_t count) {
  const auto begin_of = [count](unsigned p) { return count * p / processes(); };
  std::vector<std::vector<community_arc>> chunks(processes());
  unsigned owner = 0;
  for (std::uint64_t c = 0; c < count; ++c) {
    while (c >= begin_of(owner + 1)) ++owner;
    const community_arc* const from = workspaces_->at(places[c].core).arcs.data() + places[c].begin;
    chunks[owner].insert(chunks[owner].end(), from, from + places[c].size);
  }
  keep_arcs(next, exchange(std::move(chunks)), {begin_of(process()), begin_of(process() + 1)});
  const std::uint64_t arcs = next.directions[0].offsets[next.own.end];
  next.is_alone = sum_of_processes(arcs) <= small_arcs_;
  if (!next.is_alone) return;
  std::vector<community_arc> mine;
  for (std::uint64_t c = next.own.begin; c < next.own.end; ++c)
    next.for_each(static_cast<vertex_id>(c), [&](vertex_id to, std::int64_t weight) {
      mine.push_back({static_cast<vertex_id>(c), to, weight});
    });
  keep_arcs(next, exchange(std::vector(processes(), mine)), {0, count});
}

void community_state::keep() {
  facts = {};
  std::vector<vertex_id> least(level_->vertices, k_no_vertex);  // by community
  kept_.resize(first_.vertices);
  for (std::uint64_t v = 0; v < first_.vertices; ++v) {
    vertex_id& name = least[community_[vertex_of_[v]]];
    if (name == k_no_vertex) name = static_cast<vertex_id>(v);
    kept_[v] = name;
  }
  if (all_weight_ == 0) return;
  const vertex_range own =
      first_.is_alone || processes() == 1 ? vertex_range{0, first_.vertices} : first_.own;
  local::scoped_per_core<std::uint64_t> inside;
  local::forall_chunks(own.begin, own.end, 512, [&](std::uint64_t begin, std::uint64_t end) {
    scan_meter meter(k_pull);
    std::uint64_t sum = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      ++meter.rows;
      first_.for_each(static_cast<vertex_id>(v), [&](vertex_id n, std::int64_t weight) {
        ++meter.arcs;
        sum += kept_[n] == kept_[v] ? static_cast<std::uint64_t>(weight) : 0;
      });
    }
    inside.here() += sum;
  });
  std::uint64_t all = inside.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  if (!first_.is_alone) all = sum_of_processes(all);
  mass_.assign(first_.vertices * stride(), 0);
  for (std::uint64_t v = 0; v < first_.vertices; ++v)
    for (std::uint64_t i = 0; i < stride(); ++i)
      mass_[kept_[v] * stride() + i] += first_.mass[v * stride() + i];
  const double of_direction = is_directed_ ? all_weight_ / 2 : all_weight_;
  double by_chance = 0;
  for (std::uint64_t c = 0; c < first_.vertices; ++c)
    by_chance += static_cast<double>(mass_[c * stride()]) / of_direction *
                 (static_cast<double>(mass_[(c + 1) * stride() - 1]) / of_direction);
  facts.modularity = static_cast<double>(all) / all_weight_ - resolution_ * by_chance;
  facts.has_modularity = true;
}

}  // namespace gossamer::graph
