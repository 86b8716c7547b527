// Calls outside of a job, for invalid cores, and through null pointers: one line each, not a segmentation
// fault.

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/message/two_sided.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

template <class F>
void expect_refused_outside(F f, const std::string& call) {
  EXPECT_DEATH(f(),
               "^gossamer: " + call + ": called outside of gossamer::run\\(\\), where there are no cores\n");
}

std::size_t count_bytes(std::span<const std::byte> payload) { return payload.size(); }

TEST(OutsideOfAJobDeathTest, LoopsAndTasksSayWhere) {
  expect_refused_outside([] { forall(0, 10, [](std::uint64_t) {}); }, "forall");
  expect_refused_outside([] { on_all_cores([] {}); }, "on_all_cores");
  expect_refused_outside([] { finish([] {}); }, "finish");
  expect_refused_outside([] { spawn([] {}); }, "spawn");
  expect_refused_outside([] { spawn_stealable([] {}); }, "spawn_stealable");
  expect_refused_outside([] { on_core(0, [] {}); }, "on_core");
  expect_refused_outside([] { async_on(0, [] {}); }, "async_on");
  expect_refused_outside([] { call_on(1, [] {}); }, "call_on");
  expect_refused_outside([] { call_on(0, count_bytes, std::span<const std::byte>()); }, "call_on");
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
  expect_refused_outside([] { (void)reduce(1, std::plus<>(), 0); }, "reduce");
  expect_refused_outside([] { broadcast(std::span<int>(), 0); }, "broadcast");
  expect_refused_outside([] { gather(std::span<int>(), 0); }, "gather");
  expect_refused_outside([] { make_array<int>(10); }, "make_array");
  expect_refused_outside([] { make_global<int>(1); }, "make_global");
  expect_refused_outside([] { send_value(0, 1, 2); }, "send_value");
  expect_refused_outside([] { receive_value<int>(0, 1); }, "receive_value");
  expect_refused_outside([] { scoped_counter(); }, "making a structure");
}

// What costs too much to check for each element is explained by the handler of faults.
TEST(OutsideOfAJobDeathTest, OnAThreadThatIsNoCoreSaysSo) {
  if (test::k_address_sanitizer || test::k_thread_sanitizer)
    GTEST_SKIP() << "the sanitizers report the fault in their own words";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto on_a_thread = [](auto f) {
    run(job_options{.cores = 2}, [f] {
      const scoped_array<std::uint64_t> a(10);
      machine::thread("no core", [a = a.handle(), f] { f(a); }).join();
    });
  };
  const std::string line =
      "gossamer: segmentation fault at address [0-9a-fx]+ on a thread that is no core: an operation of a job "
      "was "
      "called there .*\n  #[0-9]+ ";
  EXPECT_DEATH(on_a_thread([](array<std::uint64_t> a) { (void)a.read(3); }), line);
  EXPECT_DEATH(on_a_thread([](array<std::uint64_t> a) { a.write(3, 1); }), line);
  EXPECT_DEATH(on_a_thread([](array<std::uint64_t> a) { (void)fetch_add(a, 3, 1); }), line);
  EXPECT_DEATH(on_a_thread([](array<std::uint64_t> a) { a.async(3, [](std::uint64_t&) {}); }), line);
  expect_refused_outside([] { (void)statistics(); }, "statistics");
  expect_refused_outside([] { check_interrupt(); }, "check_interrupt");
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
  expect_refused([] { call_on(2, count_bytes, std::span<const std::byte>()); }, line("call_on"));
  expect_refused([] { on_all_cores([] { broadcast(1, 2); }); }, line("broadcast"));
  expect_refused([] { on_all_cores([] { broadcast(std::span<int>(), 2); }); }, line("broadcast"));
  expect_refused([] { on_all_cores([] { gather(1, 2); }); }, line("gather"));
  expect_refused([] { on_all_cores([] { gather(std::span<int>(), 2); }); }, line("gather"));
  expect_refused([] { on_all_cores([] { (void)reduce(1, std::plus<>(), 2); }); }, line("reduce"));
  expect_refused([] { scoped_per_core<int>().at(2); }, "per_core::at");
  expect_refused([] { scoped_per_core<int>().pointer(2); }, line("per_core::pointer"));
  expect_refused([] { read(global_ptr<int>(2, nullptr)); }, line("call, read or write"));
}

