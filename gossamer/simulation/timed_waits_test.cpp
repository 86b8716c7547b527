// Idle cores of several processes timed wait, and no message of another process can wake them: what comes must not
// wait much longer because nothing came for a while. In virtual time, so it can be held to a limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"

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

}  // namespace
}  // namespace gossamer
