#pragma once
// Runs random operations on a structure by many fibers, on a simulated cluster or on real threads, and has
// the history of all of them checked. One number, the seed, decides the cluster, its faults and the
// operations.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "combining/combining_cases.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "support/linearizability/checker.hpp"
#include "support/sanitizers.hpp"
#include "support/seed_range.hpp"

namespace gossamer::test {

namespace lin = linearizability;

/// What one history is made of.
struct history_case {
  unsigned processes, cores;
  unsigned fibers;      // of each core
  unsigned operations;  // of each fiber
};

inline std::string name_of(combine where) {
  static constexpr const char* k_names[] = {"off", "home", "local", "both", "automatic"};
  return k_names[static_cast<unsigned>(where)];
}

/// Returns the shape of a history, from 1 x 1 to 8 x 4. It has about 70 to 200 operations.
inline history_case history_of(std::uint64_t seed) {
  static constexpr history_case k_cases[] = {{1, 2, 8, 6}, {2, 1, 8, 6}, {1, 1, 12, 6}, {2, 2, 5, 5},
                                             {3, 2, 4, 4}, {1, 4, 6, 5}, {4, 1, 6, 5},  {8, 4, 2, 3}};
  return k_cases[hash64(seed, 17) % std::size(k_cases)];
}

/// Returns a shape with few cores, so that each has many keys.
inline history_case growing_history_of(std::uint64_t seed) {
  static constexpr history_case k_cases[] = {{1, 1, 12, 12}, {1, 2, 10, 12}, {2, 1, 10, 12}};
  return k_cases[hash64(seed, 17) % std::size(k_cases)];
}

inline job_options simulated(const history_case& c, std::uint64_t seed) {
  job_options o;
  o.simulate = simulation::options{};
  o.simulate->processes = c.processes;
  o.simulate->cores = c.cores;
  o.simulate->seed = seed;
  o.simulate->network = hash64(seed, 3) % 2 == 0 ? "qdr" : "loopback";
  o.simulate->faults = hash64(seed, 5) % 4 == 0 ? "none" : "all";
  o.simulate->most_ns = 2'000'000'000;
  o.simulate->most_steps = 50'000'000;
  return o;
}

/// Runs operations on a structure in a job and returns their history. Stamps are by the order in which things
/// happened, in simulations, too. Virtual time can have a core of a process see what another one, which is
/// ahead of it, will publish. ask(log, handle, random bits, number) records one operation.
template <class Scoped, class Ask>
lin::history recorded(const job_options& o, const history_case& c, combine where, std::uint64_t seed,
                      Ask ask) {
  // Not on the stack: all cores write it, also those of other simulated processes, and a loop may not capture an address of main()'s.
  const auto recorder =
      std::make_unique<lin::recorder>(std::size_t{c.processes} * c.cores * c.fibers, c.operations);
  run(o, [&] {
    Scoped owned(where);
    on_all_cores([at = owned.handle(), to = recorder.get(), c, seed, ask] {
      in_fibers(c.fibers, [=](unsigned f) {
        const std::uint64_t me = std::uint64_t{here()} * c.fibers + f;
        auto& log = to->of(static_cast<std::uint32_t>(me));
        for (unsigned k = 0; k < c.operations; ++k)
          ask(log, at, hash64(seed, me * c.operations + k), me * c.operations + k);
      });
    });
  });
  return recorder->history();
}

/// Judges the history that recorded() returns.
template <class Scoped, class Ask>
lin::verdict verdict_of(const job_options& o, const history_case& c, lin::structure kind, combine where,
                        std::uint64_t seed, Ask ask) {
  return lin::check(kind, recorded<Scoped>(o, c, where, seed, ask));
}

/// Checks so many histories on simulated clusters.
template <class Scoped, class Ask>
void check_simulated(lin::structure kind, combine where, std::uint64_t histories, Ask ask,
                     history_case (*case_of)(std::uint64_t) = history_of) {
  if (k_thread_sanitizer) GTEST_SKIP() << "one thread: nothing to see, and simulations do not run under it";
  const test::seed_range seeds(histories);
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const history_case c = case_of(seed);
    const auto v = verdict_of<Scoped>(simulated(c, seed), c, kind, where, seed, ask);
    ASSERT_TRUE(v) << "seed " << seed << ", " << c.processes << " x " << c.cores << ", " << name_of(where)
                   << "\n"
                   << v;
  }
}

/// Does the same as check_simulated(), on threads.
template <class Scoped, class Ask>
void check_threads(lin::structure kind, combine where, std::uint64_t histories, Ask ask) {
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    const history_case c{1, 1 + static_cast<unsigned>(seed % 4), 8, 8};
    job_options o;
    o.cores = c.cores;
    const auto v = verdict_of<Scoped>(o, c, kind, where, seed, ask);
    ASSERT_TRUE(v) << "seed " << seed << ", " << c.cores << " cores, " << name_of(where) << "\n" << v;
  }
}

}  // namespace gossamer::test
