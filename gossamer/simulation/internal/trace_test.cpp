#include "gossamer/simulation/internal/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace gossamer::simulation {
namespace {

using trace_event = model::trace_event;

/// Two processes of two cores: runs, a timed wait, a message, a choice.
void fill(trace& t) {
  t.note(trace_event::run, 0, 0, 0, 1500, 0);
  t.note(trace_event::run, 0, 1, 200, 900, 0);
  t.chosen("delay", 3);
  t.sent(0, 1, 4096, 1500, 2'800);
  t.note(trace_event::timed_wait, 1, 0, 0, 2'800, 0);
  t.note(trace_event::arrival, 1, 0, 2'800, 2'800, 0);
}

TEST(Trace, DigestTellsEveryDifference) {
  const auto digest = [](const std::function<void(trace&)>& f) {
    trace t(0);
    fill(t);
    f(t);
    return t.digest();
  };
  const std::vector<std::uint64_t> all{
      digest([](trace&) {}),
      digest([](trace& t) { t.note(trace_event::run, 1, 2, 3, 4, 5); }),
      digest([](trace& t) { t.note(trace_event::idle, 1, 2, 3, 4, 5); }),
      digest([](trace& t) { t.note(trace_event::run, 0, 2, 3, 4, 5); }),
      digest([](trace& t) { t.note(trace_event::run, 1, 0, 3, 4, 5); }),
      digest([](trace& t) { t.note(trace_event::run, 1, 2, 0, 4, 5); }),
      digest([](trace& t) { t.note(trace_event::run, 1, 2, 3, 5, 5); }),
      digest([](trace& t) { t.note(trace_event::run, 1, 2, 3, 4, 0); }),
      digest([](trace& t) { t.sent(1, 2, 5, 3, 4); }),
      digest([](trace& t) { t.chosen("order", 1); }),
      digest([](trace& t) { t.chosen("spin", 1); }),
      digest([](trace& t) { t.chosen("order", 0); }),
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[i] == all[j], i == j) << i << " " << j;
  EXPECT_EQ(all[0], digest([](trace&) {}));
}

TEST(Trace, DigestTellsTheOrder) {
  trace one(0), other(0);
  one.note(trace_event::run, 0, 0, 0, 10, 0);
  one.note(trace_event::run, 0, 1, 0, 10, 0);
  other.note(trace_event::run, 0, 1, 0, 10, 0);
  other.note(trace_event::run, 0, 0, 0, 10, 0);
  EXPECT_NE(one.digest(), other.digest());
}

TEST(Trace, DigestDoesNotDependOnWhatIsKept) {
  trace none(0), few(2), many(1000);
  for (trace* t : {&none, &few, &many}) fill(*t);
  EXPECT_EQ(none.digest(), few.digest());
  EXPECT_EQ(none.digest(), many.digest());
  EXPECT_EQ(none.total(), 6U);
}

TEST(Trace, KeepsTheLastOnes) {
  for (const std::size_t most : {0U, 1U, 4U, 5U, 100U}) {
    trace t(most);
    for (unsigned i = 0; i < 13; ++i) t.note(trace_event::timed_wait, 0, 0, i, i + 1, i);
    const auto kept = t.kept();
    ASSERT_EQ(kept.size(), std::min<std::size_t>(most, 13));
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i].argument, 13 - kept.size() + i);
  }
}

TEST(Trace, StepsWithoutAPauseAreOneRun) {
  trace t(100), few(2);
  for (trace* one : {&t, &few}) {
    for (unsigned i = 0; i < 10; ++i) {
      one->note(trace_event::run, 0, 0, 10 * i, 10 * i + 10, 0);
      one->note(trace_event::run, 0, 1, 10 * i, 10 * i + 10, 0);
    }
    one->note(trace_event::idle, 0, 0, 100, 200, 0);
    one->note(trace_event::run, 0, 0, 200, 210, 0);
    one->note(trace_event::run, 0, 1, 100, 110, 0);
    EXPECT_EQ(one->total(), 23U);
  }
  const auto run = [](unsigned core, std::uint64_t from, std::uint64_t to) {
    return trace::record{trace::record::kind::trace_event, trace_event::run, 0, core, from, to, 0, nullptr};
  };
  auto idle = run(0, 100, 200);
  idle.what = trace_event::idle;
  EXPECT_EQ(t.kept(), (std::vector<trace::record>{run(0, 0, 100), run(1, 0, 110), idle, run(0, 200, 210)}));
  // Core 1's first run is forgotten by then: what follows is a record of its own.
  EXPECT_EQ(few.kept(), (std::vector<trace::record>{run(0, 200, 210), run(1, 100, 110)}));
}

TEST(Trace, TimeLineIsJsonWithATrackPerCore) {
  trace t(100);
  fill(t);
  const auto json = nlohmann::json::parse(t.json());
  std::vector<std::string> tracks;
  unsigned runs = 0, naps = 0, instants = 0;
  for (const auto& e : json.at("traceEvents")) {
    const std::string ph = e.at("ph"), name = e.at("name");
    if (name == "thread_name")
      tracks.push_back(e.at("pid").dump() + " " + std::string(e.at("args").at("name")));
    if (name == "run") {
      ++runs;
      EXPECT_EQ(ph, "X");
    }
    if (name == "timed wait") {
      ++naps;
      EXPECT_EQ(e.at("pid"), 1);
      EXPECT_DOUBLE_EQ(e.at("dur"), 2.8);
    }
    instants += ph == "i" ? 1U : 0U;
  }
  EXPECT_EQ(tracks, (std::vector<std::string>{"0 core 0", "0 core 1", "0 network", "1 network", "1 core 0"}));
  EXPECT_EQ(runs, 2U);
  EXPECT_EQ(naps, 1U);
  EXPECT_EQ(instants, 1U);
}

TEST(Trace, TimeLineHasAnArrowForAMessage) {
  trace t(100);
  t.sent(3, 5, 4096, 1500, 2'800);
  const auto json = nlohmann::json::parse(t.json());
  nlohmann::json start, finish;
  for (const auto& e : json.at("traceEvents")) {
    if (e.at("ph") == "s") start = e;
    if (e.at("ph") == "f") finish = e;
  }
  EXPECT_EQ(start.at("id"), finish.at("id"));
  EXPECT_EQ(start.at("pid"), 3);
  EXPECT_EQ(finish.at("pid"), 5);
  EXPECT_DOUBLE_EQ(start.at("ts"), 1.5);
  EXPECT_DOUBLE_EQ(finish.at("ts"), 2.8);
}

TEST(Trace, TimeLineTellsWhenAndHowLong) {
  trace t(100);
  t.note(trace_event::idle, 0, 0, 1'500, 4'000, 0);
  const auto json = nlohmann::json::parse(t.json());
  const auto& last = json.at("traceEvents").back();
  EXPECT_DOUBLE_EQ(last.at("ts"), 1.5);
  EXPECT_DOUBLE_EQ(last.at("dur"), 2.5);
}

TEST(Trace, EveryMessageHasAnArrowOfItsOwn) {
  trace t(100);
  for (unsigned i = 0; i < 3; ++i) t.sent(0, 1, 64, 100, 200);
  std::set<unsigned> ids;
  const auto json = nlohmann::json::parse(t.json());
  for (const auto& e : json.at("traceEvents"))
    if (e.at("ph") == "s") ids.insert(e.at("id").get<unsigned>());
  EXPECT_EQ(ids.size(), 3U);
}

TEST(Trace, EmptyTimeLineIsJson) {
  EXPECT_TRUE(nlohmann::json::parse(trace(0).json()).at("traceEvents").empty());
}

TEST(Trace, TextShowsTheLastLines) {
  trace t(100);
  fill(t);
  EXPECT_EQ(t.text(4),
            "the last 4 of 6 events, times in us:\n"
            "                choice delay: 3\n"
            "         1.500  process 0 sends 4096 bytes to process 1, there at 2.800\n"
            "         0.000  process 1 core 0: timed wait until 2.800\n"
            "         2.800  process 1 core 0: arrival\n");
}

}  // namespace
}  // namespace gossamer::simulation
