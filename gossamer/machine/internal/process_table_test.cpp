#include "gossamer/machine/internal/process_table.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "gossamer/machine/internal/process_stat.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_s = 1'000'000'000;
constexpr int k_descriptors = 1024;

/// Children that wait, and a table of them.
class ProcessTable : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(events_.open()); }
  void TearDown() override {
    for (unsigned i = 0; i < count_; ++i) {
      ::kill(known_[i].pid, SIGKILL);
      ::waitpid(known_[i].pid, nullptr, 0);
    }
  }

  void start(unsigned count) {
    for (count_ = 0; count_ < count; ++count_) {
      const pid_t child = ::fork();
      if (child == 0)
        for (;;) ::pause();
      known_[count_] = {child, 10 + count_, start_time_of(child)};
    }
  }
  void hold(unsigned count, int descriptors = k_descriptors) {
    start(count);
    table().hold_all(count, descriptors, 0);
  }
  /// Ends a process. Its parent collects it only where `collected`.
  void end(unsigned i, int number, bool collected = false) const {
    ::kill(known_[i].pid, number);
    siginfo_t info = {};
    ::waitid(P_PID, static_cast<id_t>(known_[i].pid), &info, WEXITED | (collected ? 0 : WNOWAIT));
  }
  process_table& table() { return *table_; }
  sighting at(std::uint64_t s, bool ordered = true) const { return {s * k_s, ordered}; }

  event_set events_;
  std::array<watched_process, k_most_watched> known_{};
  std::unique_ptr<process_table> table_ = std::make_unique<process_table>(known_.data(), events_);
  unsigned count_ = 0;
};

TEST_F(ProcessTable, TellsDeathsInTheOrderOfTheirFirstSigns) {
  hold(3);
  table().begins_to_die(2, at(1));
  table().ended(0, at(1));
  EXPECT_EQ(table().next_death(1 * k_s), std::nullopt);  // 2 comes first, and has not ended
  table().ended(2, at(1));
  EXPECT_EQ(table().next_death(1 * k_s), 2U);
  EXPECT_EQ(table().next_death(1 * k_s), 0U);
  EXPECT_FALSE(table().one_dies());
  EXPECT_FALSE(table().all_gone());
}

TEST_F(ProcessTable, ForgetsWhatOnlySeemedToDie) {
  hold(2);
  table().begins_to_die(0, at(1));
  table().ended(1, at(1));
  EXPECT_EQ(table().forgets_at(), k_s + k_s / 2);
  EXPECT_EQ(table().next_death(2 * k_s), 1U);
  EXPECT_EQ(table().forgets_at(), process_table::k_never);
  EXPECT_FALSE(table().is_gone(0));
  table().ended(0, at(3));
  EXPECT_EQ(table().next_death(3 * k_s), 0U);
  EXPECT_TRUE(table().all_gone());
}

