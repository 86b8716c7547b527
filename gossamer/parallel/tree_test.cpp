// Calls on all of many processes go along a tree (loop.hpp, per_core.hpp): they reach every core once, in a
// job of any size, from any process, and errors are returned. On simulated clusters.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/parallel/scatter.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

struct shape {
  unsigned processes, cores;
};

class Tree : public testing::TestWithParam<shape> {
 protected:
  void SetUp() override {
    if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  }
  job_options job() const {
    job_options o;
    o.simulate = simulation::options{};
    o.simulate->processes = GetParam().processes;
    o.simulate->cores = GetParam().cores;
    o.simulate->faults = "none";
    return o;
  }
};
INSTANTIATE_TEST_SUITE_P(OfProcesses, Tree,
                         testing::Values(shape{2, 2}, shape{17, 1}, shape{18, 1}, shape{25, 2}, shape{26, 1},
                                         shape{41, 1}, shape{64, 2}),
                         [](const auto& one) {
                           return std::to_string(one.param.processes) + "x" + std::to_string(one.param.cores);
                         });

/// By core: its number and how often f ran there.
struct seen {
  core_id core = 0;
  unsigned runs = 0;
};

void expect_each_once(const scoped_per_core<seen>& all, unsigned runs) {
  const auto found = collect(all.handle(), [](seen& s) { return s; });
  ASSERT_EQ(found.size(), cores());
  for (core_id c = 0; c < cores(); ++c) {
    EXPECT_EQ(found[c].runs, runs) << "core " << c;
    EXPECT_EQ(found[c].core, c);
  }
}

TEST_P(Tree, EveryCoreRunsTheBodyOnce) {
  run(job(), [] {
    const scoped_per_core<seen> all;
    for (unsigned round = 1; round <= 2; ++round) {
      on_all_cores([all = all.handle()] {
        all.here().core = here();
        ++all.here().runs;
      });
      expect_each_once(all, round);
    }
  });
}

TEST_P(Tree, FromTheLastProcess) {
  run(job(), [] {
    const scoped_per_core<seen> all;
    const std::uint64_t sum = on_core(cores() - 1, [all = all.handle()] {
      on_all_cores([all] {
        all.here().core = here();
        ++all.here().runs;
      });
      std::uint64_t total = 0;
      for (const seen& s : collect(all, [](seen& one) { return one; })) total += s.core + s.runs;
      return total;
    });
    EXPECT_EQ(sum, std::uint64_t{cores()} * (cores() - 1) / 2 + cores());
    expect_each_once(all, 1);
  });
}

TEST_P(Tree, OncePerProcess) {
  run(job(), [] {
    const scoped_per_core<seen> all;
    on_all_processes([all = all.handle()] { ++all.here().runs; });
    const auto found = collect(all.handle(), [](seen& s) { return s.runs; });
    for (core_id c = 0; c < cores(); ++c) EXPECT_EQ(found[c], c == first_core(process_of(c)) ? 1U : 0U);
  });
}

TEST_P(Tree, AllAreThereAtOnce) {
  run(job(), [] {
    const scoped_per_core<seen> all;
    on_all_cores([all = all.handle()] {
      barrier();
      all.here().core = here();
      all.here().runs = all_reduce(1U, std::plus<>());
    });
    expect_each_once(all, cores());
  });
}

