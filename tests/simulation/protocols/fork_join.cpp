// Fork and join: what a finish() spawned has ended when it returns, though its fiber has run some of it on
// its own stack, and what other fibers wait for comes. Random trees of tasks, each with a finish() of its
// own; siblings that wait for one another; nodes that yield, wait for messages, and throw.
#include <memory>
#include <stdexcept>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

constexpr unsigned k_most = 200;  // nodes of a tree

unsigned begun, ended;

void visit(std::uint64_t key, unsigned depth);

void fork_child(draws& d, std::uint64_t key, unsigned depth) {
  if (d.one_in(2))
    spawn([key, depth] { visit(key, depth); });
  else
    spawn_stealable([key, depth] { visit(key, depth); });
}

/// Spawns two siblings on a core. The older one waits for what the younger one does after a finish() of its
/// own.
void spawn_pair(std::uint64_t key, unsigned depth) {
  const auto done = std::make_shared<fiber::event>();
  spawn([done] { done->wait(); });
  spawn([done, key, depth] {
    finish([key, depth] { spawn([key, depth] { visit(key, depth); }); });
    done->set();
  });
}

void visit(std::uint64_t key, unsigned depth) {
  if (begun == k_most) return;
  const unsigned number = begun++;
  draws d(key);
  unsigned children = depth == 0 ? 0 : d.below(4);
  const bool fails = d.one_in(16);
  bool failed = false;
  dawdle(d);
  try {
    finish([&] {
      for (; children > 0; --children) {
        if (d.one_in(3))
          spawn_pair(d.next(), depth - 1);
        else
          fork_child(d, d.next(), depth - 1);
        if (d.one_in(8)) yield();
      }
      if (d.one_in(8)) (void)call_on(d.below(cores()), [] { return here(); });
      if (fails) spawn([] { throw std::runtime_error("a node"); });
    });
  } catch (const std::runtime_error&) {
    failed = true;
  }
  complain_unless(failed == fails, "fork_join: the exception of node {} has gone astray", number);
  ++ended;
}

void run(draws& d) {
  for (unsigned round = 1 + d.below(3); round > 0; --round) {
    begun = ended = 0;
    const std::uint64_t key = d.next();
    const unsigned depth = 1 + d.below(12);
    finish([key, depth] { spawn([key, depth] { visit(key, depth); }); });
    complain_unless(begun == ended, "fork_join: {} nodes of {} had ended at the end", ended, begun);
  }
}

void check() {}

void prepare(job_options& o, draws& d) {
  o.stack_bytes = d.one_in(2) ? 32 << 10 : 64 << 10;
  constexpr shape k_shapes[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {3, 1}, {2, 2}};
  give(o, d.of(k_shapes));
}

}  // namespace

const protocol fork_join{"fork_join", &prepare, &run, &check};

}  // namespace gossamer::test
