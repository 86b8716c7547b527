#include "gossamer/machine/internal/starting_group.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace gossamer::machine {
namespace {

using finding = starting_group::finding;

constexpr unsigned k_looks = 3, k_waiting_looks = 5;

struct seen_process {
  std::uint32_t rank;
  char state;
};

finding look_at(starting_group& group, const std::vector<seen_process>& all, std::uint32_t processes) {
  group.begin_look();
  for (const auto& [rank, state] : all) group.see(rank, 100 + static_cast<int>(rank), state);
  return group.end_look(k_looks, k_waiting_looks, processes);
}

std::string missing(const starting_group& group, std::size_t bytes = 96) {
  std::vector<char> text(bytes);
  group.list_missing(text);
  return text.data();
}

TEST(StartingGroup, FindsAProcessThatStaysStoppedWhileAnotherRuns) {
  starting_group group;
  for (unsigned look = 0; look < k_looks; ++look)
    EXPECT_EQ(look_at(group, {{0, 'S'}, {1, 'T'}}, 2), finding::nothing);
  EXPECT_EQ(look_at(group, {{0, 'S'}, {1, 'T'}}, 2), finding::stopped);
  EXPECT_EQ(group.stopped_rank(), 1U);
  EXPECT_EQ(group.stopped_pid(), 101);
}

TEST(StartingGroup, CountsAnewOnceAProcessGoesOn) {
  starting_group group;
  for (unsigned look = 0; look < 10 * k_looks; ++look)
    EXPECT_EQ(look_at(group, {{0, 'S'}, {1, look % k_looks == 0 ? 'S' : 'T'}}, 2), finding::nothing);
}

TEST(StartingGroup, FindsNothingWhereAllAreSuspended) {
  starting_group group;
  for (unsigned look = 0; look < 10 * k_waiting_looks; ++look)
    EXPECT_EQ(look_at(group, {{0, 'T'}, {1, 'T'}}, 4), finding::nothing);
  EXPECT_EQ(look_at(group, {{0, 'S'}, {1, 'T'}}, 4), finding::nothing);
}

TEST(StartingGroup, CountsARankOnceThatSeveralProgramsHave) {
  starting_group group;
  for (unsigned look = 1; look < k_waiting_looks; ++look)
    EXPECT_EQ(look_at(group, {{1, 'S'}, {1, 'S'}, {1, 'S'}}, 3), finding::nothing);
  EXPECT_EQ(look_at(group, {{1, 'S'}, {1, 'S'}, {1, 'S'}}, 3), finding::missing);
  EXPECT_EQ(group.seen(), 1U);
  EXPECT_EQ(missing(group), "0, 2");
}

TEST(StartingGroup, WaitsForOthersOnlySoLong) {
  starting_group group;
  for (unsigned look = 1; look < k_waiting_looks; ++look)
    EXPECT_EQ(look_at(group, {{1, 'S'}}, 4), finding::nothing);
  EXPECT_EQ(look_at(group, {{1, 'S'}}, 4), finding::missing);
  EXPECT_EQ(group.seen(), 1U);
  EXPECT_EQ(missing(group), "0, 2-3");
}

TEST(StartingGroup, WaitsForEverWhereAllAreThere) {
  starting_group group;
  for (unsigned look = 0; look < 10 * k_waiting_looks; ++look)
    EXPECT_EQ(look_at(group, {{0, 'S'}, {1, 'R'}}, 2), finding::nothing);
}

TEST(StartingGroup, ListsAsManyAsThereIsRoomFor) {
  starting_group group;
  std::vector<seen_process> odd;
  for (std::uint32_t rank = 1; rank < 200; rank += 2) odd.push_back({rank, 'S'});
  look_at(group, odd, 200);
  EXPECT_EQ(missing(group, 40), "0, 2, 4, 6, 8, 10, 12, 14, ...");
}

TEST(StartingGroup, CountsManyStoppedProcessesOnlyInPart) {
  starting_group group;
  std::vector<seen_process> all{{0, 'S'}};
  for (std::uint32_t rank = 1; rank < 500; ++rank) all.push_back({rank, 'T'});
  finding found = finding::nothing;
  for (unsigned look = 0; look <= k_looks; ++look) found = look_at(group, all, 500);
  EXPECT_EQ(found, finding::stopped);
}

}  // namespace
}  // namespace gossamer::machine
