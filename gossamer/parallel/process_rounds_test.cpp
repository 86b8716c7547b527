// Barriers, all-gathers and reductions over processes, on simulated clusters.
#include "gossamer/parallel/process_rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/parallel/process_reduction.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t k_seed = 86;

class ProcessRounds : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (test::k_thread_sanitizer) GTEST_SKIP() << "simulations do not run under it";
  }
  static job_options job() {
    job_options o;
    o.simulate = simulation::options::parse(GetParam());
    return o;
  }
};
INSTANTIATE_TEST_SUITE_P(Clusters, ProcessRounds,
                         testing::Values("processes=2 cores=2", "processes=3 cores=1 faults=all seed=2",
                                         "processes=4 cores=1 node=2 seed=3",
                                         "processes=7 cores=2 network=qdr faults=all seed=4",
                                         "processes=19 cores=1 network=qdr seed=5"));

/// The last episode that a process has reached.
struct arrivals {
  std::uint64_t episode = 0;
};

TEST_P(ProcessRounds, NoProcessGoesOnBeforeAllHaveCome) {
  run(job(), [] {
    const scoped_per_process<parallel::process_rounds> rounds;
    const scoped_per_process<arrivals> come;
    on_all_processes([rounds = rounds.handle(), come = come.handle()] {
      for (std::uint64_t episode = 1; episode <= 5; ++episode) {
        come.here().episode = episode;
        rounds.here().meet();
        for (unsigned p = 0; p < processes(); ++p) {
          const std::uint64_t there = call_on(first_core(p), [come] { return come.here().episode; });
          EXPECT_GE(there, episode) << "process " << p;
        }
      }
    });
  });
}

TEST_P(ProcessRounds, EveryProcessGetsThePartsOfAll) {
  run(job(), [] {
    constexpr std::uint64_t k_most = 3000;
    std::vector<std::uint64_t> bounds{0};
    for (core_id c = 0; c < cores(); ++c) {
      const std::uint64_t r = hash64(k_seed, c);
      bounds.push_back(bounds.back() + (r % 3 == 0 ? 0 : r % k_most));
    }
    const scoped_array<std::uint64_t> all(bounds.back(), by_boundaries(bounds));
    const scoped_per_process<parallel::process_rounds> rounds;
    for (std::uint64_t round = 1; round <= 3; ++round) {
      on_all_cores([all = all.handle(), round] {
        std::uint64_t i = all.local_begin();
        for (std::uint64_t& word : all.local()) word = hash64(k_seed + round, i++);
      });
      on_all_processes([all = all.handle(), rounds = rounds.handle(), round] {
        std::vector<std::uint64_t> begins(processes() + 1, 0);
        for (std::uint64_t i = 0; i < all.size(); ++i)
          begins[process_of(all.owner(i)) + 1] = (i + 1) * sizeof(std::uint64_t);
        for (unsigned p = 0; p < processes(); ++p) begins[p + 1] = std::max(begins[p], begins[p + 1]);
        const std::uint64_t* const words = all.pointer(0).address();
        rounds.here().all_gather(reinterpret_cast<std::byte*>(all.pointer(0).address()), begins);
        for (std::uint64_t i = 0; i < all.size(); ++i)
          ASSERT_EQ(words[i], hash64(k_seed + round, i)) << "seed " << k_seed << ", word " << i;
      });
    }
  });
}

struct sum_and_last {
  std::uint64_t sum = 0, last = 0;
  void add(const sum_and_last& other) {
    sum += other.sum;
    last = other.last;
  }
};

TEST_P(ProcessRounds, ReductionRunsOnceInEveryProcess) {
  run(job(), [] {
    const std::uint64_t n = processes();
    for (core_id from = 0; from < cores(); from += 3) {
      const auto found = on_core(from, [] {
        return reduce_on_all_processes([] {
          GOSSAMER_ASSERT(here() == first_core(process()), "not on the first core");
          return sum_and_last{process() + 1, process()};
        });
      });
      EXPECT_EQ(found.sum, n * (n + 1) / 2) << "from core " << from;
    }
  });
}

TEST_P(ProcessRounds, AFailureInOneProcessArrives) {
  run(job(), [] {
    for (unsigned bad = 0; bad < processes(); ++bad) {
      try {
        (void)reduce_on_all_processes([bad] {
          if (process() == bad) throw error("process " + std::to_string(bad) + " has had enough");
          return sum_and_last{};
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const error& e) {
        EXPECT_EQ(std::string(e.what()), "process " + std::to_string(bad) + " has had enough");
      }
    }
  });
}

}  // namespace
}  // namespace gossamer
