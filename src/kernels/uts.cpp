#include "gossamer/kernels/uts.hpp"

#include <memory>

#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "uts_expander.hpp"

namespace gossamer::kernels {

namespace {

/// What one core knows and has to do. Nodes that arrive while it works are added to its stack.
struct searcher {
  node_stack<uts_node> waiting;
  std::unique_ptr<children_table> table;
  const sha1_method* method = nullptr;
  bool working = false;
  uts_size found;
  std::unique_ptr<uts_families> families;
  const uts_progress* progress = nullptr;  // core 0

  void start(const uts_tree& tree, std::uint32_t by) {
    table = std::make_unique<children_table>(tree);
    families = std::make_unique<uts_families>();
    method = &sha1_methods()[by];
  }
  void expand();
};

void searcher::expand() {
  uts_families& f = *families;
  f.make(waiting, *method);
  found.nodes += f.lanes;
  for (unsigned k = 0; k < f.families; ++k) {
    const auto [first, count, depth] = f.of[k];
    found.depth = std::max<std::uint64_t>(found.depth, depth);
    const children_table::row& row = table->at(depth);
    if (row.barren()) {
      found.leaves += count;
      continue;
    }
    for (unsigned lane = first; lane < first + count; ++lane) {
      const std::uint32_t children = row.children(f.batch.out[4][lane]);
      if (children == 0)
        ++found.leaves;
      else
        waiting.push({f.batch.digest(lane), depth, 0, children});
    }
  }
}

/// Nodes on their way to whoever takes them.
struct handful {
  static constexpr std::size_t k_most = 30;

  per_core<searcher> all;
  std::uint64_t count = 0;
  std::array<uts_node, k_most> nodes;

  void operator()() const;
};

bool give_away(const per_core<searcher>& all, searcher& mine) {
  handful h{all, 0, {}};
  h.count = mine.waiting.take_oldest(h.nodes);
  if (h.count > 0) spawn_stealable(h);
  return h.count > 0;
}

/// One fiber of a core works; it lets others run now and then.
void work(const per_core<searcher>& all, searcher& mine) {
  constexpr unsigned k_steps = 32;  // 512 nodes, some 10 us
  struct working {
    searcher& of;
    explicit working(searcher& s) : of(s) { of.working = true; }
    ~working() { of.working = false; }
  } now(mine);
  while (!mine.waiting.empty()) {
    for (unsigned i = 0; i < k_steps && !mine.waiting.empty(); ++i) mine.expand();
    // Twice: a core keeps one task and offers the rest.
    if (work_is_wanted() && !mine.waiting.empty() && give_away(all, mine) && !mine.waiting.empty())
      give_away(all, mine);
    if (mine.progress != nullptr) (*mine.progress)(mine.found.nodes* cores());
    yield();
  }
}

void handful::operator()() const {
  searcher& mine = all.here();
  mine.waiting.push(std::span(nodes).first(count));
  if (!mine.working) work(all, mine);
}

uts_size sum(const per_core<searcher>& all) {
  uts_size sum;
  for (const uts_size& s : collect(all, [](searcher& one) { return one.found; })) {
    sum.nodes += s.nodes;
    sum.leaves += s.leaves;
    sum.depth = std::max(sum.depth, s.depth);
  }
  return sum;
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
    handful first{all, 1, {}};
    first.nodes[0] = root;
    finish([&first] { spawn(first); });
  }
  return {sum(all), static_cast<double>(machine::now_ns() - start) * 1e-9};
}

uts_size search_tree_serially(const uts_tree& tree) {
  std::vector<uts_node> waiting;
  uts_size found;
  const auto visit = [&](const sha1_digest& state, std::uint32_t depth) {
    const std::uint32_t children = children_of(tree, state, depth);
    ++found.nodes;
    found.depth = std::max<std::uint64_t>(found.depth, depth);
    if (children == 0)
      ++found.leaves;
    else
      waiting.push_back({state, depth, 0, children});
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
