#include "gossamer/machine/internal/watch_links.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <vector>

namespace gossamer::machine {
namespace {

constexpr std::uint32_t k_first = 1000;

/// A listener with links to it, all of this process.
class WatchLinks : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(events_.open());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    name_.sun_family = AF_UNIX;
    bytes_ = sizeof name_.sun_family;
    ASSERT_EQ(::bind(listener_, address(), bytes_), 0);
    bytes_ = sizeof name_;
    ASSERT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&name_), &bytes_), 0);
    ASSERT_EQ(::listen(listener_, 16), 0);
    links_->listen(listener_, 1024);
  }
  void TearDown() override {
    for (const int end : ends_) ::close(end);
    ::close(listener_);
  }

  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&name_); }
  int connect_link() {
    ends_.push_back(::socket(AF_UNIX, SOCK_STREAM, 0));
    EXPECT_EQ(::connect(ends_.back(), address(), bytes_), 0);
    return ends_.back();
  }
  static void send(int end, std::uint32_t word) { EXPECT_EQ(::send(end, &word, sizeof word, 0), 4); }
  void close_end(int end) {
    ::close(end);
    std::erase(ends_, end);
  }
  watch_links& links() { return *links_; }

  event_set events_;
  std::unique_ptr<watch_links> links_ = std::make_unique<watch_links>(events_, k_first);
  int listener_ = -1;
  sockaddr_un name_ = {};
  socklen_t bytes_ = 0;
  std::vector<int> ends_;
};

TEST_F(WatchLinks, HearWhoAProcessIsThatItLeavesAndThatItEnds) {
  const int end = connect_link();
  links().take();
  ASSERT_EQ(links().count(), 1U);
  EXPECT_EQ(links().read(0)->rank, watch_links::k_unknown);
  EXPECT_EQ(links().told(0).pid, ::getpid());
  send(end, 7);
  EXPECT_EQ(links().read(0)->rank, 7U);
  EXPECT_FALSE(links().told(0).leaves);
  send(end, 1);
  EXPECT_TRUE(links().read(0)->leaves);
  EXPECT_FALSE(links().told(0).closed);
  close_end(end);
  EXPECT_TRUE(links().read(0)->closed);
  EXPECT_FALSE(links().read(0).has_value());  // it was told
  EXPECT_EQ(links().told(0).rank, 7U);
}

TEST_F(WatchLinks, AreReadByTheirEvents) {
  const int end = connect_link();
  links().take();
  send(end, 7);
  std::uint32_t what = 0;
  events_.wait(-1, [&](std::uint32_t ready) { what = ready; });
  EXPECT_EQ(what, k_first);
}

TEST_F(WatchLinks, TellTheOrderInWhichTheyClosed) {
  const int first = connect_link(), second = connect_link();
  send(first, 1);
  send(second, 2);
  links().take();
  close_end(second);
  (void)links().read(0);
  (void)links().read(1);
  close_end(first);
  (void)links().read(0);
  ASSERT_EQ(links().closed(), 2U);
  EXPECT_EQ(links().told_by_closed(0).rank, 2U);
  EXPECT_EQ(links().told_by_closed(1).rank, 1U);
}

TEST_F(WatchLinks, AreTwoForAProcessAtMost) {
  for (unsigned n = 0; n < 3; ++n) connect_link();
  links().take();
  EXPECT_EQ(links().count(), 2U);
  char byte = 0;
  EXPECT_EQ(::recv(ends_.back(), &byte, 1, 0), 0);  // refused
}

TEST_F(WatchLinks, AreNoneWithoutDescriptors) {
  const int own = ::dup(listener_);
  links().listen(own, own + 2);
  connect_link();
  links().take();
  EXPECT_EQ(links().count(), 0U);
  links().take();  // it listens no more
  EXPECT_EQ(links().count(), 0U);
}

}  // namespace
}  // namespace gossamer::machine
