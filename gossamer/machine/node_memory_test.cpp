#include "gossamer/machine/node_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/node_watch.hpp"
#include "support/child_process.hpp"

namespace gossamer::machine {
namespace {

constexpr std::size_t k_bytes = 8 << 20;

std::byte* address(std::uint64_t offset) { return reinterpret_cast<std::byte*>(k_common_first + offset); }

std::uint32_t self() { return static_cast<std::uint32_t>(process_id()); }

bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

TEST(NodeMemory, MoreThanTheLimitOfFilesIsAnErrorAndNoSignal) {
  test::child_process child([](auto) {
    ::signal(SIGXFSZ, SIG_DFL);
    const rlimit most{1 << 20, 1 << 20};
    if (::setrlimit(RLIMIT_FSIZE, &most) != 0) ::_exit(2);
    try {
      (void)node_memory::make(k_bytes);
    } catch (const error& why) {
      ::_exit(std::string(why.what()).find("File too large") != std::string::npos ? 0 : 3);
    }
    ::_exit(4);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(0));
}

TEST(NodeMemory, IsTheSameForThoseThatOpenIt) {
  const auto made = node_memory::make(std::uint64_t{1} << 40);
  const auto opened = node_memory::open(self(), made.descriptor());
  const memory_region one = made.map(address(0), 4 * k_bytes, k_bytes, "a test");
  const memory_region other = opened.map(address(k_bytes), 4 * k_bytes, k_bytes, "a test");
  ASSERT_EQ(one.data(), address(0));
  EXPECT_TRUE(all_zero(other.bytes()));
  one.data()[12345] = std::byte{7};
  EXPECT_EQ(other.data()[12345], std::byte{7});
  other.data()[k_bytes - 1] = std::byte{9};
  EXPECT_EQ(one.data()[k_bytes - 1], std::byte{9});
}

TEST(NodeMemory, IsZeroesAgainAfterDiscarding) {
  const auto made = node_memory::make(std::uint64_t{1} << 40);
  const memory_region region = made.map(address(0), 0, k_bytes, "a test");
  std::ranges::fill(region.bytes(), std::byte{1});
  made.discard(page_bytes(), 2 * page_bytes());
  EXPECT_EQ(region.data()[page_bytes() - 1], std::byte{1});
  EXPECT_TRUE(all_zero(region.bytes().subspan(page_bytes(), 2 * page_bytes())));
  EXPECT_EQ(region.data()[3 * page_bytes()], std::byte{1});
}

TEST(NodeMemory, TakingHugePagesChangesNothingThatCanBeRead) {
  const auto made = node_memory::make(std::uint64_t{1} << 40);
  const memory_region region = made.map(address(0), 0, k_bytes, "a test");
  region.data()[3 << 20] = std::byte{5};
  take_huge_pages(region.data() + page_bytes(), k_bytes - 2 * page_bytes());
  EXPECT_EQ(std::exchange(region.data()[3 << 20], std::byte{0}), std::byte{5});
  EXPECT_TRUE(all_zero(region.bytes()));
}

TEST(NodeMemory, IsNotMappedBehindItsEnd) {
  const auto made = node_memory::make(k_bytes);
  const auto opened = node_memory::open(self(), made.descriptor());
  EXPECT_NO_THROW((void)made.map(nullptr, k_bytes / 2, k_bytes / 2, "a test"));
  for (const std::uint64_t offset :
       {std::uint64_t{0} + page_bytes(), 2 * std::uint64_t{k_bytes}, ~std::uint64_t{0} - 4095})
    EXPECT_THROW((void)opened.map(nullptr, offset, k_bytes, "a test"), error) << offset;
  opened.extend(2 * k_bytes);
  EXPECT_EQ(made.size(), 2 * k_bytes) << "it is one file";
  made.extend(k_bytes);
  EXPECT_EQ(made.size(), 2 * k_bytes) << "it never becomes shorter";
  const memory_region region = made.map(nullptr, k_bytes, k_bytes, "a test");
  region.data()[k_bytes - 1] = std::byte{3};
  EXPECT_EQ(region.data()[k_bytes - 1], std::byte{3});
}

TEST(NodeMemory, SaysWhatCannotBeOpened) {
  constexpr int k_no_descriptor = 1'000'000;
  try {
    (void)node_memory::open(self(), k_no_descriptor);
    FAIL() << "opened";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("/fd/1000000"), std::string::npos) << e.what();
  }
}

TEST(SharedMemory, HasAProblemWhereThereIsNoRoom) {
  EXPECT_EQ(problem_of_shared_memory(1), "");
  EXPECT_EQ(problem_of_shared_memory(std::uint64_t{1} << 60), "/dev/shm: No space left on device");
}

}  // namespace
}  // namespace gossamer::machine
