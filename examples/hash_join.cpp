// Hash join: one table goes into a map over all cores, and the rows of the other one ask it for their partners, thousands at a time.
//   hash_join [ORDERS]
#include <array>
#include <cstdint>
#include <cstdlib>
#include <gossamer/gossamer.hpp>
#include <optional>
#include <vector>

namespace gs = gossamer;

constexpr std::uint64_t k_regions = 4;

struct totals {
  std::array<std::uint64_t, k_regions> sold{};
  std::uint64_t unknown = 0;
};

totals operator+(totals a, const totals& b) {
  for (std::uint64_t r = 0; r < k_regions; ++r) a.sold[r] += b.sold[r];
  a.unknown += b.unknown;
  return a;
}

int main(int argc, char** argv) {
  const std::uint64_t orders = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  return gs::run(argc, argv, [orders] {
    const std::uint64_t customers = orders / 10 + 1;
    const gs::scoped_hash_map<std::uint64_t, std::uint64_t> owner;
    gs::on_all_cores([=, region_of = owner.handle()] {
      const std::uint64_t cores = gs::cores(), me = gs::here();
      std::vector<std::uint64_t> keys, regions;
      for (std::uint64_t c = customers * me / cores; c < customers * (me + 1) / cores; ++c)
        if (c % 5 != 0) keys.push_back(c), regions.push_back(c % k_regions);  // every fifth is not known
      region_of.insert_all(keys, regions);
      gs::barrier();

      keys.clear();  // order i is of customer 7i, and of the price i % 100
      for (std::uint64_t i = orders * me / cores; i < orders * (me + 1) / cores; ++i)
        keys.push_back(7 * i % customers);
      std::vector<std::optional<std::uint64_t>> found(keys.size());
      region_of.lookup_all(keys, found);

      totals mine;
      for (std::uint64_t k = 0; k < keys.size(); ++k)
        (found[k] ? mine.sold[*found[k]] : mine.unknown) += (orders * me / cores + k) % 100;
      const totals all = gs::all_reduce(mine, [](const totals& a, const totals& b) { return a + b; });
      if (me != 0) return;
      for (std::uint64_t r = 0; r < k_regions; ++r) gs::print("region {}: {}\n", r, all.sold[r]);
      gs::print("customers that are not known: {}\n", all.unknown);
    });
  });
}
