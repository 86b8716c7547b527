#include "gossamer/machine/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "support/child_process.hpp"
#include "support/memory_limit.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

constexpr std::size_t k_mib = std::size_t{1} << 20;

std::string complaint_about(std::uint64_t bytes) {
  try {
    require_memory(bytes, "building the graph");
  } catch (const error& failure) {
    return failure.what();
  }
  return "no complaint";
}

using test::memory_limit;

TEST(MemoryRegion, IsZeroedAndWritable) {
  const memory_region region(3 * page_bytes() - 1, "a test");
  ASSERT_EQ(region.size(), 3 * page_bytes());
  EXPECT_TRUE(std::all_of(region.bytes().begin(), region.bytes().end(),
                          [](std::byte b) { return b == std::byte{0}; }));
  std::fill(region.bytes().begin(), region.bytes().end(), std::byte{1});
  EXPECT_TRUE(region.contains(region.data()));
  EXPECT_TRUE(region.contains(region.data() + region.size() - 1));
  EXPECT_FALSE(region.contains(region.data() + region.size()));
  EXPECT_FALSE(region.contains(region.data() - 1));
}

TEST(MemoryRegion, OfNothingIsEmpty) {
  const memory_region region(0, "a test");
  EXPECT_EQ(region.size(), 0U);
  EXPECT_EQ(region.data(), nullptr);
}

TEST(MemoryRegion, OfHugePagesStartsAtAMultipleOf2MiB) {
  for (int i = 0; i < 4; ++i) {  // several, because one may be aligned by luck
    const memory_region region(3 * k_mib, "a test", pages::huge);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(region.data()) % k_huge_page_bytes, 0U);
    EXPECT_EQ(region.size(), 4 * k_mib);
    region.bytes().front() = region.bytes().back() = std::byte{7};
  }
}

TEST(MemoryRegion, MovesItsMapping) {
  memory_region first(page_bytes(), "a test");
  first.data()[0] = std::byte{42};
  memory_region second(std::move(first));
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_EQ(second.data()[0], std::byte{42});
  first = std::move(second);
  EXPECT_EQ(first.data()[0], std::byte{42});
}

TEST(MemoryRegion, MayBeFarLargerThanTheMemory) {
  if (test::k_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer's shadow limits the address space";
  const memory_region region(std::size_t{1} << 40, "a test");
  region.bytes().back() = std::byte{1};
  EXPECT_EQ(region.bytes().back(), std::byte{1});
}

TEST(MemoryRegion, NamesItsUseWhereTheKernelRefuses) {
  try {
    const memory_region region(std::size_t{1} << 60, "the moon");
    FAIL();
  } catch (const error& failure) {
    EXPECT_TRUE(std::string_view(failure.what()).starts_with("cannot map 1.0 EiB for the moon"))
        << failure.what();
  }
}

TEST(MemoryRegion, DiscardedPagesReadAsZero) {
  memory_region region(4 * page_bytes(), "a test");
  std::fill(region.bytes().begin(), region.bytes().end(), std::byte{1});
  region.discard(page_bytes(), page_bytes());
  EXPECT_EQ(region.data()[page_bytes() - 1], std::byte{1});
  EXPECT_EQ(region.data()[page_bytes()], std::byte{0});
  EXPECT_EQ(region.data()[2 * page_bytes()], std::byte{1});
}

TEST(MemoryRegion, PopulatedPagesCountAsUsedAndKeepTheirContent) {
  memory_region region(64 * k_mib, "a test", pages::small);
  region.data()[5] = std::byte{9};
  const auto before = current_rss();
  region.populate(1, 32 * k_mib);
  EXPECT_GE(current_rss(), before + 30 * k_mib);
  EXPECT_GE(peak_rss(), before + 30 * k_mib);
  EXPECT_EQ(region.data()[5], std::byte{9});
}

TEST(MemoryRegionDeathTest, GuardPagesCannotBeTouchedUntilTheyAreUnprotected) {
  memory_region region(3 * page_bytes(), "a test");
  ASSERT_TRUE(region.protect(page_bytes(), page_bytes()));
  region.data()[0] = std::byte{1};
  region.data()[2 * page_bytes()] = std::byte{1};
  EXPECT_DEATH({ *const_cast<volatile std::byte*>(region.data() + page_bytes()) = std::byte{1}; }, "");
  ASSERT_TRUE(region.unprotect(page_bytes(), page_bytes()));
  region.data()[page_bytes()] = std::byte{1};
}

TEST(MemoryRegion, SaysSoWhereThereAreNoMoreMappings) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizer needs mappings itself and ends the program";
  const std::size_t wanted = 2 * max_mappings();
  if (wanted > 2'000'000) GTEST_SKIP() << "this kernel allows " << wanted / 2 << " mappings";
  test::child_process child([&](auto) {
    memory_region region(wanted * page_bytes(), "a test", pages::small);
    bool refused = false;
    for (std::size_t i = 0; i + 1 < wanted && !refused; i += 2)
      refused = !region.protect(i * page_bytes(), page_bytes());
    ::_exit(refused ? 7 : 8);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7));
}

