// What machine gives to code that is simulated: threads, time, sleep, memory of each process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/futex.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/simulation/cluster.hpp"

namespace gossamer::simulation {
namespace {

using machine::thread;

options of(unsigned processes, unsigned cores = 1) {
  options o;
  o.processes = processes;
  o.cores = cores;
  return o;
}

std::string failure_of(const options& o, function_ref<void(unsigned)> body) {
  try {
    run(o, body);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(SimulatedSystem, IsThereInsideOnly) {
  EXPECT_EQ(machine::simulated(), nullptr);
  run(of(1, 7), [](unsigned) {
    EXPECT_NE(machine::simulated(), nullptr);
    EXPECT_EQ(machine::usable_processors(), 7U);
    EXPECT_EQ(machine::ticks_per_us(), 1000U);
  });
  EXPECT_EQ(machine::simulated(), nullptr);
}

TEST(SimulatedSystem, ThreadsTakeTurnsAndAreJoinedAtTheirEnd) {
  std::vector<int> order;
  run(of(1), [&](unsigned) {
    {
      thread a("a", [&] {
        order.push_back(1);
        for (int i = 0; i < 100; ++i) machine::yield_thread();
        order.push_back(3);
      });
      thread b("b", [&] { order.push_back(2); });
    }
    order.push_back(4);
  });
  EXPECT_EQ(order, (std::vector{1, 2, 3, 4}));
}

TEST(SimulatedSystem, TimeGoesOnWhileLookingAndASleepTakesAsLongAsAsked) {
  run(of(1), [](unsigned) {
    const std::uint64_t start = machine::now_ns();
    machine::cpu_relax();
    EXPECT_GT(machine::now_ns(), start);
    std::atomic<std::uint32_t> word{0};
    const std::uint64_t before = machine::now_ns();
    EXPECT_FALSE(machine::futex_wait_for(word, 0, 5'000'000'000));
    EXPECT_EQ(machine::now_ns(), before + 5'000'000'000);
    EXPECT_TRUE(machine::futex_wait_for(word, 1, 5'000'000'000)) << "the word has another value";
    EXPECT_EQ(machine::now_ns(), before + 5'000'000'000);
  });
}

TEST(SimulatedSystem, AWakeUpComesAfterWhoSentIt) {
  run(of(1), [](unsigned) {
    std::atomic<std::uint32_t> word{0};
    std::uint64_t woken_at = 0;
    thread sleeper("sleeper", [&] {
      while (word.load() == 0) machine::futex_wait(word, 0);
      woken_at = machine::now_ns();
    });
    std::atomic<std::uint32_t> nobody{0};
    (void)machine::futex_wait_for(nobody, 0, 1'000'000);
    const std::uint64_t sent_at = machine::now_ns();
    word = 1;
    machine::futex_wake_one(word);
    sleeper.join();
    EXPECT_GT(woken_at, sent_at);
    EXPECT_GE(machine::now_ns(), woken_at);
  });
}

TEST(SimulatedSystem, ExceptionsStayWithTheirThread) {
  std::string caught;
  run(of(1), [&](unsigned) {
    thread other("other", [&] {
      try {
        machine::yield_thread();
        throw error("b");
      } catch (const error& e) {
        machine::yield_thread();
        caught += e.what();
      }
    });
    try {
      throw error("a");
    } catch (const error& e) {
      for (int i = 0; i < 200; ++i) machine::yield_thread();
      caught += e.what();
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    }
  });
  EXPECT_EQ(caught, "ba");
}

TEST(SimulatedSystem, WhoWaitsForNobodyIsNamed) {
  const std::string failure = failure_of(of(2), [](unsigned process) {
    std::atomic<std::uint32_t> word{0};
    if (process == 1) machine::futex_wait(word, 0);
  });
  EXPECT_NE(failure.find("no thread can go on; process 1 main waits"), std::string::npos) << failure;
}

TEST(SimulatedSystem, WhoWaitsForOneThatWasLostIsTold) {
  options o = of(2);
  o.lose = options::loss{1, 5'000};
  const std::string failure = failure_of(o, [](unsigned process) {
    std::atomic<std::uint32_t> word{0};
    if (process == 1) (void)machine::futex_wait_for(word, 0, 10'000);
    if (process == 0) machine::futex_wait(word, 0);
  });
  EXPECT_NE(failure.find("process 1 was lost, and the others wait"), std::string::npos) << failure;
}

TEST(SimulatedSystem, ARunMayHaveAnEndInVirtualTime) {
  options o = of(1);
  o.most_ns = 1'000'000;
  const std::string failure = failure_of(o, [](unsigned) {
    while (true) machine::yield_thread();
  });
  EXPECT_NE(failure.find("the limit of virtual time (most=) is reached: "), std::string::npos) << failure;
}

TEST(SimulatedSystem, ALoopThatLooksAboutForEverIsStopped) {
  for (const unsigned processes : {1U, 3U}) {
    options o = of(processes);
    o.most_steps = 1'000'000;
    const std::string failure = failure_of(o, [](unsigned) {
      while (true) machine::cpu_relax();
    });
    EXPECT_NE(failure.find("steps (steps=) and is at"), std::string::npos) << failure;
    EXPECT_NE(failure.find("process 0 main could run"), std::string::npos) << failure;
  }
}

TEST(SimulatedSystem, EveryProcessHasItsOwnMemoryAtCommonAddresses) {
  std::uint64_t moves = 0;
  for (const unsigned n : {1U, 2U, 40U}) {
    std::vector<int> seen(n);
    const outcome end = run(of(n), [&](unsigned process) {
      auto* const at = reinterpret_cast<std::byte*>(machine::k_common_first + (1 << 20));
      machine::memory_region mine = machine::memory_region::at(at, 64 << 10, "a test");
      ASSERT_EQ(mine.data(), at);
      auto* const number = reinterpret_cast<unsigned*>(at);
      EXPECT_EQ(*number, 0U);
      *number = process + 1;
      for (int i = 0; i < 50; ++i) {
        machine::yield_thread();
        EXPECT_EQ(*number, process + 1);
      }
      { const machine::memory_region gone = std::move(mine); }
      machine::yield_thread();
      mine = machine::memory_region::at(at, 64 << 10, "a test");
      EXPECT_EQ(*number, 0U) << "what is mapped again is zero";
      seen[process] = 1;
    });
    EXPECT_EQ(seen, std::vector<int>(n, 1));
    moves += end.moves;
  }
  EXPECT_GT(moves, 40U);
}

TEST(SimulatedSystem, WindowsOfProcessesThatTouchNothingAreNotMoved) {
  const outcome end = run(of(10), [&](unsigned process) {
    auto* const at = reinterpret_cast<std::byte*>(machine::k_common_first);
    const machine::memory_region mine = machine::memory_region::at(at, 64 << 10, "a test");
    for (int i = 0; i < 50; ++i) {
      machine::yield_thread();
      if (process == 3) *at = std::byte(i);
    }
  });
  EXPECT_GT(end.moves, 10U);
  EXPECT_LE(end.moves, 50U);
}

TEST(SimulatedSystem, MemoryOfAnArrayMayBeWrittenToAFile) {
  const std::string name = testing::TempDir() + "simulated-file-" + std::to_string(::getpid());
  run(of(3), [&](unsigned process) {
    auto* const at = reinterpret_cast<std::byte*>(machine::k_common_first);
    const machine::memory_region mine = machine::memory_region::at(at, 64 << 10, "a test");
    at[0] = std::byte('0' + process);
    for (int i = 0; i < 10; ++i) machine::yield_thread();
    machine::output_file file(name + std::to_string(process));
    machine::yield_thread();
    file.write({at, 1});
    file.commit();
  });
  for (char process = '0'; process < '3'; ++process) {
    EXPECT_EQ(std::ifstream(name + process).get(), process);
    std::remove((name + process).c_str());
  }
}

TEST(SimulatedSystem, AThousandProcessesHaveWindows) {
  unsigned seen = 0;
  run(of(1000), [&](unsigned process) {
    auto* const at = reinterpret_cast<unsigned*>(machine::k_common_first);
    const machine::memory_region mine =
        machine::memory_region::at(reinterpret_cast<std::byte*>(at), 4096, "a test");
    *at = process;
    machine::yield_thread();
    seen += *at == process;
  });
  EXPECT_EQ(seen, 1000U);
}

TEST(SimulatedSystem, TheWindowHasAnEnd) {
  options o = of(2);
  o.window_bytes = 64 << 20;
  run(o, [](unsigned) {
    EXPECT_EQ(machine::simulated()->common_bytes(), std::uint64_t{64 << 20});
    auto* const at = reinterpret_cast<std::byte*>(machine::k_common_first + (60 << 20));
    EXPECT_THROW((void)machine::memory_region::at(at, 8 << 20, "a test"), error);
  });
}

TEST(SimulatedSystem, RethrowsWhatAProcessThrew) {
  EXPECT_EQ(failure_of(of(3),
                       [](unsigned process) {
                         if (process != 1) throw error(process == 0 ? "zero" : "two");
                       }),
            "zero");
}

}  // namespace
}  // namespace gossamer::simulation
