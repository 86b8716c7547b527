#include "gossamer/kernels/gups.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"
#include "gossamer/kernels/ping.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::kernels {
namespace {

TEST(Gups, UpdatesArriveOnceAndWhereTheyShould) {
  for (const unsigned cores : {1U, 2U, 3U})
    run({.cores = cores}, [&] {
      for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{8000}, std::uint64_t{1} << 20}) {
        const auto r = random_updates({.bytes = bytes, .operations = 100'000, .seed = cores, .verify = true});
        EXPECT_EQ(r.operations, 100'000U);
        EXPECT_TRUE(r.verified) << bytes << " bytes on " << cores << " cores";
        EXPECT_GT(r.seconds, 0);
      }
    });
}

TEST(Gups, UpdatesAsOftenAsTheTableHasCells) {
  run({.cores = 2}, [] {
    std::uint64_t told = 0;
    const auto r = random_updates({.bytes = 80'000}, [&](std::uint64_t done, std::uint64_t total) {
      told = done;
      EXPECT_EQ(total, 10'000U);
    });
    EXPECT_EQ(r.operations, 10'000U);
    EXPECT_EQ(told, 10'000U);
  });
}

TEST(Gups, ATableThatDoesNotFitIsRefused) {
  run({.cores = 1},
      [] { EXPECT_THROW((void)random_updates({.bytes = std::uint64_t{1} << 50, .operations = 1}), error); });
}

TEST(Gather, AnswersAreWhatTheCellsHold) {
  for (const unsigned cores : {1U, 2U, 3U})
    run({.cores = cores}, [&] {
      const auto r = random_reads({.bytes = 80'000, .operations = 50'000, .seed = cores, .verify = true});
      EXPECT_EQ(r.operations, 50'000U);
      EXPECT_TRUE(r.verified) << cores << " cores";
    });
}

TEST(Ping, MessagesOfEverySizeArriveAsSent) {
  for (const bool aggregate : {true, false}) {
    job_options o{.cores = 2};
    o.aggregate = aggregate;
    run(o, [] {
      for (const std::size_t bytes : {8U, 32U, 5000U, 100'000U}) {
        const auto r = stream_to(ping_partner(), bytes, 200);
        EXPECT_TRUE(r.verified) << bytes;
        EXPECT_GT(r.mb_per_s(), 0);
      }
      EXPECT_GT(one_way_seconds(ping_partner(), 8, 50), 0);
    });
  }
}

TEST(Ping, NeedsSomebodyElse) {
  run({.cores = 1}, [] { EXPECT_THROW((void)ping_partner(), error); });
}

}  // namespace
}  // namespace gossamer::kernels
