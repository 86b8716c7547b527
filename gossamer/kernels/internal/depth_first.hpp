#pragma once
// Depth-first work that balances its load. Each core has a worker with its own stack and continues with the
// newest node. When the core has no tasks left to steal, it offers half of its oldest nodes as stealable
// tasks; to other processes only if that is worth a round trip (learn()). Stolen nodes are added to the
// thief's stack. Used by uts, and by both phases of uts-mem.
//
// A Worker has: node (trivially copyable, with `next` and `end`, a range that can be halved), `shared` (a
// depth_first<node>), empty(), step(all): does a few of its nodes, and report(): reports progress.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::kernels {

/// A stack whose owner takes the newest nodes; the oldest are offered to thieves.
template <class Node>
class node_stack {
 public:
  bool empty() const { return bottom_ == nodes_.size(); }
  std::size_t size() const { return nodes_.size() - bottom_; }
  Node& top() { return nodes_.back(); }
  void push(const Node& n) { nodes_.push_back(n); }
  void push(std::span<const Node> some) { nodes_.insert(nodes_.end(), some.begin(), some.end()); }
  void pop() {
    nodes_.pop_back();
    if (!empty()) return;
    nodes_.clear();
    bottom_ = 0;
  }
  /// Takes half of the work of the oldest nodes, as far as `to` has space. Returns the number of nodes taken.
  /// Takes half of each node's range, and every second node whose range cannot be halved, from the oldest on.
  /// Never takes the only node. Does not take half of the entries: the oldest have nearly all of the work, so
  /// it would move from core to core as a whole. Puts the oldest node that could not be halved last, where it
  /// is processed first: no core can share it before.
  std::size_t take_oldest(std::span<Node> to) {
    const std::size_t considered = std::min(to.size(), size());
    const auto oldest = nodes_.begin() + static_cast<std::ptrdiff_t>(bottom_);
    const auto newest = oldest + static_cast<std::ptrdiff_t>(considered);
    const bool single = size() == 1;
    auto kept = oldest;
    std::size_t given = 0, whole = 0, first_whole = 0;
    for (auto one = oldest; one != newest; ++one) {
      if (split(*one, to[given])) {
        ++given;
      } else if (!single && whole++ % 2 == 0) {
        if (whole == 1) first_whole = given;
        to[given++] = *one;
        continue;
      }
      *kept++ = *one;
    }
    std::move_backward(oldest, kept, newest);
    bottom_ += static_cast<std::size_t>(newest - kept);
    if (whole > 0) std::rotate(&to[first_whole], &to[first_whole] + 1, &to[0] + given);
    if (bottom_ > nodes_.size() / 2) {
      nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(bottom_));
      bottom_ = 0;
    }
    return given;
  }

 private:
  static bool split(Node& mine, Node& theirs) {
    const auto half = (mine.end - mine.next) / 2;
    if (half == 0) return false;
    theirs = mine;
    theirs.end = mine.next += half;
    theirs.next = theirs.end - half;
    return true;
  }

  std::vector<Node> nodes_;
  std::size_t bottom_ = 0;  // nodes below have been given away
};

/// The cost that a simulation charges for a node whose state is computed: that of one core, sixteen at a time
/// (docs/performance/simulation.md).
inline constexpr std::uint64_t k_node_ns = 11;

template <class Node>
struct depth_first {
  node_stack<Node> waiting;
  bool working = false;  // a fiber of this core runs the worker, and also takes new nodes
  bool is_queued = false;  // a task that will run the worker is queued
  std::uint64_t since_ns = 0;  // when the core began to work on a stack that had been empty
  std::size_t worth_sending = 1;  // to another process: minimum number of waiting nodes
};

/// Nodes in flight to the core that takes them.
template <class Worker>
struct node_batch {
  using node = typename Worker::node;
  static constexpr std::size_t k_most = 976 / sizeof(node);

  per_core<Worker> all;
  std::uint64_t count = 0;
  std::array<node, k_most> nodes;

  void operator()() const;
};

/// The time of a round trip to another process: a request, a poll between two steps, and the reply.
inline constexpr std::uint64_t k_round_trip_ns = 20'000;

/// Adapts how many nodes must be waiting to make some worth a round trip, by how long the core itself was
/// busy with the nodes that it received. In a thin tree (T3) most nodes have almost no descendants. Sent
/// in batches, they are mostly in flight while the receivers wait.
template <class Node>
void learn(depth_first<Node>& mine, std::uint64_t busy_ns) {
  constexpr std::size_t k_most = 64;
  mine.worth_sending = busy_ns < k_round_trip_ns ? std::min(2 * mine.worth_sending, k_most)
                                                 : std::max(mine.worth_sending / 2, std::size_t{1});
}

/// Returns the current minimum number of waiting nodes. It falls while the core is busy: after long work, the
/// nodes of a core have more work than their number suggests.
template <class Node>
std::size_t worth_now(const depth_first<Node>& mine, std::uint64_t now_ns) {
  return mine.worth_sending / std::bit_ceil((now_ns - mine.since_ns) / (4 * k_round_trip_ns) + 1);
}

/// Offers nodes to idle thieves, from deep stacks in several batches. In a thin tree the oldest nodes have no
/// more work than others.
template <class Worker>
void give_away(const per_core<Worker>& all, Worker& mine, idle_thieves wanted) {
  constexpr std::size_t k_batches = 64;
  node_stack<typename Worker::node>& waiting = mine.shared.waiting;
  const bool to_remote = wanted.elsewhere && waiting.size() >= worth_now(mine.shared, machine::now_ns());
  if (!wanted.here && !to_remote) return;
  const std::size_t batches =
      std::clamp(waiting.size() / (4 * node_batch<Worker>::k_most), std::size_t{1}, k_batches);
  for (std::size_t i = 0; i < batches && !waiting.empty(); ++i) {
    node_batch<Worker> batch{all, 0, {}};
    batch.count = waiting.take_oldest(batch.nodes);
    if (batch.count > 0) spawn_offered(batch, to_remote ? offered::to_all : offered::prefer_local);
  }
}

/// Works until nothing is left on this core. Returns at once if another fiber of the core runs the worker.
/// Yields to other fibers between steps. Throws `interrupted` between two steps if the call must end; waiting
/// nodes stay.
template <class Worker>
void work(const per_core<Worker>& all) {
  Worker& mine = all.here();
  if (mine.shared.working) return;
  struct at_work {
    bool& flag;
    explicit at_work(bool& f) : flag(f) { flag = true; }
    ~at_work() { flag = false; }
  } now(mine.shared.working);
  mine.shared.since_ns = machine::now_ns();
  while (!mine.empty()) {
    check_interrupt();
    mine.step(all);
    if (const idle_thieves wanted = has_idle_thieves()) give_away(all, mine, wanted);
    mine.report();
    yield();
  }
  learn(mine.shared, machine::now_ns() - mine.shared.since_ns);
}

template <class Worker>
void node_batch<Worker>::operator()() const {
  all.here().shared.waiting.push(std::span(nodes).first(count));
  work(all);
}

/// Adds one node to this core, from a handler.
template <class Worker>
void deliver(const per_core<Worker>& all, const typename Worker::node& n) {
  auto& shared = all.here().shared;
  shared.waiting.push(n);
  if (shared.working || shared.is_queued) return;
  shared.is_queued = true;
  spawn([all] {
    all.here().shared.is_queued = false;
    work(all);
  });
}

}  // namespace gossamer::kernels
