// Looks for a history of a structure, combining on its cores, that is not linearizable. Exit code 0 where it found one
// within 2,000 seeds: so it must, with a library that is broken on purpose (variants.cmake). The structure is chosen when
// it is compiled. Only templates name a structure, since any other function compiles it into every variant.

#include <fmt/format.h>

#include <string_view>

#include "combining/operations.hpp"
#include "support/linearizability/program_order.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint64_t k_seeds = 2000;
constexpr std::string_view k_structure = GOSSAMER_BROKEN_STRUCTURE;

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

/// Looks for a history of a map with lookups::from_pending in which a key by itself contradicts the order of a fiber.
template <class Map>
int find_disordered_key() {
  for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
    const history_case c = history_of(seed);
    const auto h = recorded<Map>(simulated(c, seed), c, combine::local, seed, use_pending_map{});
    const auto v = lin::check_program_order(lin::structure::map, h, 20'000, lin::keys::apart);
    if (v.outcome != lin::outcome::rejected) continue;
    fmt::print("seed {}: {}\n", seed, v.report);
    return 0;
  }
  fmt::print("in none of {} histories a key was out of order\n", k_seeds);
  return 1;
}

int find_in_structure() {
  if constexpr (k_structure == "pending_map") return find_disordered_key<pending_map>();
  if constexpr (k_structure == "counter")
    return find<scoped_counter>(lin::structure::counter, count_something{});
  if constexpr (k_structure == "stack")
    return find<scoped_stack<std::uint64_t>>(lin::structure::stack, push_or_pop{});
  if constexpr (k_structure == "queue")
    return find<scoped_queue<std::uint64_t>>(lin::structure::queue, enqueue_or_dequeue{});
  if constexpr (k_structure == "set")
    return find<scoped_hash_set<std::uint64_t>>(lin::structure::set, use_set{});
  if constexpr (k_structure == "growing_set")
    return find<scoped_hash_set<std::uint64_t>>(lin::structure::set, grow_set{}, growing_history_of);
  if constexpr (k_structure == "map")
    return find<scoped_hash_map<std::uint64_t, std::uint64_t>>(lin::structure::map, use_map{});
}

}  // namespace
}  // namespace gossamer::test

int main() { return gossamer::test::find_in_structure(); }
