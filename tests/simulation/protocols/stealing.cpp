// Stealing: every task that may be stolen is run exactly once, by whichever core, in the own process or in
// another one. Unbalanced trees of tasks that take time, of all sizes of captures, some of which may not
// travel, and tasks that ask whether others want work.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

struct node {
  std::uint32_t first = 0, children = 0;  // numbers of its children follow one another
  std::uint64_t key = 0;
  std::uint32_t visits = 0;
};

std::vector<node> tree;

void visit(std::uint32_t n);

/// A capture of some size, which must arrive as it left.
template <std::size_t Words>
struct wide_visit {
  std::uint32_t n;
  std::array<std::uint64_t, Words> words;

  explicit wide_visit(std::uint32_t n_) : n(n_) {
    for (std::size_t i = 0; i < Words; ++i) words[i] = hash64(n, i);
  }
  void operator()() const {
    for (std::size_t i = 0; i < Words; ++i)
      complain_unless(words[i] == hash64(n, i), "stealing: the capture of a task has changed on its way");
    visit(n);
  }
};

void spawn_one(std::uint32_t n, draws& d) {
  switch (d.below(11)) {
    case 0:
      return spawn([n] { visit(n); });
    case 4:
      return spawn_offered([n] { visit(n); });
    case 5:
      return spawn_offered(wide_visit<9>(n));
    case 6:
      return spawn_offered(wide_visit<3>(n), offered::prefer_local);
    case 1:
      return spawn_stealable([n, owned = std::make_shared<std::uint32_t>(n)] {  // stays in the process
        complain_unless(*owned == n, "stealing: what a task owns has changed");
        visit(n);
      });
    case 2:
      return spawn_stealable(wide_visit<20>(n));
    case 3:
      return spawn_stealable(wide_visit<110>(n));
    default:
      return spawn_stealable([n] { visit(n); });
  }
}

void visit(std::uint32_t n) {
  node& mine = tree[n];
  ++mine.visits;
  complain_unless(mine.visits == 1, "stealing: task {} was run {} times", n, mine.visits);
  draws d(mine.key);
  charge_work(d.below(4000));
  for (std::uint32_t i = 0; i < mine.children; ++i) {
    spawn_one(mine.first + i, d);
    if (d.one_in(6)) (void)has_idle_thieves();
    if (d.one_in(12)) yield();
  }
  if (d.one_in(4)) charge_work(d.below(8000));
  if (d.one_in(16)) (void)call_on(d.below(cores()), [] { return here(); });
}

/// Grows the tree breadth first, thin or bushy, and as deep as it comes out.
void grow(std::uint32_t nodes, draws& d) {
  const unsigned least = d.below(3), most = 2 + d.below(6), bushy = 1 + d.below(6);
  tree.clear();
  tree.push_back({0, 0, d.next(), 0});
  for (std::uint32_t n = 0; n < tree.size() && tree.size() < nodes; ++n) {
    const bool last = n + 1 == tree.size();  // it must not die out
    const unsigned wanted = d.one_in(bushy) ? most : least;
    tree[n].first = static_cast<std::uint32_t>(tree.size());
    tree[n].children = last && wanted == 0 ? 1 : wanted;
    for (std::uint32_t c = 0; c < tree[n].children; ++c) tree.push_back({0, 0, d.next(), 0});
  }
}

void run(draws& d) {
  for (unsigned round = 1 + d.below(2); round > 0; --round) {
    grow(20 + d.below(150), d);
    if (d.one_in(3)) {
      on_core(d.below(cores()), [] { visit(0); });
    } else {
      finish([] { visit(0); });
    }
    std::uint64_t run_once = 0;
    for (const node& n : tree) run_once += n.visits == 1;
    complain_unless(run_once == tree.size(), "stealing: {} of {} tasks were run once", run_once, tree.size());
  }
}

void check() {
  for (const node& n : tree) complain_unless(n.visits == 1, "stealing: a task was run {} times", n.visits);
}

void prepare(job_options& o, draws& d) {
  o.steal_tasks = d.below(4);
  o.steal_chunk = d.below(3);
  if (d.one_in(2)) {  // so that tasks wait for packets to travel in
    o.packets = 1 + d.below(4);
    o.wire_packets = 4;
    o.wire_packet_bytes = 4096;
  }
  constexpr shape k_shapes[] = {{1, 2}, {1, 3}, {1, 4}, {2, 1}, {3, 1},
                                {4, 1}, {5, 1}, {2, 2}, {2, 3}, {3, 2}};
  give(o, d.of(k_shapes));
}

}  // namespace

const protocol stealing{"stealing", &prepare, &run, &check};

}  // namespace gossamer::test
