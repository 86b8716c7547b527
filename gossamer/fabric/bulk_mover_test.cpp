#include "gossamer/fabric/bulk_mover.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace gossamer::fabric {
namespace {

/// A transport whose moves are over when the test says so.
class told_transport final : public transport {
 public:
  unsigned rank() const override { return 0; }
  unsigned size() const override { return 3; }
  std::string description() const override { return "told"; }
  void receive(unsigned, std::span<std::byte>) override {}
  std::optional<arrival> received(unsigned) override { return std::nullopt; }
  void send(unsigned, unsigned, std::span<const std::byte>) override {}
  bool sent(unsigned) override { return true; }
  void cancel_receives() override {}
  void barrier() override {}
  void all_gather(std::span<const std::byte>, std::span<std::byte>) override {}
  double plain_stream(unsigned, unsigned, std::size_t, unsigned) override { return 0; }
  [[noreturn]] void abort(int) override { std::abort(); }

  unsigned bulk_tags() const override { return 100; }
  void bulk_send(unsigned slot, unsigned to, unsigned tag, std::span<const std::byte>) override {
    begin(slot, "out", to, tag);
  }
  void bulk_receive(unsigned slot, unsigned from, unsigned tag, std::span<std::byte>) override {
    begin(slot, "in", from, tag);
  }
  bool bulk_over(unsigned slot) override {
    EXPECT_TRUE(begun.contains(slot)) << "slot " << slot << " is not in use";
    if (!over.contains(begun[slot])) return false;
    begun.erase(slot);
    return true;
  }

  void bulk_cancel(unsigned slot, bool sends) override {
    EXPECT_EQ(begun.at(slot).starts_with("out"), sends);
    begun.erase(slot);
  }

  std::map<unsigned, std::string> begun;  // by slot
  std::set<std::string> over;

 private:
  void begin(unsigned slot, const char* way, unsigned peer, unsigned tag) {
    const std::string name = std::string(way) + std::to_string(peer) + "/" + std::to_string(tag);
    EXPECT_TRUE(begun.emplace(slot, name).second) << "slot " << slot << " is in use";
  }
};

class BulkMover : public testing::Test {
 protected:
  bool poll() {
    notified_.clear();
    return mover.poll([this](unsigned core) { notified_.push_back(core); });
  }
  /// An end that says when it has gone.
  struct told_end final : move_end {
    explicit told_end(int& gone) : gone_(gone) {}
    ~told_end() override { ++gone_; }
    int& gone_;
  };
  /// `gone`: null where no core is to be told.
  bulk_move move(bulk_move::way how, unsigned peer, unsigned tag, unsigned core, int* gone,
                 bool answers = false) {
    return {
        how,           answers,       peer, tag,
        block_.data(), block_.size(), core, gone != nullptr ? std::make_unique<told_end>(*gone) : nullptr};
  }

  told_transport between;
  bulk_mover mover{between, 2, 2};
  std::vector<unsigned> notified_;
  std::array<std::byte, 8> block_{};
  int a = 0, b = 0;
  using way = bulk_move::way;
};

TEST_F(BulkMover, TellsTheCoreThatBeganAMove) {
  mover.start(move(way::out, 1, 4, 0, &a));
  mover.start(move(way::in, 2, 5, 1, &b));
  EXPECT_TRUE(mover.any());
  EXPECT_TRUE(poll());
  EXPECT_EQ(between.begun.size(), 2U);
  EXPECT_FALSE(mover.any_over(0) || mover.any_over(1));
  between.over.insert("in2/5");
  EXPECT_TRUE(poll());
  EXPECT_EQ(notified_, std::vector<unsigned>{1});
  EXPECT_FALSE(mover.any_over(0));
  ASSERT_TRUE(mover.any_over(1));
  EXPECT_EQ(mover.take_over(1).size(), 1U);
  EXPECT_EQ(b, 1);
  EXPECT_FALSE(mover.any_over(1));
  EXPECT_TRUE(mover.any());
  between.over.insert("out1/4");
  poll();
  EXPECT_TRUE(between.begun.empty());
  EXPECT_TRUE(mover.any()) << "its core has not been told";
  EXPECT_EQ(mover.take_over(0).size(), 1U);
  EXPECT_EQ(a, 1);
  EXPECT_FALSE(mover.any());
}

TEST_F(BulkMover, AMoveWithoutATokenTellsNone) {
  mover.start(move(way::out, 1, 4, 0, nullptr));
  between.over.insert("out1/4");
  EXPECT_TRUE(poll());
  EXPECT_TRUE(notified_.empty());
  EXPECT_FALSE(mover.any() || mover.any_over(0));
}

TEST_F(BulkMover, ASlowMoveHoldsUpNoOther) {
  constexpr unsigned k_slow = 40;
  for (unsigned tag = 0; tag < k_slow; ++tag) mover.start(move(way::out, 1, tag, 0, nullptr));
  poll();
  mover.start(move(way::out, 2, 49, 0, nullptr));
  between.over.insert("out2/49");
  for (unsigned polls = 0; between.begun.size() != k_slow; ++polls) {
    ASSERT_LT(polls, k_slow) << "a poll looks at a few, and the next poll at the next few";
    poll();
  }
}

// What the search for a stall sums up: a move that only one side has begun is none that gets on.
TEST_F(BulkMover, EndsAreExpectedWhenTheOtherSideHasBegun) {
  mover.start(move(way::out, 1, 4, 0, &a));
  poll();
  EXPECT_EQ(mover.expected(), 0U);
  mover.start(move(way::in, 2, 5, 0, nullptr, true));
  EXPECT_EQ(mover.expected(), 2U) << "before anything of it can come";
  poll();
  between.over.insert("in2/5");
  poll();
  EXPECT_EQ(mover.ended(), 1U);
  between.over.insert("out1/4");
  poll();
  EXPECT_EQ(mover.ended(), 1U) << "its core has not been told";
  mover.take_over(0);
  EXPECT_EQ(mover.ended(), 2U);
}

TEST_F(BulkMover, WhatNeverBeganElsewhereIsTakenBack) {
  mover.start(move(way::out, 1, 4, 0, &a));
  poll();
  mover.start(move(way::in, 2, 5, 0, &b));  // not even given to the transport
  mover.cancel();
  EXPECT_TRUE(between.begun.empty());
  EXPECT_FALSE(mover.any());
  EXPECT_EQ(a + b, 2);
}

TEST_F(BulkMover, TwoJobsInTurnHaveOtherTags) {
  EXPECT_EQ(mover.tags(), 50U);
  bulk_mover next(between, 2, 3);
  next.start(move(way::out, 1, 4, 0, nullptr));
  next.poll([](unsigned) {});
  EXPECT_EQ(between.begun[0], "out1/54");
}

TEST_F(BulkMover, SlotsAreUsedAgain) {
  for (unsigned tag = 0; tag < 5; ++tag) {  // of two moves one stays
    mover.start(move(way::in, 1, tag, 0, nullptr));
    mover.start(move(way::in, 2, tag, 0, nullptr));
    poll();
    EXPECT_LE(between.begun.rbegin()->first, tag + 1) << "a new slot where one was free";
    between.over.insert("in1/" + std::to_string(tag));
    for (unsigned polls = 0; polls < 10; ++polls) poll();
    EXPECT_EQ(between.begun.size(), tag + 1);
  }
}

}  // namespace
}  // namespace gossamer::fabric
