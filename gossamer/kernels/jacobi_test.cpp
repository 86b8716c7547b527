#include "gossamer/kernels/jacobi.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::kernels {
namespace {

constexpr jacobi_method k_methods[] = {jacobi_method::puts, jacobi_method::messages, jacobi_method::blocked};

void expect_right(const jacobi_work& asked) {
  for (const jacobi_method m : k_methods) {
    jacobi_work w = asked;
    w.method = m;
    w.verify = true;
    const auto r = jacobi(w);
    EXPECT_TRUE(r.verified) << k_jacobi_methods[static_cast<unsigned>(m)] << ", " << w.n << " points, "
                            << w.iterations << " iterations, depth " << w.depth;
    EXPECT_TRUE(w.iterations == 0 || r.iterations <= w.iterations);
    EXPECT_TRUE(r.iterations == w.iterations || r.difference <= w.difference);
  }
}

TEST(Jacobi, IsTheSerialSolverToTheLastBit) {
  for (const unsigned cores : {1U, 2U, 3U, 8U})
    run({.cores = cores}, [] {
      for (const std::uint64_t n : {8U, 9U, 30U, 65U})
        for (const std::uint64_t iterations : {1U, 7U, 64U})
          for (const std::uint64_t depth : {1U, 4U, 16U})
            expect_right({.n = n, .iterations = iterations, .depth = depth});
    });
}

TEST(Jacobi, StopsWhereTheSerialSolverStops) {
  for (const unsigned cores : {1U, 3U})
    run({.cores = cores}, [] { expect_right({.n = 40, .difference = 0.01, .depth = 7}); });
}

TEST(Jacobi, WorksBetweenProcesses) {
  for (const char* what : {"processes=2 cores=1 network=qdr", "processes=3 cores=2 network=hdr",
                           "processes=23 cores=1 network=qdr", "processes=1 cores=17"}) {
    job_options o;
    o.simulate = simulation::options::parse(what);
    run(o, [] { expect_right({.n = 50, .iterations = 37, .depth = 5}); });
  }
}

// One point between an edge at 1 and three edges at 0: 1/4 after one iteration, then nothing changes.
TEST(Jacobi, OnePointIsTheMeanOfTheEdges) {
  run({.cores = 1}, [] {
    const auto r = jacobi({.n = 1});
    EXPECT_EQ(r.iterations, 2U);
    EXPECT_EQ(r.difference, 0);
  });
}

TEST(Jacobi, RefusesMoreCoresThanRows) {
  run({.cores = 3}, [] { EXPECT_THROW((void)jacobi({.n = 2}), error); });
}

}  // namespace
}  // namespace gossamer::kernels
