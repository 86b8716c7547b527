// Calls where there is no job, for cores that are none, and through null pointers: one line each, not a
// segmentation fault.

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"

namespace gossamer {
namespace {

template <class F>
void expect_refused_outside(F f, const std::string& call) {
  EXPECT_DEATH(f(),
               "^gossamer: " + call + ": called outside of gossamer::run\\(\\), where there are no cores\n");
}

TEST(OutsideOfAJobDeathTest, LoopsAndTasksSayWhere) {
  expect_refused_outside([] { forall(0, 10, [](std::uint64_t) {}); }, "forall");
  expect_refused_outside([] { on_all_cores([] {}); }, "on_all_cores");
  expect_refused_outside([] { finish([] {}); }, "finish");
  expect_refused_outside([] { spawn([] {}); }, "spawn");
  expect_refused_outside([] { spawn_stealable([] {}); }, "spawn_stealable");
  expect_refused_outside([] { on_core(0, [] {}); }, "on_core");
  expect_refused_outside([] { async_on(0, [] {}); }, "async_on");
}

TEST(OutsideOfAJobDeathTest, FibersAndWhatTheyWaitForSayWhere) {
  expect_refused_outside([] { yield(); }, "yield");
  expect_refused_outside([] { charge_work(1); }, "charge_work");
  expect_refused_outside([] { start([] {}); }, "start");
  expect_refused_outside([] { has_idle_thieves(); }, "has_idle_thieves");
  expect_refused_outside([] { fiber::semaphore(0).acquire(); }, "waiting");
  expect_refused_outside(
      [] {
        request never;
        run(job_options{.cores = 1}, [&never] { ireceive(never, 0, 1, std::span<std::byte>()); });
        never.wait();
      },
      "request::wait");
}

TEST(OutsideOfAJobDeathTest, CollectivesMemoryMessagesAndStructuresSayWhere) {
  expect_refused_outside([] { barrier(); }, "barrier");
  expect_refused_outside([] { all_reduce(1, std::plus<>()); }, "a collective");
  expect_refused_outside([] { make_array<int>(10); }, "make_array");
  expect_refused_outside([] { make_global<int>(1); }, "make_global");
  expect_refused_outside([] { send_value(0, 1, 2); }, "send_value");
  expect_refused_outside([] { receive_value<int>(0, 1); }, "receive_value");
  expect_refused_outside([] { scoped_counter(); }, "making a structure");
}

template <class F>
void expect_refused(F f, const std::string& line) {
  EXPECT_DEATH(run(job_options{.cores = 2}, f), line);
}

TEST(NumbersDeathTest, OfCoresThatAreNoneAreNamed) {
  const auto line = [](const char* call) {
    return std::string("gossamer: ") + call + ": core 2 is none of the job, which has 2 \\(from 0\\)\n";
  };
  expect_refused([] { async_on(2, [] {}); }, line("async_on"));
  expect_refused([] { call_on(2, [] {}); }, line("call_on"));
  expect_refused([] { on_core(2, [] {}); }, line("on_core"));
  expect_refused([] { spawn_on(2, [] {}); }, line("spawn_on"));
  expect_refused([] { send_value(2, 1, 2); }, line("send_value"));
  expect_refused([] { on_all_cores([] { broadcast(1, 2); }); }, line("broadcast"));
  expect_refused([] { scoped_per_core<int>().at(2); }, "per_core::at");
}

TEST(NumbersDeathTest, OfRangesMayNotBeNegative) {
  expect_refused([] { forall(0, static_cast<std::uint64_t>(-1), [](std::uint64_t) {}); },
                 "gossamer: forall: expected a range .* \\(as signed numbers 0 to -1\\)");
  expect_refused(
      [] { forall_chunks(0, static_cast<std::uint64_t>(-1), 1, [](std::uint64_t, std::uint64_t) {}); },
      "gossamer: forall_chunks: expected a range .* \\(as signed numbers 0 to -1\\)");
}

TEST(NumbersDeathTest, OfChunksFitTheCores) {
  const auto body = [](std::uint64_t, std::uint64_t) {};
  expect_refused([body] { forall_chunks({0, 10}, 1, body); },
                 "gossamer: forall_chunks: expected 3 bounds for 2 cores, found 2\n");
  expect_refused(
      [body] { forall_chunks({0, 10, 9}, 1, body); },
      "gossamer: forall_chunks: expected bounds that ascend, found 10 for core 1 and 9 behind it\n");
  expect_refused([body] { forall_chunks(0, 10, 0, body); },
                 "gossamer: forall_chunks: expected a grain of 1 or more, found 0\n");
}

TEST(PointersDeathTest, ThatAreNullAreNamed) {
  expect_refused([] { read(global_ptr<int>()); }, "gossamer: call, read or write: a null global pointer\n");
  expect_refused([] { finish([] { async(global_ptr<int>(), [](int&) {}); }); },
                 "gossamer: async: a null global pointer\n");
}

static_assert(combining::k_points<const char*> && combining::k_points<int*> &&
              combining::k_points<std::string_view> && combining::k_points<std::span<const int>>);
static_assert(!combining::k_points<std::string> && !combining::k_points<int> &&
              !combining::k_points<global_ptr<int>>);

}  // namespace
}  // namespace gossamer