constexpr auto k_minus_five = static_cast<std::uint64_t>(-5);

TEST(NumbersDeathTest, OfRangesMayNotBeNegative) {
  expect_refused([] { forall(0, static_cast<std::uint64_t>(-1), [](std::uint64_t) {}); },
                 "gossamer: forall: expected a range .* \\(as signed numbers 0 to -1\\)");
  const std::string below = ": expected a range .* \\(as signed numbers -5 to 5\\)";
  const auto one = [](std::uint64_t) { return 1; };
  expect_refused([] { forall(k_minus_five, 5, [](std::uint64_t) {}); }, "gossamer: forall" + below);
  expect_refused([one] { (void)forall(k_minus_five, 5, one, 0, std::plus<>()); }, "gossamer: forall" + below);
  expect_refused([] { forall_chunks(k_minus_five, 5, 1, [](std::uint64_t, std::uint64_t) {}); },
                 "gossamer: forall_chunks" + below);
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

// In every build. The error names the line of the program.
template <class F>
void expect_capture_found(F f, const std::string& call, int line) {
  EXPECT_DEATH(run(job_options{.cores = 2}, f),
               "^gossamer: .*misuse_test.cpp:" + std::to_string(line) +
                   ": .* captures the address of a variable on a fiber's stack")
      << call;
}

TEST(CapturesDeathTest, OfLoopsAreFoundAndTheirLineIsNamed) {
  // clang-format off
  expect_capture_found([] { long s = 0; forall(0, 10, [&s](auto) { ++s; }); }, "forall", __LINE__);
  expect_capture_found([] { long s = 0; scoped_array<int> a(3); forall(a.handle(), [&](int& x) { s += x; }); }, "elements", __LINE__);
  expect_capture_found([] { long s = 0; scoped_array<int> a(3); forall(a, a, [&](int& x, int&) { s += x; }); }, "two arrays", __LINE__);
  expect_capture_found([] { long s = 0; (void)forall(0, 10, [&s](std::uint64_t i) { return i + s; }, 0, std::plus<>()); }, "a reduction", __LINE__);
  expect_capture_found([] { long s = 0; forall_chunks(0, 10, 1, [&s](std::uint64_t, std::uint64_t) { ++s; }); }, "forall_chunks", __LINE__);
  expect_capture_found([] { long s = 0; on_all_cores([&s] { ++s; }); }, "on_all_cores", __LINE__);
  expect_capture_found([] { long s = 0; on_all_processes([&s] { ++s; }); }, "on_all_processes", __LINE__);
  expect_capture_found([] { long s = 0; on_core(1, [&s] { ++s; }); }, "on_core", __LINE__);
  expect_capture_found([] { long s = 0; scoped_hash_map<int, int> m; m.for_each([&](auto, auto c) { s += c; }); }, "for_each", __LINE__);
  // clang-format on
}

TEST(CapturesDeathTest, OfVariablesOfMainAreFound) {
  GTEST_FLAG_SET(death_test_style, "fast");  // the test's own variables are on the first thread's stack
  long sum = 0;
  EXPECT_DEATH(run(job_options{.cores = 1}, [&sum] { forall(0, 10, [&sum](std::uint64_t i) { sum += i; }); }),
               "captures the address of a variable on main\\(\\)'s stack");
}

TEST(Captures, OfNumbersAndHandlesAreTaken) {
  run(job_options{.cores = 2}, [] {
    const scoped_array<std::uint64_t> a(10);
    const scoped_hash_map<std::uint64_t, std::uint64_t> counts;
    forall(0, 10, [a = a.handle(), counts = counts.handle(), flag = true, n = 3](std::uint64_t i) {
      a.async(i, [n](std::uint64_t& x) { x += n; });
      if (flag) counts.insert_or_reduce(i % 2, 1);
    });
    EXPECT_EQ(forall(a.handle(), [](std::uint64_t x) { return x; }, std::uint64_t{0}, std::plus<>()), 30U);
    EXPECT_EQ(counts.lookup(1), 5U);
  });
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
