// Idle cores of several processes timed wait, and no message of another process can wake them: what comes must not
// wait much longer because nothing came for a while. In virtual time, so it can be held to a limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/transfer.hpp"

namespace gossamer {
namespace {

struct reached {
  std::uint64_t after_ns = 0;  // the slowest of the tasks, from when it was sent
};

/// All others idle for so long; then each process is sent a task, one after the other.
reached slowest_task(unsigned processes, std::uint64_t idle_ns) {
  reached slowest;
  job_options o;
  o.cores = 2;
  o.simulate = simulation::options::parse("network=qdr processes=" + std::to_string(processes));
  run(o, [&] {
    for (unsigned p = 1; p < gossamer::processes(); ++p) {
      const std::uint64_t begin = machine::now_ns();
      while (machine::now_ns() < begin + idle_ns) charge_work(1000);
      const std::uint64_t sent = machine::now_ns();
      on_core(first_core(p), [] {});
      slowest.after_ns = std::max(slowest.after_ns, machine::now_ns() - sent);
    }
  });
  return slowest;
}

// Naps that doubled, each about as long as all before it, let tasks wait for 219 and 364 us after 100 and
// 500.
TEST(Naps, WhatComesWaitsForASmallPartOfTheIdleTime) {
  for (const std::uint64_t idle_us : {100, 500, 3000}) {
    const std::uint64_t us = slowest_task(8, idle_us * 1000).after_ns / 1000;
    EXPECT_LE(us, 40 + idle_us / 4) << "idle for " << idle_us << " us";
  }
}

/// Returns how often cores sleep while a block of so many bytes is put to another process.
std::uint64_t sleeps_while_moving(std::size_t bytes) {
  std::uint64_t slept = 0;
  job_options o;
  o.cores = 1;
  o.simulate = simulation::options::parse("network=qdr processes=2");
  run(o, [&] {
    const scoped_array<std::byte> a(2 * bytes);
    const std::vector<std::byte> block(bytes, std::byte{5});
    const auto sleeps = [] {
      const auto of = [] { return message::endpoint::here().count().sleeps; };
      return of() + call_on(1, of);
    };
    const std::uint64_t before = sleeps();
    put(a, bytes, block);
    slept = sleeps() - before;
    EXPECT_EQ(a.call(2 * bytes - 1, [](std::byte& b) { return b; }), std::byte{5});
  });
  return slept;
}

// A transport may copy a part at each look: a core that waits holds the move up. It takes 10 ms here, of which the first 5 were
// spent looking.
TEST(Naps, NoneAreTakenWhileALongBlockIsMoved) { EXPECT_LE(sleeps_while_moving(std::size_t{32} << 20), 2U); }

}  // namespace
}  // namespace gossamer