TEST_P(Tree, AFailureAnywhereArrives) {
  run(job(), [] {
    for (core_id bad = 0; bad < cores(); bad += 7) {
      try {
        on_all_cores([bad] {
          if (here() == bad) throw error("core " + std::to_string(bad) + " has had enough");
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_EQ(std::string(e.what()), "core " + std::to_string(bad) + " has had enough");
      }
    }
  });
}

TEST_P(Tree, MemoryThatIsShortAnywhereIsToldFromOtherFailures) {
  run(job(), [] {
    const core_id last = cores() - 1;
    const auto refuse = [last] {
      if (here() == last) throw machine::out_of_memory("a table needs 1 TiB");
    };
    const auto run_out = [last] {
      if (here() == last) throw std::bad_alloc();
    };
    EXPECT_THROW(on_all_cores(refuse), machine::out_of_memory);
    EXPECT_THROW(on_core(last, refuse), machine::out_of_memory);
    EXPECT_THROW(finish([&] { async_on(last, refuse); }), machine::out_of_memory);
    if (last < cores_per_process()) {
      EXPECT_THROW(on_core(last, run_out), std::bad_alloc);
    } else {
      EXPECT_THROW(on_core(last, run_out), machine::out_of_memory);
      EXPECT_THROW(on_all_cores(run_out), machine::out_of_memory);
    }
  });
}

/// More than one message for each process: its answers have at most 512 bytes.
TEST_P(Tree, LargeValuesAreCollectedInOrder) {
  struct large {
    std::array<std::uint64_t, 64> words;
  };
  run(job(), [] {
    const scoped_per_core<large> all;
    on_all_cores([all = all.handle()] { all.here().words.fill(here()); });
    const auto found = collect(all.handle(), [](large& one) { return one; });
    for (core_id c = 0; c < cores(); ++c)
      for (const std::uint64_t word : found[c].words) ASSERT_EQ(word, c);
  });
}

struct chunks {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> items;
};
/// Returns chunks with numbers from c * 10 on for core c: none, one, two or a thousand.
chunks some_chunks() {
  chunks made;
  for (core_id c = 0; c < cores(); ++c) {
    made.counts.push_back(c % 5 == 4 ? 1'000 : c % 3);
    for (std::uint32_t k = 0; k < made.counts.back(); ++k) made.items.push_back(std::uint64_t{c} * 10 + k);
  }
  return made;
}

TEST_P(Tree, EveryCoreIsSentItsChunk) {
  run(job(), [] {
    const auto counts = some_chunks().counts;
    for (const core_id from : {0U, cores() - 1}) {
      const scoped_per_core<seen> all;
      on_core(from, [all = all.handle()] {
        const auto [counts, items] = some_chunks();
        scatter(std::span(counts), std::span(items), [all](std::span<const std::uint64_t> mine) {
          for (std::size_t k = 0; k < mine.size(); ++k)
            if (mine[k] == std::uint64_t{here()} * 10 + k) ++all.here().core;
          ++all.here().runs;
        });
      });
      const auto found = collect(all.handle(), [](seen& s) { return s; });
      for (core_id c = 0; c < cores(); ++c) {
        EXPECT_EQ(found[c].runs, counts[c] == 0 ? 0U : 1U) << "core " << c << " from " << from;
        EXPECT_EQ(found[c].core, counts[c]) << "core " << c << " from " << from;
      }
    }
  });
}

TEST_P(Tree, PiecesThatAreNotAllItemsAreRefused) {
  run(job(), [] {
    const std::vector<std::uint32_t> items(4, 7);
    for (const std::uint32_t count : {0U, 1000U, ~0U}) {
      std::vector<std::uint32_t> counts(cores(), 0);
      counts.back() = count;
      EXPECT_THROW(scatter(std::span(std::as_const(counts)), std::span(items),
                           [](std::span<const std::uint32_t>) { fatal("a piece arrives"); }),
                   error)
          << count;
    }
  });
}

TEST_P(Tree, AFailureOfAPieceArrives) {
  run(job(), [] {
    const std::vector<std::uint32_t> counts(cores(), 1);
    std::vector<std::uint32_t> items(cores(), 0);
    items.back() = 1;
    EXPECT_THROW(scatter(std::span(counts), std::span(std::as_const(items)),
                         [](std::span<const std::uint32_t> mine) {
                           if (mine[0] == 1) throw error("enough");
                         }),
                 error);
  });
}

}  // namespace
}  // namespace gossamer
