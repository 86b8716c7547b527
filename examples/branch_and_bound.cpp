// Branch and bound: the best choice of items for a knapsack. Subtrees are tasks that idle cores steal.
//   branch_and_bound [ITEMS]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>
#include <vector>

namespace gs = gossamer;

struct item {
  std::uint64_t weight, value;
};

// Returns the same items on every core, by falling value per weight.
std::vector<item> make_items(unsigned n) {
  std::vector<item> items;
  for (unsigned i = 0; i < n; ++i) items.push_back({20 + gs::hash64(i) % 80, 20 + gs::hash64(i, 1) % 80});
  std::ranges::sort(items, [](item a, item b) { return a.value * b.weight > b.value * a.weight; });
  return items;
}

struct search {
  gs::per_core<std::vector<item>> items;
  gs::per_core<std::uint64_t> best;  // what each core knows of

  void run(std::size_t next, std::uint64_t room, std::uint64_t value) const {
    const std::vector<item>& all = items.here();
    best.here() = std::max(best.here(), value);
    if (next == all.size()) return;
    // No choice below is better than filling the room with fractions of the next item.
    if (value + room * all[next].value / all[next].weight <= best.here()) return;
    const auto without = [self = *this, next, room, value] { self.run(next + 1, room, value); };
    if (next % 4 == 0)
      gs::spawn_stealable(without);
    else
      without();
    if (all[next].weight <= room) run(next + 1, room - all[next].weight, value + all[next].value);
  }
};

int main(int argc, char** argv) {
  const auto n = static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 40);
  return gs::run(argc, argv, [n] {
    const gs::scoped_per_core<std::vector<item>> items;
    const gs::scoped_per_core<std::uint64_t> best;
    gs::on_all_cores([n, items = items.handle()] { items.here() = make_items(n); });
    const search all{items.handle(), best.handle()};
    gs::finish([all, n] { all.run(0, n * 25, 0); });
    const auto found = best.fold(std::uint64_t{0}, [](auto a, auto b) { return std::max(a, b); });
    gs::print("the best choice of {} items is worth {}\n", n, found);
  });
}
