#include "gossamer/graph/algorithms/internal/hooking.hpp"

#include <atomic>
#include <numeric>
#include <utility>

#include "gossamer/parallel/fiber.hpp"

namespace gossamer::graph {

namespace {
constexpr std::uint64_t k_join_ns = 100;  // cost of a serially joined edge in simulations
}

vertex_id find_root(std::span<vertex_id> label, std::uint64_t first, vertex_id v) {
  while (label[v - first] != v) {
    const vertex_id up = label[v - first];
    label[v - first] = label[up - first];
    v = up;
  }
  return v;
}

void link_roots(vertex_id* label, vertex_id u, vertex_id v) {
  const auto up = [label](vertex_id x) { return std::atomic_ref(label[x]).load(std::memory_order_relaxed); };
  vertex_id a = up(u), b = up(v);
  while (a != b) {
    vertex_id high = std::max(a, b);
    const vertex_id low = std::min(a, b);
    const vertex_id above = up(high);
    if (above == low) return;
    if (above == high &&
        std::atomic_ref(label[high])
            .compare_exchange_strong(high, low, std::memory_order_relaxed))  // trees: no data
      return;
    a = up(up(std::max(a, b)));
    b = up(low);
  }
}

void jump_to_root(vertex_id* label, vertex_id v) {
  const auto up = [label](vertex_id x) { return std::atomic_ref(label[x]).load(std::memory_order_relaxed); };
  vertex_id root = up(v);
  const vertex_id old = root;
  for (vertex_id next; (next = up(root)) != root;) root = next;
  if (root != old) std::atomic_ref(label[v]).store(root, std::memory_order_relaxed);  // trees: no data
}

array<vertex_id> hooking::proposals() {
  if (!proposal_) {
    proposal_ = scoped_array<vertex_id>(label_.size(), by_boundaries(bounds_));
    on_all_cores([proposal = proposal_.handle()] { std::ranges::fill(proposal.local(), k_no_vertex); });
  }
  return proposal_.handle();
}

std::uint64_t hooking::sum_sizes(auto member) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t size :
       collect(parts_.handle(), [member](core_part& p) { return std::uint64_t{(p.*member).size()}; }))
    sum += size;
  return sum;
}

std::uint64_t hooking::open_edges() const { return sum_sizes(&core_part::open); }

void hooking::local_union() {
  std::vector<root_pair> all;
  for (const auto& part : collect_spans<root_pair>(
           parts_.handle(), [](core_part& p) { return std::span<const root_pair>(p.open); }))
    all.insert(all.end(), part.begin(), part.end());
  std::vector<vertex_id> ids;
  for (const root_pair e : all) ids.insert(ids.end(), {e.high, e.low});
  charge_work(all.size() * k_join_ns);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto number = [&](vertex_id v) {
    return static_cast<vertex_id>(std::ranges::lower_bound(ids, v) - ids.begin());
  };
  std::vector<vertex_id> up(ids.size());
  std::iota(up.begin(), up.end(), vertex_id{0});
  for (const root_pair e : all) {
    const vertex_id a = find_root(up, 0, number(e.high)), b = find_root(up, 0, number(e.low));
    up[std::max(a, b)] = std::min(a, b);
  }
  finish([&] {
    for (vertex_id i = 0; i < ids.size(); ++i)
      label_.async(ids[i], [root = ids[find_root(up, 0, i)]](vertex_id& label) { label = root; });
  });
}

void hooking::join_in_rounds(const progress_hook& progress) {
  (void)proposals();
  for (std::uint64_t round = 2; open_edges() > 0; ++round) {
    report(progress, "components", round, 0);
    propose_open();
    accept_proposals();
    relabel_open();
  }
}

void hooking::propose_open() {
  on_all_cores([proposal = proposal_.handle(), parts = parts_.handle()] {
    for (root_pair e : parts.here().open) proposal.async(e.high, propose{parts, e.high, e.low});
  });
}

void hooking::take_proposals() {
  on_all_cores([labels = label_.handle(), proposals = proposal_.handle(), parts = parts_.handle()] {
    core_part& mine = parts.here();
    const std::uint64_t first = labels.local_begin();
    for (vertex_id root : mine.proposed) {
      labels.local()[root - first] = std::exchange(proposals.local()[root - first], k_no_vertex);
    }
    mine.jumping.swap(mine.proposed);
    mine.proposed.clear();
  });
}

void hooking::accept_proposals() {
  take_proposals();
  jump_to_roots();
}

void hooking::jump_to_roots() {
  while (sum_sizes(&core_part::jumping) > 0) {
    on_all_cores([labels = label_.freeze(), parts = parts_.handle()] {
      core_part& mine = parts.here();
      mine.jumps.clear();
      // A vertex that points to a root is removed: roots do not change while other vertices jump.
      std::erase_if(mine.jumping, [&](vertex_id v) {
        const vertex_id up = labels[labels[v]];
        if (up == labels[v]) return true;
        mine.jumps.push_back(up);
        return false;
      });
    });
    label_.thaw();
    on_all_cores([labels = label_.handle(), parts = parts_.handle()] {
      const core_part& mine = parts.here();
      for (std::size_t i = 0; i < mine.jumping.size(); ++i) {
        labels.local()[mine.jumping[i] - labels.local_begin()] = mine.jumps[i];
      }
    });
  }
}

void hooking::relabel_open() {
  on_all_cores([labels = label_.freeze(), parts = parts_.handle()] {
    std::vector<root_pair>& open = parts.here().open;
    for (root_pair& e : open) e = root_pair::of(labels[e.high], labels[e.low]);
    std::erase_if(open, [](root_pair e) { return e.high == e.low; });
  });
  label_.thaw();
}

}  // namespace gossamer::graph
