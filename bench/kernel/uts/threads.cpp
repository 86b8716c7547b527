// The peer: unbalanced tree search as it is usually written. A stack per thread, and chunks of the oldest nodes
// in one shared pool under a lock. SHA-1 of one node after the other in plain C++, and a logarithm for the
// number of children. Arguments: TREE THREADS REPEATS; one JSON line, as the other kernels' benches print it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/kernels/uts.hpp"
#include "gossamer/machine/clock.hpp"

namespace {

using namespace gossamer;
using kernels::sha1_digest;
using kernels::uts_size;
using kernels::uts_tree;

struct node {
  sha1_digest state;
  std::uint32_t depth, children;
};

/// Chunks that any thread may take; knows when none has anything left.
class pool {
 public:
  explicit pool(unsigned threads) : threads_(threads) {}

  bool wanted() const { return waiting_hint_ > 0; }
  void give(std::vector<node> chunk) {
    std::lock_guard hold(mutex_);
    chunks_.push_back(std::move(chunk));
    changed_.notify_one();
  }
  /// False where all is done.
  bool take(std::vector<node>& into) {
    std::unique_lock hold(mutex_);
    if (++waiting_ == threads_ && chunks_.empty()) {
      done_ = true;
      changed_.notify_all();
    }
    waiting_hint_ = waiting_;
    changed_.wait(hold, [&] { return done_ || !chunks_.empty(); });
    if (chunks_.empty()) return false;
    into = std::move(chunks_.back());
    chunks_.pop_back();
    waiting_hint_ = --waiting_;
    return true;
  }

 private:
  const unsigned threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<node>> chunks_;
  unsigned waiting_ = 0;
  bool done_ = false;
  std::atomic<unsigned> waiting_hint_{0};  // relaxed would do: a late look gives a chunk later
};

uts_size walk(const uts_tree& tree, pool& shared, std::vector<node> stack) {
  constexpr std::size_t k_chunk = 32;
  uts_size found;
  do {
    while (!stack.empty()) {
      const node parent = stack.back();
      stack.pop_back();
      for (std::uint32_t i = 0; i < parent.children; ++i) {
        const sha1_digest state = kernels::child_state(parent.state, i);
        const std::uint32_t children = kernels::children_of(tree, state, parent.depth + 1);
        found += {1, parent.depth + 1, children == 0 ? 1U : 0U};
        if (children > 0) stack.push_back({state, parent.depth + 1, children});
      }
      if (stack.size() >= 2 * k_chunk && shared.wanted()) {
        const auto end = stack.begin() + k_chunk;
        shared.give({stack.begin(), end});
        stack.erase(stack.begin(), end);
      }
    }
  } while (shared.take(stack));
  return found;
}

uts_size search(const uts_tree& tree, unsigned threads) {
  const sha1_digest state = kernels::root_state(tree);
  const node root{state, 0, kernels::children_of(tree, state, 0)};
  pool shared(threads);
  std::vector<uts_size> found(threads);
  std::vector<std::jthread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back(
        [&, t] { found[t] = walk(tree, shared, t == 0 ? std::vector{root} : std::vector<node>()); });
  team.clear();
  uts_size all{1, 0, root.children == 0 ? 1U : 0U};
  for (const uts_size& s : found) all += s;
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const char* const name = argc > 1 ? argv[1] : "T1";
    const unsigned threads = argc > 2 ? std::max(1, std::atoi(argv[2])) : 2;
    const int repeats = argc > 3 ? std::max(1, std::atoi(argv[3])) : 3;
    const uts_tree tree = kernels::parse_tree(name);
    std::vector<double> rates;
    for (int r = 0; r < repeats; ++r) {
      const std::uint64_t start = machine::now_ns();
      const uts_size size = search(tree, threads);
      rates.push_back(static_cast<double>(size.nodes) * 1e3 / static_cast<double>(machine::now_ns() - start));
      const auto* const known = kernels::find_named(tree);
      if (known != nullptr && known->size != size) throw error("wrong answer");
    }
    std::ranges::sort(rates);
    fmt::print(
        "{{\"kernel\": \"uts\", \"graph\": \"{}\", \"implementation\": \"threads\", \"cores\": {}, \"unit\": "
        "\"M nodes/s\", \"value\": {:.4g}, \"median\": {:.4g}, \"min\": {:.4g}, \"max\": {:.4g}, \"count\": "
        "{}, "
        "\"checked\": true}}\n",
        name, threads, rates[rates.size() / 2], rates[rates.size() / 2], rates.front(), rates.back(),
        rates.size());
  } catch (const error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 2;
  }
}
