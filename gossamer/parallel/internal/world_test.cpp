// The agreement of processes before a job starts, over a transport whose processes all send the same, but
// for the last one, where it is given another transport's words.
#include "gossamer/parallel/internal/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"

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
    if (last_ != nullptr)
      std::ranges::copy(last_->said_.at(said_.size()), all.end() - static_cast<std::ptrdiff_t>(mine.size()));
    said_.emplace_back(mine.begin(), mine.end());
  }
  double plain_stream(unsigned, unsigned, std::size_t, unsigned) override { return 0; }
  [[noreturn]] void abort(int) override { std::abort(); }
  const like_minded_transport* last_ = nullptr;  // what it has said the last process says; null: they agree

 private:
  unsigned processes_;
  std::vector<std::vector<std::byte>> said_;
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

/// Returns why two processes with these options do not agree; empty if they do.
std::string refusal(const job_options& first, const job_options& second) {
  like_minded_transport one(2), other(2);
  (void)agree(other, second, 2, 2);
  one.last_ = &other;
  try {
    (void)agree(one, first, 2, 2);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(Agreement, NeedsTheSameOptionsInAllProcesses) {
  const job_options usual{.cores = 1};
  EXPECT_EQ(refusal(usual, usual), "");
  const auto differs = [&](auto change) {
    job_options other = usual;
    change(other);
    return refusal(usual, other);
  };
  const std::string expected = "process 1 was given other options than process 0: they must be the same";
  EXPECT_EQ(differs([](job_options& o) { o.seed = 7; }), expected);
  EXPECT_EQ(differs([](job_options& o) { o.aggregate = false; }), expected);
  EXPECT_EQ(differs([](job_options& o) { o.wire_packets = 4; }), expected);
  EXPECT_EQ(differs([](job_options& o) { o.bulk_bytes = 0; }), expected);
  EXPECT_EQ(differs([](job_options& o) { o.combining = combine::off; }), expected);
}

}  // namespace
}  // namespace gossamer::parallel