TEST_F(ProcessTable, IsToldOfAnEndByItsEvent) {
  hold(2);
  end(1, SIGTERM);
  std::uint32_t what = 99;
  events_.wait(-1, [&](std::uint32_t ready) { what = ready; });
  ASSERT_EQ(what, 1U);
  table().ended(what, at(1));
  const int status = table().status(1);
  EXPECT_TRUE(status >= 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  events_.wait(0, [](std::uint32_t) { ADD_FAILURE() << "told twice"; });
}

TEST_F(ProcessTable, FindsAProcessByItsRankAndNumber) {
  hold(2);
  EXPECT_EQ(table().find(11, known_[1].pid), 1U);
  EXPECT_EQ(table().find(10, known_[1].pid), std::nullopt);
}

TEST_F(ProcessTable, KnowsWhichWereGoneBefore) {
  start(2);
  end(0, SIGKILL);
  ::waitpid(known_[0].pid, nullptr, 0);
  table().hold_all(2, k_descriptors, 0);
  EXPECT_FALSE(table().is_gone(0));
  table().end_missing(at(1));
  EXPECT_TRUE(table().is_gone(0));
  EXPECT_FALSE(table().is_gone(1));
  known_[0].pid = 0x7fffffff;  // nothing to end
}

TEST_F(ProcessTable, TakesALaterProcessOfTheSameNumberForNone) {
  start(1);
  ++known_[0].start_time;
  table().hold_all(1, k_descriptors, 0);
  table().end_missing(at(1));
  EXPECT_TRUE(table().is_gone(0));
}

TEST_F(ProcessTable, LooksAtProcessesWithoutDescriptors) {
  hold(2, 5);  // of which four are spare
  EXPECT_EQ(table().next_poll(), k_s / 10);
  table().end_missing(at(0));
  EXPECT_FALSE(table().is_gone(1));
  end(1, SIGKILL);
  EXPECT_FALSE(table().poll_unheld({k_s / 20, true}));
  EXPECT_TRUE(table().poll_unheld(at(1)));
  EXPECT_TRUE(table().is_gone(1));
  EXPECT_FALSE(table().is_gone(0));
  table().signal_all(SIGTERM, false);
  ::waitid(P_PID, static_cast<id_t>(known_[0].pid), nullptr, WEXITED | WNOWAIT);
  EXPECT_TRUE(table().poll_unheld(at(2)));
  EXPECT_TRUE(table().all_gone());
}

TEST_F(ProcessTable, TakesTheDeathThatNoLauncherDealsOutForTheCause) {
  hold(3);
  end(0, SIGKILL);
  end(1, SIGABRT);  // not one that a sanitizer handles
  table().ended(0, at(1, false));
  table().ended(1, at(1, false));
  EXPECT_EQ(table().cause_of(0, at(1, false)), 1U);
}

TEST_F(ProcessTable, TakesTheFirstOfOrderedDeathsForTheCause) {
  hold(2);
  end(0, SIGKILL);
  end(1, SIGABRT);  // not one that a sanitizer handles
  table().ended(0, at(1));
  table().ended(1, at(1));
  EXPECT_EQ(table().cause_of(0, at(1)), 0U);
}

TEST_F(ProcessTable, LooksForTheCauseAmongThoseThatHaveJustEnded) {
  hold(2);
  end(0, SIGKILL);
  end(1, SIGABRT);  // not one that a sanitizer handles
  table().ended(0, at(1, false));
  EXPECT_EQ(table().cause_of(0, at(1, false)), 1U);
  EXPECT_TRUE(table().is_gone(1));
}

TEST_F(ProcessTable, FindsAProcessThatStaysStoppedWhileOthersRun) {
  hold(2);
  ::kill(known_[1].pid, SIGSTOP);
  while (stat_of(known_[1].pid).state != 'T') {}
  EXPECT_EQ(table().find_stopped(2, false), std::nullopt);
  EXPECT_EQ(table().find_stopped(2, false), std::nullopt);
  EXPECT_EQ(table().find_stopped(2, false), 1U);
  ::kill(known_[0].pid, SIGSTOP);
  while (stat_of(known_[0].pid).state != 'T') {}
  for (unsigned check = 0; check < 10; ++check) EXPECT_EQ(table().find_stopped(2, false), std::nullopt);
}

TEST_F(ProcessTable, CountsAStopOfTheOnlyProcessWhereItIsAsked) {
  hold(1);
  ::kill(known_[0].pid, SIGSTOP);
  while (stat_of(known_[0].pid).state != 'T') {}
  for (unsigned check = 0; check < 10; ++check) EXPECT_EQ(table().find_stopped(1, false), std::nullopt);
  EXPECT_EQ(table().find_stopped(1, true), std::nullopt);
  EXPECT_EQ(table().find_stopped(1, true), 0U);
}

TEST_F(ProcessTable, MaySpareTheFirst) {
  hold(2);
  table().signal_all(SIGKILL, true);
  ::waitid(P_PID, static_cast<id_t>(known_[1].pid), nullptr, WEXITED | WNOWAIT);
  EXPECT_NE(stat_of(known_[0].pid).state, 'Z');
}

TEST_F(ProcessTable, RemembersOneThatLeaves) {
  hold(2);
  EXPECT_FALSE(table().one_leaves());
  table().leaves(1);
  EXPECT_TRUE(table().one_leaves());
}

}  // namespace
}  // namespace gossamer::machine
