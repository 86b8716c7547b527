// The agreement of processes before a job starts, over a transport whose processes all send the same.
#include "gossamer/parallel/internal/world.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace gossamer::parallel {
namespace {

class like_minded_transport final : public fabric::transport {
 public:
  explicit like_minded_transport(unsigned processes) : processes_(processes) {}

  unsigned rank() const override { return 0; }
  unsigned size() const override { return processes_; }
  std::string description() const override { return "like-minded"; }
  void receive(unsigned, std::span<std::byte>) override {}
  std::optional<arrival> received(unsigned) override { return {}; }
  void send(unsigned, unsigned, std::span<const std::byte>) override {}
  bool sent(unsigned) override { return true; }
  void cancel_receives() override {}
  void barrier() override {}
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    for (unsigned p = 0; p < processes_; ++p)
      std::memcpy(all.data() + p * mine.size(), mine.data(), mine.size());
  }
  double plain_stream(unsigned, unsigned, std::size_t, unsigned) override { return 0; }
  [[noreturn]] void abort(int) override { std::abort(); }

 private:
  unsigned processes_;
};

/// Returns the agreement of processes that share `processors` processors of a node.
agreement agreed(unsigned processes, unsigned cores, unsigned processors) {
  like_minded_transport all(processes);
  return agree(all, {.cores = cores}, processors, processes);
}

TEST(Agreement, IsCrowdedWhereProcessesOfOneCoreOutnumberTheProcessors) {
  EXPECT_TRUE(agreed(5, 1, 2).is_crowded());
  EXPECT_TRUE(agreed(3, 0, 2).is_crowded());
  EXPECT_EQ(agreed(5, 1, 2).cores_per_processor, 3);
}

TEST(Agreement, IsCrowdedWhereCoresOutnumberTheShareOfAProcess) {
  EXPECT_TRUE(agreed(2, 2, 2).is_crowded());
  EXPECT_TRUE(agreed(2, 3, 4).is_crowded());
}

TEST(Agreement, IsNotCrowdedWhereEachCoreHasAProcessor) {
  EXPECT_FALSE(agreed(2, 1, 2).is_crowded());
  EXPECT_FALSE(agreed(2, 0, 9).is_crowded());
  EXPECT_EQ(agreed(2, 0, 9).cores, 4);
}

}  // namespace
}  // namespace gossamer::parallel
