#include "gossamer/combining/tables/internal/route_choice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace gossamer::combining {
namespace {

/// The requests of a core, and how they merge.
struct made_up_traffic {
  std::uint64_t requests, questions;  // of a commit
  std::uint64_t merged;  // questions of several cores that merge into one
};

/// A core that commits.
class committing_core {
 public:
  committing_core(unsigned processes, unsigned cores) : choice(processes, cores) {}

  /// Commits `times` times. Returns how often through process combiners.
  unsigned commit(const made_up_traffic& t, unsigned times) {
    unsigned combined = 0;
    for (unsigned k = 0; k < times; ++k) {
      const bool before = choice.combines();
      choice.observe(t.requests, t.questions);
      if (choice.combines()) {
        choice.observe_answers(t.questions, t.questions / t.merged);
        ++combined;
      } else if (choice.wants_trial()) {
        choice.begin_trial();
        ++trials;
      }
      changes += choice.combines() != before ? 1 : 0;
    }
    return combined;
  }

  route_choice choice;
  unsigned trials = 0, changes = 0;
};

// 2,048 fibers on a core, half of them insert: of 1,024 keys, and of so many that all differ.
constexpr made_up_traffic k_hot{2048, 1300, 10}, k_wide{2048, 2048, 1};
constexpr made_up_traffic k_few{64, 64, 1};  // 64 fibers

TEST(RouteChoice, AJobWithoutAChoiceGoesStraight) {
  for (const auto& [processes, cores] : {std::pair{1U, 16U}, {16U, 1U}, {1U, 1U}}) {
    committing_core c(processes, cores);
    EXPECT_EQ(c.commit(k_hot, 5000), 0U);
    EXPECT_EQ(c.trials, 0U);
  }
  EXPECT_FALSE(route_choice().combines());
}

TEST(RouteChoice, HotKeysOfManyCoresCombineAtOnce) {
  for (const unsigned processes : {4U, 8U, 64U}) {
    committing_core c(processes, 16);
    EXPECT_EQ(c.commit(k_hot, 1000), 1000U) << processes;
    EXPECT_EQ(c.trials, 0U);
    EXPECT_GT(c.choice.merged(), 9.5);
  }
}

TEST(RouteChoice, BigCommitsOfKeysThatNobodySharesGoStraight) {
  committing_core few(2, 4), many(16, 4);
  EXPECT_EQ(few.commit(k_wide, 5000), 0U);  // would not pay even if all cores requested the keys
  EXPECT_EQ(few.trials, 0U);
  EXPECT_LE(many.commit(k_wide, 5000), 16U);  // trials, which become rare
  EXPECT_GT(many.trials, 0U);
}

TEST(RouteChoice, SmallCommitsToManyCoresCombineWhateverTheKeys) {
  committing_core many(16, 4), few(2, 4);
  EXPECT_EQ(many.commit(k_few, 1000), 1000U);
  EXPECT_EQ(few.commit(k_few, 1000), 0U);
}

TEST(RouteChoice, SilenceAndLoneRequestsGoStraight) {
  committing_core c(64, 16);
  EXPECT_EQ(c.commit({0, 0, 1}, 1000), 0U);
  EXPECT_EQ(c.commit({1, 1, 1}, 1000), 0U);
  EXPECT_EQ(c.trials, 0U);
}

TEST(RouteChoice, FollowsAPhaseChangeWithinAFewCommits) {
  committing_core c(4, 16);
  for (int round = 0; round < 4; ++round) {
    EXPECT_GE(c.commit(k_hot, 200), 196U);
    const unsigned before = c.trials, combined = c.commit(k_wide, 200);
    EXPECT_LE(combined, 4 + route_choice::k_trial * (c.trials - before));
  }
  EXPECT_LE(c.changes, 8 + 2 * c.trials);  // one per phase, and those of the trials
}

TEST(RouteChoice, FollowsABurst) {
  committing_core c(16, 4);
  EXPECT_EQ(c.commit(k_few, 100), 100U);
  c.commit(k_wide, 20);
  EXPECT_FALSE(c.choice.combines());
  c.commit(k_few, 10);
  EXPECT_EQ(c.commit(k_few, 100), 100U);
}

TEST(RouteChoice, ATrialFindsKeysThatEachCoreWantsOnce) {
  committing_core c(4, 16);
  const made_up_traffic same_list{1500, 1500, 16};  // each core requests the same keys
  EXPECT_GE(c.commit(same_list, 1000), 1000 - route_choice::k_least_patience);
  EXPECT_EQ(c.trials, 1U);
}

TEST(RouteChoice, HotKeysThatMislead) {  // half of the fibers request one key, the others one each
  committing_core c(4, 16);
  const made_up_traffic one_hot{2048, 1024, 1};
  const unsigned first = c.commit(one_hot, 10);
  EXPECT_LE(first, 2U);
  EXPECT_LE(c.commit(one_hot, 5000), 20U);
}

TEST(RouteChoice, DoesNotOscillateWhereBothRoutesCostTheSame) {
  committing_core c(4, 16);
  std::uint64_t state = 1;
  for (int k = 0; k < 2000;
       ++k) {  // commits of 1,400 to 1,600 questions, of which 1.9 to 2.1 merge into one on average
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t questions = 1400 + (state >> 40) % 200;
    c.choice.observe(questions * 21 / 20, questions);
    const bool before = c.choice.combines();
    if (before) c.choice.observe_answers(questions, questions * 10 / (19 + (state >> 50) % 3));
    c.choice.observe(questions * 21 / 20, questions);
    c.changes += c.choice.combines() != before ? 1 : 0;
  }
  EXPECT_LE(c.changes, 20U);
}

}  // namespace
}  // namespace gossamer::combining
