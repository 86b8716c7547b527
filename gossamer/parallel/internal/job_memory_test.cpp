// The memory of jobs at their start and while their cores exchange messages, compared with the prediction;
// and errors if it does not fit.
#include "gossamer/parallel/internal/job_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/memory.hpp"
#include "support/child_process.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

constexpr bool k_sanitized = test::k_thread_sanitizer || test::k_address_sanitizer;
constexpr std::uint64_t k_mib = std::uint64_t{1} << 20;

/// Runs `body` in a separate process, which has had no job before. body returns an error, or an empty text.
template <class Body>
std::string said_by_child(Body body) {
  test::child_process child([&](auto) {
    std::string what;
    try {
      what = body();
    } catch (const std::exception& e) {
      what = e.what();
    }
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, what.data(), what.size());
  });
  child.finish();
  return child.errors();
}

std::string outside(const char* what, std::uint64_t taken, std::uint64_t predicted) {
  if (taken <= predicted && predicted <= 4 * taken) return "";
  return fmt::format("{}: took {}, predicted {}; ", what, taken, predicted);
}

/// Every core sends to every other one.
void talk_in_all_pairs() {
  on_all_cores([] {
    for (core_id c = 0; c < cores(); ++c) async_on(c, [] {});
  });
}

TEST(JobMemory, IsPredictedAndGrowsWithCoresNotWithTheirSquare) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the job";
  for (const unsigned n : {64U, 512U})
    EXPECT_EQ(said_by_child([n] {
                const job_options o{.cores = n};
                const std::uint64_t before = machine::current_rss();
                std::uint64_t after = 0;
                run(o, [&after] {
                  on_all_cores([] { barrier(); });
                  after = machine::current_rss();
                });
                return outside("at start", after - before, parallel::memory_of(o, 1).at_start(n));
              }),
              "");
}

TEST(JobMemory, OfASimulatedClusterIsPredicted) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the job";
  EXPECT_EQ(said_by_child([] {
              constexpr unsigned k_processes = 128, k_cores = 16;
              job_options o{.cores = k_cores};
              o.simulate = simulation::options::parse("processes=128");
              const std::uint64_t before = machine::current_rss();
              std::uint64_t after = 0;
              run(o, [&after] {
                on_all_cores([] { barrier(); });
                after = machine::current_rss();
              });
              return outside("a cluster", after - before,
                             parallel::memory_of(o, k_processes).at_start(k_cores, k_processes));
            }),
            "");
}

TEST(JobMemory, OfCoresThatAllTalkIsPredicted) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the job";
  EXPECT_EQ(said_by_child([] {
              constexpr unsigned k_cores = 128;
              const job_options o{.cores = k_cores, .packet_bytes = 2048};
              const std::uint64_t before = machine::current_rss();
              std::uint64_t after = 0;
              run(o, [&after] {
                talk_in_all_pairs();
                after = machine::current_rss();
              });
              const auto m = parallel::memory_of(o, 1);
              const std::uint64_t pairs = std::uint64_t{k_cores} * k_cores;
              return outside("all pairs", after - before,
                             m.at_start(k_cores) + pairs * (m.pair + 2 * o.packet_bytes));
            }),
            "");
}

/// Returns the error of run() under that limit.
std::string refused(const char* limit, const job_options& o) {
  ::setenv("GOSSAMER_MEMORY_LIMIT", limit, 1);
  std::string what = "nothing was refused";
  try {
    run(o, [] {});
  } catch (const error& e) {
    what = e.what();
  }
  ::unsetenv("GOSSAMER_MEMORY_LIMIT");
  return what;
}

TEST(JobMemory, ThatDoesNotFitIsRefusedAtTheStart) {
  EXPECT_EQ(refused("1", {.cores = 2}).substr(0, 24), "a job of 2 cores needs 4");
  EXPECT_EQ(refused("100M", {.cores = 4096}).substr(0, 23), "a job of 4096 cores nee");
  job_options simulated{.cores = 16};
  simulated.simulate = simulation::options::parse("processes=1024");
  const std::string what = refused("200M", simulated);
  EXPECT_TRUE(what.starts_with("a simulated cluster of 1024 processes, 16 cores each, needs ")) << what;
  EXPECT_TRUE(what.ends_with(" available (GOSSAMER_MEMORY_LIMIT is 200M: raise it)")) << what;
}

