// One-sided transfers and Jacobi's method over whatever processes a launcher started, and in one.
#include "gossamer/memory/transfer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/kernels/jacobi.hpp"
#include "support/job_from_environment.hpp"
#include "support/transfer_cases.hpp"

namespace gossamer {
namespace {

using test::in_job;

TEST(ProcessesTransfer, MovesWhatASerialCopyMoves) {
  in_job([] {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      test::random_transfers<std::uint64_t>(seed, 20, 5000);
      test::random_transfers<test::triple>(seed + 1000, 20, 1000);
    }
  });
}

TEST(ProcessesTransfer, LargeChunksArriveWhole) {
  in_job([] {
    const std::uint64_t n = 200'000 * std::uint64_t{cores()};
    const scoped_array<std::uint64_t> a(n), b(n);
    const std::vector<std::uint64_t> data = test::numbered<std::uint64_t>(7, n);
    put(a, 0, data);
    on_core(cores() - 1,
            [a = a.handle(), b = b.handle(), n] { put(section(b, 0, n - 10), section(a, 10, n - 10)); });
    std::vector<std::uint64_t> got(n - 10);
    get(b, 0, got);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), data.begin() + 10));
  });
}

TEST(ProcessesTransfer, NotificationsSayThatDataIsThere) {
  in_job([] { EXPECT_EQ(test::ring_of_notifications(60), 0U); });
}

TEST(ProcessesTransfer, WordsOfArraysAreChangedAtomically) {
  in_job([] {
    const scoped_array<std::uint64_t> owner(cores());
    on_all_cores([a = owner.handle()] {
      for (int i = 0; i < 10; ++i)
        for (std::uint64_t k = 0; k < cores(); ++k) (void)fetch_add(a, k, k + 1);
    });
    for (std::uint64_t k = 0; k < cores(); ++k) EXPECT_EQ(owner.read(k), 10 * cores() * (k + 1));
  });
}

TEST(ProcessesTransfer, JacobiIsTheSerialSolverToTheLastBit) {
  in_job([] {
    using kernels::jacobi_method;
    for (const auto method : {jacobi_method::puts, jacobi_method::messages, jacobi_method::blocked}) {
      const auto r =
          kernels::jacobi({.n = 70, .iterations = 90, .method = method, .depth = 6, .verify = true});
      EXPECT_TRUE(r.verified) << kernels::k_jacobi_methods[static_cast<unsigned>(method)];
      EXPECT_EQ(r.iterations, 90U);
    }
  });
}

}  // namespace
}  // namespace gossamer
