// How large a cluster fits one machine, and one thread: memory of the program, and that it ends.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <string>

#include "gossamer/fiber/sanitizer.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/kernels/uts.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer {
namespace {

#if defined(GOSSAMER_ASAN)
constexpr bool k_sanitized = true;
#else
constexpr bool k_sanitized = false;
#endif

/// The most that the program has had in memory since it began.
double peak_gib() {
  rusage u{};
  ::getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_maxrss) / (1 << 20);
}

job_options cluster(unsigned processes, unsigned cores, simulation::outcome& end) {
  job_options o;
  o.cores = cores;
  o.simulate = simulation::options::parse("network=qdr");
  o.simulate->processes = processes;
  o.simulated = &end;
  return o;
}

void record_properties(const simulation::outcome& end) {
  testing::Test::RecordProperty("virtual_us", std::to_string(end.virtual_ns / 1000));
  testing::Test::RecordProperty("steps", std::to_string(end.steps));
  testing::Test::RecordProperty("moves", std::to_string(end.moves));
  testing::Test::RecordProperty("peak_gib", std::to_string(peak_gib()));
}

TEST(Size, AThousandProcessesMeetManyTimes) {
  constexpr unsigned k_meetings = k_sanitized ? 10 : 50;
  simulation::outcome end;
  std::uint64_t sum = 0;
  run(cluster(1000, 1, end), [&sum] {
    const scoped_per_core<std::uint64_t> sums;
    const auto mine = sums.handle();
    on_all_cores([mine] {
      for (unsigned i = 0; i < k_meetings; ++i) {
        barrier();
        if (i % 10 == 0) mine.here() += all_reduce(std::uint64_t{here()}, std::plus<>{});
      }
    });
    sum = sums.fold(std::uint64_t{0}, std::plus<>{});
  });
  EXPECT_EQ(sum, 1000ULL * (k_meetings / 10) * (999 * 1000 / 2));
  record_properties(end);
  if (!k_sanitized) {
    EXPECT_LT(peak_gib(), 3);  // seen: 0.9
  }
}

TEST(Size, TwoThousandCoresSearchATree) {
  simulation::outcome end;
  std::uint64_t nodes = 0;
  run(cluster(128, 16, end),
      [&nodes] { nodes = kernels::search_tree(kernels::parse_tree("T1")).size.nodes; });
  EXPECT_EQ(nodes, 4'130'071U);
  record_properties(end);
  if (!k_sanitized) {
    EXPECT_LT(peak_gib(), 3);  // seen: 0.9
  }
}

}  // namespace
}  // namespace gossamer
