// find STRUCTURE: looks for a history of a structure, combining on its cores, that is not linearizable. Exit
// code 0 where it found one within 2,000 seeds: so it must, with a library that is broken on purpose
// (variants.cmake).

#include <fmt/format.h>

#include <string>

#include "combining/operations.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint64_t k_seeds = 2000;

template <class Scoped, class Ask>
int find(lin::structure kind, Ask ask, history_case (*case_of)(std::uint64_t) = history_of) {
  for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
    const history_case c = case_of(seed);
    const auto v = verdict_of<Scoped>(simulated(c, seed), c, kind, combine::local, seed, ask);
    if (v.outcome != lin::outcome::rejected) continue;
    fmt::print("seed {}: {}\n", seed, v.report);
    return 0;
  }
  fmt::print("none of {} histories was rejected\n", k_seeds);
  return 1;
}

int main_of(const std::string& structure) {
  if (structure == "counter") return find<scoped_counter>(lin::structure::counter, count_something{});
  if (structure == "stack") return find<scoped_stack<std::uint64_t>>(lin::structure::stack, push_or_pop{});
  if (structure == "queue")
    return find<scoped_queue<std::uint64_t>>(lin::structure::queue, enqueue_or_dequeue{});
  if (structure == "set") return find<scoped_hash_set<std::uint64_t>>(lin::structure::set, use_set{});
  if (structure == "growing_set")
    return find<scoped_hash_set<std::uint64_t>>(lin::structure::set, grow_set{}, growing_history_of);
  if (structure == "map")
    return find<scoped_hash_map<std::uint64_t, std::uint64_t>>(lin::structure::map, use_map{});
  fmt::print(stderr, "find: expected counter, stack, queue, set, growing_set or map, found {}\n", structure);
  return 2;
}

}  // namespace
}  // namespace gossamer::test

int main(int, char** argv) { return gossamer::test::main_of(argv[1] != nullptr ? argv[1] : "nothing"); }
