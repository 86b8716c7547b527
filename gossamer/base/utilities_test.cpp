// The small headers: bits, function_ref, log, counters, then_always.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/counters.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/base/internal/log.hpp"
#include "gossamer/base/then_always.hpp"

namespace gossamer {
namespace {

TEST(Bits, RoundToMultiples) {
  EXPECT_EQ(round_up(0U, 64), 0U);
  EXPECT_EQ(round_up(1U, 64), 64U);
  EXPECT_EQ(round_up(64U, 64), 64U);
  EXPECT_EQ(round_up(10U, 3), 12U);
  EXPECT_EQ(round_down(130U, 64), 128U);
  EXPECT_EQ(divide_up(~std::size_t{0}, 2), (~std::size_t{0} >> 1) + 1);  // no overflow on the way
}

TEST(Bits, KnowPowersOfTwo) {
  EXPECT_FALSE(is_power_of_two(0U));
  EXPECT_TRUE(is_power_of_two(64U));
  EXPECT_FALSE(is_power_of_two(65U));
  EXPECT_EQ(log2_up(0U), 0U);
  EXPECT_EQ(log2_up(1U), 0U);
  EXPECT_EQ(log2_up(2U), 1U);
  EXPECT_EQ(log2_up(3U), 2U);
  EXPECT_EQ(log2_up(1024U), 10U);
  EXPECT_EQ(log2_up(1025U), 11U);
}

TEST(ThenAlways, CallsBothAndKeepsTheFirstException) {
  for (const bool first_throws : {false, true})
    for (const bool second_throws : {false, true}) {
      bool both = false;
      std::string thrown;
      int found = 0;
      try {
        found = then_always(
            [&] {
              if (first_throws) throw std::runtime_error("first");
            },
            [&] {
              both = true;
              if (second_throws) throw std::runtime_error("second");
              return 7;
            });
      } catch (const std::runtime_error& e) {
        thrown = e.what();
      }
      EXPECT_TRUE(both);
      EXPECT_EQ(thrown, first_throws ? "first" : second_throws ? "second" : "");
      EXPECT_EQ(found, thrown.empty() ? 7 : 0);
    }
}

TEST(Bits, PaddedValuesShareNoLine) {
  padded<int> values[2] = {padded<int>(3), padded<int>(4)};
  EXPECT_EQ(*values[0] + *values[1], 7);
  EXPECT_EQ(reinterpret_cast<char*>(&values[1]) - reinterpret_cast<char*>(&values[0]), 64);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&values[0]) % k_line_bytes, 0U);
}

int call_twice(function_ref<int(int)> f) { return f(1) + f(2); }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int calls = 0;
  EXPECT_EQ(call_twice([&](int x) { return ++calls, x * 10; }), 30);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, PassesArgumentsOnWithoutCopies) {
  auto take = [](std::unique_ptr<int> p) { return *p; };
  const function_ref<int(std::unique_ptr<int>)> f = take;
  EXPECT_EQ(f(std::make_unique<int>(5)), 5);
}

TEST(FunctionRef, DropsAResultNobodyWants) {
  int calls = 0;
  auto count = [&] { return ++calls; };
  const function_ref<void()> f = count;
  f();
  EXPECT_EQ(calls, 1);
}

TEST(FunctionRef, CopiesReferToTheSameObject) {
  int calls = 0;
  auto count = [&] { ++calls; };
  function_ref<void()> f = count;
  function_ref<void()> g = f;
  f(), g();
  EXPECT_EQ(calls, 2);
}

std::string written_by(bool quiet) {
  std::FILE* file = std::tmpfile();
  const log lines(quiet, file);
  lines.info("loaded");
  lines.warning("no huge pages");
  std::rewind(file);
  char buffer[200] = {};
  const std::size_t n = std::fread(buffer, 1, sizeof buffer, file);
  std::fclose(file);
  return {buffer, n};
}

TEST(Log, PrefixesLines) {
  EXPECT_EQ(written_by(false), "gossamer: loaded\ngossamer: warning: no huge pages\n");
}

TEST(Log, StillWarnsWhenQuiet) { EXPECT_EQ(written_by(true), "gossamer: warning: no huge pages\n"); }

TEST(Counters, AreAllListedOnce) {
  std::set<std::string_view> names;
  for (const auto& field : k_counter_fields) names.insert(field.name);
  EXPECT_EQ(names.size() * sizeof(std::uint64_t), sizeof(counters));
}

}  // namespace
}  // namespace gossamer
