#include "gossamer/memory/gather.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "support/topologies.hpp"

namespace gossamer {
namespace {

class Gather : public test::topology_test {};
GOSSAMER_ON_TOPOLOGIES(Gather);

TEST_P(Gather, ReadsEveryElementIntoItsPlaceOnAllCoresAtOnce) {
  constexpr std::uint64_t k_cells = 10'007;
  run(job_options{.cores = GetParam()}, [] {
    for (const distribution& d : {block, block_cyclic(8), hashed(3)}) {
      scoped_array<std::uint64_t> owner(k_cells, d);
      const array<std::uint64_t> table = owner.handle();
      finish([table] {
        for (std::uint64_t i = 0; i < k_cells; ++i)
          table.async(i, [i](std::uint64_t& cell) { cell = hash64(i); });
      });
      on_all_cores([table] {
        for (std::uint64_t n : {0, 1, 17, 20'000}) {
          xoshiro256 random(here() + n);
          std::vector<std::uint64_t> at(n), into(n);
          for (auto& i : at) i = bounded(random, k_cells);
          gather<std::uint64_t>(table, at, into);
          for (std::uint64_t k = 0; k < n; ++k) ASSERT_EQ(into[k], hash64(at[k])) << "core " << here();
        }
      });
    }
  });
}

struct wide {
  std::uint64_t words[40];
};

TEST_P(Gather, ElementsMayBeWideAndPacketsFew) {
  run(job_options{.cores = GetParam(), .packet_bytes = 2048, .packets = 1}, [] {
    scoped_array<wide> owner(64);
    const array<wide> table = owner.handle();
    finish([table] {
      for (std::uint64_t i = 0; i < table.size(); ++i)
        table.async(i, [i](wide& w) {
          for (auto& word : w.words) word = i;
        });
    });
    on_all_cores([table] {
      std::vector<std::uint64_t> at;
      for (std::uint64_t k = 0; k < 1000; ++k) at.push_back(k * 37 % table.size());
      std::vector<wide> into(at.size());
      gather<wide>(table, at, into);
      for (std::size_t k = 0; k < at.size(); ++k)
        for (std::uint64_t word : into[k].words) ASSERT_EQ(word, at[k]);
    });
  });
}

}  // namespace
}  // namespace gossamer
