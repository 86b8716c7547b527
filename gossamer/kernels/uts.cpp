#include "gossamer/kernels/uts.hpp"

#include <memory>

#include "gossamer/kernels/internal/depth_first.hpp"
#include "gossamer/kernels/internal/uts_families.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::kernels {

namespace {

/// A node and the range of its children that are not made yet. Half a cache line.
struct uts_node {
  sha1_digest state;
  std::uint32_t depth;
  std::uint32_t next, end;
};
static_assert(sizeof(uts_node) == 32);

struct searcher {
  using node = uts_node;

  depth_first<node> shared;
  uts_size found;
  const uts_progress* progress = nullptr;  // core 0

  void start(const uts_tree& tree, std::uint32_t by) {
    table_ = std::make_unique<children_table>(tree);
    families_ = std::make_unique<uts_families>();
    method_ = &sha1_methods()[by];
  }
  bool empty() const { return shared.waiting.empty(); }
  void step(const per_core<searcher>&) {
    constexpr unsigned k_batches = 32;  // 512 nodes, some 10 us
    for (unsigned i = 0; i < k_batches && !empty(); ++i) expand();
  }
  void report() const {
    if (progress != nullptr) (*progress)(found.nodes* cores());
  }

 private:
  void expand();

  std::unique_ptr<children_table> table_;
  std::unique_ptr<uts_families> families_;
  const sha1_method* method_ = nullptr;
};

void searcher::expand() {
  uts_families& f = *families_;
  f.make(shared.waiting, *method_);
  found.nodes += f.lanes;
  charge_work(f.lanes * k_node_ns);
  for (unsigned k = 0; k < f.families; ++k) {
    const auto& family = f.of[k];
    found.depth = std::max<std::uint64_t>(found.depth, family.depth);
    const children_table::row& row = table_->at(family.depth);
    if (row.barren()) {
      found.leaves += family.count;
      continue;
    }
    for (unsigned lane = family.lane; lane < family.lane + family.count; ++lane) {
      const std::uint32_t children = row.children(f.batch.out[4][lane]);
      if (children == 0)
        ++found.leaves;
      else
        shared.waiting.push({f.batch.digest(lane), family.depth, 0, children});
    }
  }
}

uts_size sum(const per_core<searcher>& all) {
  uts_size total;
  for (const uts_size& s : collect(all, [](searcher& one) { return one.found; })) total += s;
  return total;
}

}  // namespace

uts_result search_tree(const uts_tree& tree, const uts_progress& progress, std::uint32_t method) {
  const scoped_per_core<searcher> searchers;
  const per_core<searcher> all = searchers.handle();
  on_all_cores([all, tree, method] { all.here().start(tree, method); });
  const std::uint64_t start = machine::now_ns();
  searcher& mine = all.here();
  if (progress) mine.progress = &progress;
  const uts_node root{root_state(tree), 0, 0, children_of(tree, root_state(tree), 0)};
  mine.found = {1, 0, root.end == 0 ? std::uint64_t{1} : 0};
  if (root.end > 0) {
    mine.shared.waiting.push(root);
    on_core(here(), [all] { work(all); });
  }
  return {sum(all), machine::seconds_since(start)};
}

uts_size search_tree_serially(const uts_tree& tree) {
  std::vector<uts_node> waiting;
  uts_size found;
  const auto visit = [&](const sha1_digest& state, std::uint32_t depth) {
    const std::uint32_t children = children_of(tree, state, depth);
    found += {1, depth, children == 0 ? std::uint64_t{1} : 0};
    if (children != 0) waiting.push_back({state, depth, 0, children});
  };
  visit(root_state(tree), 0);
  while (!waiting.empty()) {
    uts_node& parent = waiting.back();
    const sha1_digest state = child_state(parent.state, parent.next);
    const std::uint32_t depth = parent.depth + 1;
    if (++parent.next == parent.end) waiting.pop_back();
    visit(state, depth);
  }
  return found;
}

}  // namespace gossamer::kernels