/// Runs 100,000 fibers on one core of a job with default options, each of which waits for all others. `make`
/// makes one that runs wait(), and may keep its handle. Returns an error, or an empty text.
template <class Make>
std::string said_of_a_crowd(Make make) {
  return said_by_child([make] {
    constexpr std::size_t k_fibers = 100'000;
    constexpr std::uint64_t k_most_each = 16 << 10;
    const std::uint64_t before = machine::current_rss();
    std::size_t passed = 0;
    run(job_options{.cores = 1}, [&passed, make] {
      fiber::barrier everybody(k_fibers);
      std::vector<joinable<void>> all;
      finish([&] {
        for (std::size_t i = 0; i < k_fibers; ++i)
          make(all, [&everybody, &passed] {
            everybody.arrive_and_wait();
            ++passed;
          });
      });
    });
    const std::uint64_t each = (machine::peak_rss() - before) / k_fibers;
    return passed != k_fibers   ? fmt::format("{} passed", passed)
           : each > k_most_each ? fmt::format("{} bytes each", each)
                                : "";
  });
}

TEST(JobMemory, OfAHundredThousandFibersOnOneCoreIsWhatTheyTouch) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer follows fewer, or takes more";
  for (const stack_class kind : {stack_class::regular, stack_class::small})
    EXPECT_EQ(said_of_a_crowd([kind](auto& all, auto wait) { all.push_back(start(wait, kind)); }), "");
}

TEST(JobMemory, OfAHundredThousandTasksThatWaitForOneAnotherIsWhatTheyTouch) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer follows fewer, or takes more";
  EXPECT_EQ(said_of_a_crowd([](auto&, auto wait) { spawn(wait); }), "");
}

std::uint64_t current_addresses() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

TEST(JobMemory, OfQueuedTasksThatDoNotFitEndsTheProgramWithALine) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the limit";
  const std::string said = said_by_child([]() -> std::string {
    run(job_options{.cores = 1}, [] {
      const std::uint64_t addresses = current_addresses() + 256 * k_mib;
      const rlimit limit{addresses, addresses};
      ::setrlimit(RLIMIT_AS, &limit);
      for (int i = 0; i < 10'000'000; ++i) spawn([] {});
    });
    return "all of them fitted";
  });
  EXPECT_NE(said.find("memory does not suffice for "), said.npos) << said;
}

TEST(JobMemory, OfFibersForWhoseStacksAddressesAreShortEndsTheJobWithALine) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the limit";
  const std::string said = said_by_child([]() -> std::string {
    constexpr std::uint64_t k_addresses = std::uint64_t{4} << 30;  // for 16,384 regular stacks and more
    const rlimit limit{k_addresses, k_addresses};
    ::setrlimit(RLIMIT_AS, &limit);
    std::size_t made = 0;
    try {
      run(job_options{.cores = 1}, [&made] {
        std::vector<joinable<void>> all;
        for (; made < 100'000; ++made) all.push_back(start([] { yield(); }));
      });
    } catch (const error& e) {
      return made > 10'000 ? e.what() : fmt::format("{} fibers: {}", made, e.what());
    }
    return "nothing was refused";
  });
  EXPECT_TRUE(said.starts_with("a fiber after ")) << said;
}

TEST(JobMemory, OfFibersThatDoNotFitEndsTheJobWithALine) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the limit";
  const std::string said = said_by_child([]() -> std::string {
    constexpr std::uint64_t k_limit = 160 * k_mib;
    ::setenv("GOSSAMER_MEMORY_LIMIT", "160M", 1);
    try {
      run(job_options{.cores = 1}, [] {
        std::vector<joinable<void>> all;
        bool go = false;
        const auto end = [&] {
          go = true;
          for (auto& one : all) one.join();
        };
        try {
          for (int i = 0; i < 100'000; ++i)
            all.push_back(start(
                [&go] {
                  while (!go) yield();
                },
                stack_class::small));
        } catch (...) {
          end();
          throw;
        }
        end();
      });
    } catch (const error& e) {
      return machine::peak_rss() < k_limit ? e.what() : "the limit was passed";
    }
    return "nothing was refused";
  });
  EXPECT_TRUE(said.starts_with("a fiber after ")) << said;
}

TEST(JobMemory, OfTasksThatAllWaitIsBoundedAndTheStallSaysSo) {
  if (k_sanitized) GTEST_SKIP() << "the sanitizer takes more than the limit";
  const std::string said = said_by_child([]() -> std::string {
    constexpr std::uint64_t k_limit = 160 * k_mib;
    ::setenv("GOSSAMER_MEMORY_LIMIT", "160M", 1);
    try {
      run(job_options{.cores = 1}, [] {
        for (int i = 0; i < 100'000; ++i) spawn([] { fiber::scheduler::current()->suspend("nothing"); });
      });
    } catch (const error& e) {
      return machine::peak_rss() < k_limit ? e.what() : "the limit was passed";
    }
    return "nothing was refused";
  });
  EXPECT_TRUE(said.starts_with("the job has stalled")) << said;
  EXPECT_NE(said.find("memory is short for further fibers of core 0"), std::string::npos) << said;
}

}  // namespace
}  // namespace gossamer