TEST(AvailableMemory, IsMoreThanNothingAndLessThanAll) {
  EXPECT_GT(available_memory(), 0U);
  EXPECT_LE(available_memory(), total_memory());
}

TEST(AvailableMemory, IsLoweredByTheEnvironment) {
  const memory_limit limit("1G");
  EXPECT_LT(available_memory(), 1024 * k_mib);
  memory_region used(128 * k_mib, "a test");
  used.populate(0, used.size());
  EXPECT_LT(available_memory(), (1024 - 120) * k_mib);  // what the process has counts
}

std::int64_t page_faults() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

/// A page that is read first and then written costs two faults, and the second one interrupts all threads.
TEST(ZeroedArray, PopulatedElementsFaultNoMore) {
  const std::size_t pages = 256, words = page_bytes() / 8;
  zeroed_array<std::uint64_t> all(pages * words, "a test");
  all.populate();
  const std::int64_t before = page_faults();
  for (std::size_t p = 0; p < pages; ++p)
    if (all[p * words] == 0) all[p * words] = 1;
  EXPECT_LT(page_faults() - before, static_cast<std::int64_t>(pages) / 2);
}

TEST(AvailableMemory, IsSharedAmongTheProcessesOfTheNode) {
  const test::temporary_folder node;  // what is free does not change between two looks
  node.plant("proc/meminfo", "MemAvailable: 8388608 kB\n");
  memory_region used(64 * k_mib, "a test");
  used.populate(0, used.size());
  const auto self = static_cast<std::uint32_t>(::getpid());
  const std::uint64_t alone = available_memory(node.path());
  share_memory_with({self, self, self, self});  // all have used as much as this one
  const std::uint64_t quarter = available_memory(node.path());
  test::child_process child([](auto ready) {
    ready();
    ::pause();
  });
  ASSERT_TRUE(child.wait_until_ready());
  share_memory_with(
      {self, static_cast<std::uint32_t>(child.pid())});  // the process that has less may take more
  const std::uint64_t half = available_memory(node.path());
  share_memory_with({});
  child.send(SIGKILL);
  EXPECT_NEAR(static_cast<double>(quarter), static_cast<double>(alone) / 4, static_cast<double>(alone) / 40);
  EXPECT_LT(half, alone / 2 + 16 * k_mib);
  EXPECT_GT(half, alone / 3);
}

TEST(AvailableMemory, IsZeroBeyondTheLimit) {
  const memory_limit limit("4K");
  EXPECT_EQ(available_memory(), 0U);
}

TEST(AvailableMemory, ComplainsAboutANonsenseLimit) {
  const memory_limit limit("plenty");
  EXPECT_EQ(complaint_about(1),
            "GOSSAMER_MEMORY_LIMIT: expected bytes (such as 64K or 1.5G), found \"plenty\"");
}

// Bytes of a line of /proc/self/status that is in kB.
std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::stoull(line.substr(key.size())) * 1024;
  return 0;
}

void expect_available_within(decltype(RLIMIT_AS) resource, const std::string& used_key) {
  test::child_process child([&](auto) {
    const rlimit limit{status_bytes(used_key) + 100 * k_mib, RLIM_INFINITY};
    ::setrlimit(resource, &limit);
    const std::uint64_t available = available_memory();
    ::_exit(available <= 101 * k_mib && available > 50 * k_mib ? 7 : 8);  // a little is given back
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7)) << child.errors();
}

TEST(AvailableMemory, ObeysTheLimitOfAddressSpace) { expect_available_within(RLIMIT_AS, "VmSize:"); }
TEST(AvailableMemory, ObeysTheLimitOfData) { expect_available_within(RLIMIT_DATA, "VmData:"); }

TEST(RequireMemory, SaysWhatIsNeededAndWhatThereIs) {
  EXPECT_EQ(complaint_about(1), "no complaint");
  const memory_limit limit("4K");
  EXPECT_EQ(complaint_about(13'314'398'618),
            "building the graph needs 12.4 GiB, 0 B available (GOSSAMER_MEMORY_LIMIT is 4K: raise it)");
}

TEST(MayTake, RefusesBeforeTheLimitIsReached) {
  test::child_process child([](auto) {
    ::setenv("GOSSAMER_MEMORY_LIMIT", "1", 1);
    while (may_take(k_mib)) {  // what was granted before
    }
    ::setenv("GOSSAMER_MEMORY_LIMIT", std::to_string(current_rss() + 100 * k_mib).c_str(), 1);
    for (int i = 0; i < k_unasked_refusals; ++i) (void)may_take(1);
    memory_region region(200 * k_mib, "a test");
    std::size_t taken = 0;
    for (; taken < region.size() && may_take(k_mib); taken += k_mib) region.populate(taken, k_mib);
    if (taken < 32 * k_mib || taken > 96 * k_mib) ::_exit(8);
    region.discard(0, taken);
    for (int i = 0; i <= k_unasked_refusals; ++i)
      if (may_take(k_mib)) ::_exit(7);
    ::_exit(9);
  });
  child.finish();
  EXPECT_TRUE(child.exited_with(7)) << child.errors();
}

}  // namespace
}  // namespace gossamer::machine
