// The same options give the same run: which core went on when, what was counted, what came out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {
namespace {

struct trial {
  std::uint64_t digest, virtual_ns, steps, sum, ns;
  std::vector<std::uint64_t> counted;
  std::string trace;
  bool operator==(const trial&) const = default;
};

/// Tasks that are stolen, messages that are answered, arrays that are frozen, barriers.
trial work(const std::string& what) {
  job_options o;
  o.simulate = simulation::options::parse(what);
  o.simulate->trace = testing::TempDir() + "determinism-" + std::to_string(::getpid()) + ".json";
  simulation::outcome end;
  o.simulated = &end;
  trial t{};
  run(o, [&t] {
    const scoped_array<std::uint64_t> cells(1000);
    const auto a = cells.handle();
    forall(a, [](std::uint64_t i, std::uint64_t& x) { x = i * i; });
    on_all_cores([a] {
      for (std::uint64_t i = 0; i < 200; ++i)
        a.async((i * 7 + here()) % a.size(), [](std::uint64_t& x) { ++x; });
      barrier();
    });
    t.sum = 0;
    for (core_id c = 0; c < cores(); ++c) t.sum += call_on(c, [] { return hash64(here()) % 1000; });
    {
      const auto frozen = a.freeze();
      for (std::uint64_t i = 0; i < frozen.size(); ++i) t.sum += frozen[i];
    }
    for (const counters& c : statistics())
      for (const auto& [name, member] : k_counter_fields) t.counted.push_back(c.*member);
    t.ns = machine::now_ns();
  });
  t.digest = end.digest;
  t.virtual_ns = end.virtual_ns;
  t.steps = end.steps;
  std::ostringstream trace;
  trace << std::ifstream(o.simulate->trace).rdbuf();
  std::remove(o.simulate->trace.c_str());
  t.trace = trace.str();
  return t;
}

TEST(Determinism, TheSameRunTwice) {
  for (const std::string what :
       {"processes=1 cores=4", "processes=3 cores=2", "processes=5 cores=3 network=qdr",
        "processes=4 cores=2 faults=all seed=12", "processes=1 cores=8 faults=all seed=5"}) {
    const trial first = work(what), second = work(what);
    EXPECT_EQ(first.digest, second.digest) << what;
    EXPECT_TRUE(first.trace == second.trace) << what;
    EXPECT_TRUE(first == second) << what;
    EXPECT_GT(first.trace.size(), 1000U);
    EXPECT_GT(first.steps, 10U);
  }
}

TEST(Determinism, AnotherSeedIsAnotherRunWithTheSameAnswer) {
  const trial plain = work("processes=3 cores=2");
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const trial other = work("processes=3 cores=2 faults=all seed=" + std::to_string(seed));
    EXPECT_NE(other.digest, plain.digest);
    EXPECT_EQ(other.sum, plain.sum);
  }
}

}  // namespace
}  // namespace gossamer
