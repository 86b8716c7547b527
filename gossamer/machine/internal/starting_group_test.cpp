#include "gossamer/machine/internal/starting_group.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace gossamer::machine {
namespace {

using finding = starting_group::finding;

constexpr unsigned k_checks = 3, k_waiting_checks = 5;

struct seen_process {
  std::uint32_t rank;
  char state;
};

finding check_group(starting_group& group, const std::vector<seen_process>& all, std::uint32_t processes) {
  group.begin_check();
  for (const auto& [rank, state] : all) group.see(rank, 100 + static_cast<int>(rank), state);
  return group.end_check(k_checks, k_waiting_checks, processes);
}

std::string missing(const starting_group& group, std::size_t bytes = 96) {
  std::vector<char> text(bytes);
  group.list_missing(text);
  return text.data();
}

TEST(StartingGroup, FindsAProcessThatStaysStoppedWhileAnotherRuns) {
  starting_group group;
  for (unsigned check = 0; check < k_checks; ++check)
    EXPECT_EQ(check_group(group, {{0, 'S'}, {1, 'T'}}, 2), finding::nothing);
  EXPECT_EQ(check_group(group, {{0, 'S'}, {1, 'T'}}, 2), finding::stopped);
  EXPECT_EQ(group.stopped_rank(), 1U);
  EXPECT_EQ(group.stopped_pid(), 101);
}

TEST(StartingGroup, CountsAnewOnceAProcessGoesOn) {
  starting_group group;
  for (unsigned check = 0; check < 10 * k_checks; ++check)
    EXPECT_EQ(check_group(group, {{0, 'S'}, {1, check % k_checks == 0 ? 'S' : 'T'}}, 2), finding::nothing);
}

TEST(StartingGroup, FindsNothingWhereAllAreSuspended) {
  starting_group group;
  for (unsigned check = 0; check < 10 * k_waiting_checks; ++check)
    EXPECT_EQ(check_group(group, {{0, 'T'}, {1, 'T'}}, 4), finding::nothing);
  EXPECT_EQ(check_group(group, {{0, 'S'}, {1, 'T'}}, 4), finding::nothing);
}

TEST(StartingGroup, CountsARankOnceThatSeveralProgramsHave) {
  starting_group group;
  for (unsigned check = 1; check < k_waiting_checks; ++check)
    EXPECT_EQ(check_group(group, {{1, 'S'}, {1, 'S'}, {1, 'S'}}, 3), finding::nothing);
  EXPECT_EQ(check_group(group, {{1, 'S'}, {1, 'S'}, {1, 'S'}}, 3), finding::missing);
  EXPECT_EQ(group.seen(), 1U);
  EXPECT_EQ(missing(group), "0, 2");
}

TEST(StartingGroup, WaitsForOthersOnlySoLong) {
  starting_group group;
  for (unsigned check = 1; check < k_waiting_checks; ++check)
    EXPECT_EQ(check_group(group, {{1, 'S'}}, 4), finding::nothing);
  EXPECT_EQ(check_group(group, {{1, 'S'}}, 4), finding::missing);
  EXPECT_EQ(group.seen(), 1U);
  EXPECT_EQ(missing(group), "0, 2-3");
}

TEST(StartingGroup, WaitsForEverWhereAllAreThere) {
  starting_group group;
  for (unsigned check = 0; check < 10 * k_waiting_checks; ++check)
    EXPECT_EQ(check_group(group, {{0, 'S'}, {1, 'R'}}, 2), finding::nothing);
}

TEST(StartingGroup, ListsAsManyAsThereIsRoomFor) {
  starting_group group;
  std::vector<seen_process> odd;
  for (std::uint32_t rank = 1; rank < 200; rank += 2) odd.push_back({rank, 'S'});
  check_group(group, odd, 200);
  EXPECT_EQ(missing(group, 40), "0, 2, 4, 6, 8, 10, 12, 14, ...");
}

TEST(StartingGroup, CountsManyStoppedProcessesOnlyInPart) {
  starting_group group;
  std::vector<seen_process> all{{0, 'S'}};
  for (std::uint32_t rank = 1; rank < 500; ++rank) all.push_back({rank, 'T'});
  finding found = finding::nothing;
  for (unsigned check = 0; check <= k_checks; ++check) found = check_group(group, all, 500);
  EXPECT_EQ(found, finding::stopped);
}

}  // namespace
}  // namespace gossamer::machine
