#include "gossamer/graph/algorithms/internal/sampled_searches.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/graph/engine/adjacencies.hpp"
#include "gossamer/graph/engine/lone_search.hpp"
#include "gossamer/graph/engine/multi_search.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_levels_to_judge = 64;  // levels after which sharing is measured
constexpr std::uint64_t k_least_shared = 4;  // samples that share an entry of the frontier, on average
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 30;  // of the sums of all cores
constexpr std::uint64_t k_own_bytes = sizeof(distance_sums) + sizeof(vertex_id) + 1;  // per vertex and core

/// Adds up the distances of a vertex, at its owner.
struct add_distances {
  array<distance_sums> sums;
  inverse_unit unit;

  void reached(vertex_id v, source_word sources, std::uint64_t level) const {
    if (level == 0) return;
    sums.local()[v - sums.local_begin()].add(static_cast<std::uint64_t>(std::popcount(sources)), level,
                                             unit.units_of(level));
  }
  void end_level(std::uint64_t) const {}
};

/// The searches of a core, from one sample at a time.
class own_searches {
 public:
  /// Adds the distances from a sample. Returns its eccentricity.
  std::uint64_t run(const directed_adjacency& rows, std::uint64_t vertices, vertex_id sample,
                    const inverse_unit& unit) {
    sums_.resize(vertices);
    return search_.run(rows, vertices, {&sample, 1},
                       [&](std::span<const vertex_id> found, std::uint64_t level) {
                         if (level == 0) return true;
                         const std::uint64_t units = unit.units_of(level);
                         for (const vertex_id v : found) sums_[v].add(1, level, units);
                         return true;
                       });
  }
  /// By vertex; empty before the first search.
  std::span<const distance_sums> sums() const { return sums_; }

 private:
  lone_search search_;
  std::vector<distance_sums> sums_;
};

class sampling {
 public:
  sampling(const traversal& go, std::span<const vertex_id> samples, const array<distance_sums>& sums,
           const progress_hook& progress)
      : go_(go),
        samples_(samples),
        sums_(sums),
        progress_(progress),
        unit_(samples.size()),
        search_(go, directed_adjacency{go.graph().out}, directed_adjacency{go.graph().in}) {}

  std::uint64_t run();

 private:
  bool search_at_once(std::span<const vertex_id> some, bool may_give_up);
  bool shares_little(std::uint64_t entries) const;
  void search_alone();

  const traversal& go_;
  std::span<const vertex_id> samples_;
  array<distance_sums> sums_;
  const progress_hook& progress_;
  inverse_unit unit_;
  multi_search<directed_adjacency> search_;
  std::uint64_t least_ = ~std::uint64_t{0};  // smallest eccentricity of a sample
};

/// Returns whether few samples share an entry of the frontiers. `entries`: their number so far.
bool sampling::shares_little(std::uint64_t entries) const {
  struct total {
    std::uint64_t reached = 0;
    void add(const total& other) { reached += other.reached; }
  };
  const total pairs = go_.core_reduce<total>([sums = sums_] {
    total mine;
    for (const distance_sums& d : sums.local()) mine.reached += d.reached;
    return mine;
  });
  return pairs.reached < k_least_shared * entries;
}

/// Searches from up to 64 samples. May give up if they share little: then it clears the sums, and returns
/// false.
bool sampling::search_at_once(std::span<const vertex_id> some, bool may_give_up) {
  std::vector<search_source> batch;
  for (std::size_t i = 0; i < some.size(); ++i) batch.push_back({some[i], source_word{1} << i});
  std::vector<std::uint64_t> farthest(some.size());
  const add_distances visitor{sums_, unit_};
  search_.start(batch, visitor);
  std::uint64_t entries = 0;
  while (search_.size() != 0) {
    search_.go_on(visitor);
    entries += search_.size();
    for (source_word left = search_.size() != 0 ? search_.sources() : 0; left != 0; left &= left - 1)
      farthest[static_cast<std::size_t>(std::countr_zero(left))] = search_.level();
    if (may_give_up && search_.level() == k_levels_to_judge && shares_little(entries)) {
      on_all_cores([sums = sums_] { fill(sums.local(), distance_sums{}); });
      return false;
    }
  }
  least_ = std::min(least_, std::ranges::min(farthest));
  return true;
}

/// Searches from each sample on one core, and adds up the sums of all cores.
void sampling::search_alone() {
  const scoped_per_core<own_searches> searches;
  std::vector<std::uint64_t> farthest(samples_.size());
  const directed_adjacency rows{go_.graph().out};
  const std::uint64_t vertices = go_.graph().vertices, round = k_word_sources * cores();
  for (std::uint64_t at = 0; at < samples_.size(); at += round) {
    report(progress_, "distances", at, samples_.size());
    local::forall_chunks(at, std::min<std::uint64_t>(at + round, samples_.size()), 1,
                         [=, searches = searches.handle(), samples = samples_, farthest = farthest.data(),
                          unit = unit_](std::uint64_t i, std::uint64_t end) {
                           for (; i < end; ++i)
                             farthest[i] = searches.here().run(rows, vertices, samples[i], unit);
                         });
  }
  least_ = std::ranges::min(farthest);
  on_all_cores([sums = sums_, searches = searches.handle()] {
    scan_meter meter(k_pass);
    const std::span<distance_sums> own = sums.local();
    for (core_id c = 0; c < cores(); ++c) {
      const std::span<const distance_sums> theirs = searches.at(c).sums();
      if (theirs.empty()) continue;
      meter.rows += own.size();
      for (std::size_t i = 0; i < own.size(); ++i) own[i].add(theirs[sums.local_begin() + i]);
    }
  });
}

std::uint64_t sampling::run() {
  const bool may_be_alone = processes() == 1 && go_.graph().vertices * k_own_bytes * cores() <= k_most_bytes;
  for (std::size_t at = 0; at < samples_.size(); at += k_word_sources) {
    report(progress_, "distances", at, samples_.size());
    if (!search_at_once(samples_.subspan(at, std::min(k_word_sources, samples_.size() - at)),
                        may_be_alone && at == 0)) {
      search_alone();
      break;
    }
  }
  return least_;
}

}  // namespace

std::uint64_t search_from_samples(const traversal& go, std::span<const vertex_id> samples,
                                  const array<distance_sums>& sums, const progress_hook& progress) {
  return sampling(go, samples, sums, progress).run();
}

}  // namespace gossamer::graph
