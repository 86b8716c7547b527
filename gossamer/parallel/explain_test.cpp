// Findings about runs with invented counters, and about simulated clusters in which one process has all the
// work.
#include "gossamer/parallel/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "gossamer/gossamer.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/run_recorder.hpp"
#include "support/sanitizers.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t k_ms = 1'000'000;

/// A core that was busy for part of 100 ms, and on a processor for all of that part.
core_record busy_core(std::uint64_t busy_ms) {
  core_record c{.ns = 100 * k_ms, .cpu_ns = busy_ms * k_ms};
  c.count.idle_ns = (100 - busy_ms) * k_ms;
  c.count.fibers_peak = 100;
  c.count.messages = 1000;
  return c;
}

run_record run_of(std::vector<core_record> cores, unsigned cores_of_process,
                  const std::string& phase = "bfs") {
  run_record r;
  r.phases.push_back({phase, std::move(cores)});
  r.cores_of_process = cores_of_process;
  return r;
}

run_record balanced() { return run_of({busy_core(97), busy_core(98), busy_core(99), busy_core(97)}, 4); }

run_record skewed_core() { return run_of({busy_core(20), busy_core(80)}, 2); }

run_record skewed_process() {
  run_record r =
      run_of({busy_core(20), busy_core(25), busy_core(22), busy_core(21), busy_core(95), busy_core(90)}, 2);
  r.known.push_back({2, "owns the vertex of largest degree (hub, 20,000 edges)", "take fewer processes"});
  for (std::size_t c = 0; c < 6; ++c) r.phases[0].cores[c].count.handled = c < 4 ? 500 : 5000;
  return r;
}

/// In one process one core works, and the other one does not.
run_record one_core_of_a_process() {
  return run_of({busy_core(20), busy_core(20), busy_core(90), busy_core(20)}, 2);
}

run_record main_fiber_alone() { return run_of({busy_core(99), busy_core(2), busy_core(1), busy_core(3)}, 4); }

run_record idle() {
  run_record r = run_of({busy_core(10), busy_core(11), busy_core(9), busy_core(10)}, 1);
  for (core_record& c : r.phases[0].cores) c.count.fibers_peak = 2;
  return r;
}

run_record empty_packets() {
  run_record r = idle();
  for (core_record& c : r.phases[0].cores) {
    c.count.packets = c.count.wire_packets = 1000;
    c.count.wire_bytes = 10'000;
    c.count.wire_room = 64'000'000;
    c.count.flush_age = 710;
    c.count.flush_idle = 290;
  }
  return r;
}

run_record no_steals() {
  run_record r = run_of({busy_core(50), busy_core(51), busy_core(49), busy_core(50)}, 4);
  for (core_record& c : r.phases[0].cores) {
    c.count.steal_attempts = 10'000;
    c.count.steals_of_1 = 400;
    c.count.steals = 400;
  }
  return r;
}

run_record full_pools() {
  run_record r = idle();
  r.phases[0].cores[1].count.pool_waits = 500;
  return r;
}

run_record memory_bound() {
  run_record r = balanced();
  r.data_bytes = std::uint64_t{1} << 30;
  r.cache_bytes = 32 << 20;
  return r;
}

run_record files_bound(const std::string& phase) {
  run_record r = run_of({busy_core(100), busy_core(90)}, 2, phase);
  for (core_record& c : r.phases[0].cores) c.cpu_ns = 10 * k_ms;
  r.phases.push_back({"components", {busy_core(95), busy_core(95)}});
  for (core_record& c : r.phases[1].cores) {
    c.ns /= 4;
    c.cpu_ns /= 4;
    c.count.idle_ns /= 4;
  }
  return r;
}

run_record graph_bound() {
  run_record r = files_bound("reading web.tsv");
  r.parses_graph = true;
  return r;
}

run_record table_bound() { return files_bound("reading"); }

run_record others_have_the_processors() {
  run_record r = balanced();
  for (core_record& c : r.phases[0].cores) c.cpu_ns = 45 * k_ms;
  return r;
}

run_record verified() {
  run_record r = balanced();
  r.phases.push_back({"verifying", {busy_core(100), busy_core(0), busy_core(0), busy_core(0)}});
  return r;
}

run_record host_program() {
  run_record r = run_of({busy_core(90), busy_core(90)}, 2, "calls");
  r.phases.push_back({"between calls", {busy_core(1), busy_core(0)}});
  return r;
}

/// The expected first finding of a run, and parts of its text and advice.
struct explained_case {
  const char* name;
  run_record (*run)();
  const char* key;
  double share;
  const char* share_of;
  std::vector<std::string> text;
  std::string advice;
};

const explained_case k_cases[] = {
    {"Balanced",
     balanced,
     "balanced",
     0.9775,
     "core time",
     {"98 % of core time", "evenly"},
     "another method"},
    {"SkewedCore",
     skewed_core,
     "for_the_busiest",
     0.3,
     "core time",
     {"30 % of core time waits for core 1:", "it works 80 % of the time there, the others 20 %",
      "4.0 times as long"},
     "divide the work by its weight"},
    {"SkewedProcess",
     skewed_process,
     "for_the_busiest",
     0.495,
     "core time",
     {"waits for process 2, which owns the vertex of largest degree (hub, 20,000 edges): it works 9",
      "handles 83 % of all messages"},
     "take fewer processes"},
    {"OneCoreOfAProcess",
     one_core_of_a_process,
     "for_the_busiest",
     0.525,
     "core time",
     {"waits for core 2 of process 1:"},
     "divide"},
    {"MainFiberAlone",
     main_fiber_alone,
     "for_the_busiest",
     0.7275,
     "core time",
     {"73 % of core time waits for core 0:"},
     "main fiber"},
    {"Idle",
     idle,
     "without_work",
     0.89,
     "core time",
     {"cores had no work for 89 % of core time", "never had more than 2 fibers"},
     "start more operations"},
    {"GraphBound",
     graph_bound,
     "reading",
     0.8,
     "time",
     {"\"reading web.tsv\" took 80 % of the time"},
     "gossamer convert"},
    {"TableBound",
     table_bound,
     "reading",
     0.8,
     "time",
     {"\"reading\" took 80 % of the time"},
     "unpack or split it"},
    {"OthersHaveTheProcessors",
     others_have_the_processors,
     "no_processor",
     0.5275,
     "core time",
     {"cores had work but did not run for 53 % of core time", "other programs"},
     "--cores"},
    {"HostProgram",
     host_program,
     "between_calls",
     0.5,
     "time",
     {"\"between calls\" took 50 % of the time"},
     "fewer calls"},
    {"Verified", verified, "verifying", 0.5, "time", {"\"verifying\" took 50 % of the time"}, "--verify"},
};

/// Cases in which another finding accompanies the first.
const explained_case k_beside[] = {
    {"EmptyPackets",
     empty_packets,
     "packets",
     0.71,
     "packets",
     {"packets between processes leave less than 1 % full",
      "71 % of all packets left because of the flush delay"},
     "GOSSAMER_FLUSH_DELAY_US"},
    {"NoSteals",
     no_steals,
     "stealing",
     0.96,
     "tries",
     {"found nothing in 96 % of 40,000 tries"},
     "split it finer"},
    {"FullPools", full_pools, "pool_waits", 0.125, "messages", {"waited 500 times"}, "GOSSAMER_PACKETS"},
    {"MemoryBound",
     memory_bound,
     "memory",
     0.9775,
     "core time",
     {"1.0 GiB", "32.0 times the last-level cache"},
     "huge pages"},
    {"FilesWait", graph_bound, "no_processor", 0.68, "core time", {"they waited for files"}, "disk"},
    {"VerifiedByOne",
     verified,
     "for_the_busiest",
     0.375,
     "core time",
     {"waits for core 0 in \"verifying\""},
     "--verify"},
};

const finding* find(const explanation& e, const std::string& key) {
  const auto at = std::ranges::find(e.findings, key, &finding::key);
  return at == e.findings.end() ? nullptr : &*at;
}

void expect_case(const explained_case& c, const finding& f) {
  EXPECT_EQ(f.key, c.key);
  EXPECT_NEAR(f.share, c.share, 1e-9);
  EXPECT_EQ(f.share_of, c.share_of);
  for (const std::string& part : c.text) EXPECT_NE(f.text.find(part), f.text.npos) << f.text;
  EXPECT_NE(f.advice.find(c.advice), f.advice.npos) << f.advice;
}

TEST(Explain, SaysFirstWhatTakesMost) {
  for (const explained_case& c : k_cases) {
    SCOPED_TRACE(c.name);
    const explanation e = explain(c.run());
    ASSERT_FALSE(e.findings.empty());
    expect_case(c, e.findings.front());
  }
}

TEST(Explain, SaysWhatElseIsToBeSeen) {
  for (const explained_case& c : k_beside) {
    SCOPED_TRACE(c.name);
    const explanation e = explain(c.run());
    const finding* const f = find(e, c.key);
    ASSERT_NE(f, nullptr);
    expect_case(c, *f);
  }
}

TEST(Explain, SharesAreTheWholeOfTheCoreTime) {
  for (const auto& cases :
       {std::span<const explained_case>(k_cases), std::span<const explained_case>(k_beside)})
    for (const explained_case& c : cases) {
      SCOPED_TRACE(c.name);
      const explanation e = explain(c.run());
      const auto sum = [](const time_shares& s) {
        return s.working + s.no_processor + s.for_the_busiest + s.without_work;
      };
      EXPECT_NEAR(sum(e.shares), 1, 1e-9);
      for (const explained_phase& p : e.phases) EXPECT_NEAR(sum(p.shares), 1, 1e-9);
      for (const finding& f : e.findings) {
        EXPECT_GE(f.share, 0);
        EXPECT_LE(f.share, 1);
        EXPECT_FALSE(f.advice.empty());
      }
    }
}

TEST(Explain, SaysNothingOfWhatIsNot) {
  for (const char* key :
       {"for_the_busiest", "no_processor", "without_work", "packets", "stealing", "pool_waits", "memory"})
    EXPECT_EQ(find(explain(balanced()), key), nullptr) << key;
  EXPECT_EQ(find(explain(skewed_core()), "balanced"), nullptr);
}

TEST(Explain, KnowsNoProcessorTimeOfASimulation) {
  run_record r = others_have_the_processors();
  r.has_cpu_time = false;
  EXPECT_EQ(explain(r).findings.front().key, "balanced");
}

TEST(Explain, AddsUpPhasesOfTheSameName) {
  run_record r = balanced();
  r.phases.push_back({"reading g", {busy_core(50), busy_core(50), busy_core(50), busy_core(50)}});
  r.phases.push_back(r.phases.front());
  const explanation e = explain(r);
  ASSERT_EQ(e.phases.size(), 2U);
  EXPECT_NEAR(e.phases[0].seconds, 0.2, 1e-9);
  EXPECT_NEAR(e.seconds, 0.3, 1e-9);
  EXPECT_EQ(e.cores, 4U);
}

TEST(Explain, HasNothingToSayOfNothing) {
  EXPECT_TRUE(explain({}).findings.empty());
  run_record r;
  r.phases.push_back({"none", {}});
  r.phases.push_back({"at once", {core_record{}, core_record{}}});
  EXPECT_TRUE(explain(r).findings.empty());
}

class ExplainSimulated : public testing::Test {
 protected:
  void SetUp() override {
    if (test::k_thread_sanitizer) GTEST_SKIP() << "the simulation is not for the thread sanitizer";
  }

  static explanation of(const std::string& cluster, void (*work)()) {
    job_options o;
    o.simulate = simulation::options::parse(cluster);
    explanation found;
    run(o, [&] {
      run_recorder r;
      r.begin("work");
      work();
      r.end();
      found = explain(r.record());
    });
    return found;
  }
};

TEST_F(ExplainSimulated, FindsTheProcessThatHasAllTheWork) {
  const explanation e = of("processes=4 cores=1 network=qdr", [] {
    finish([] {
      async_on(3, [] { charge_work(5 * k_ms); });
      async_on(1, [] { charge_work(1 * k_ms); });
    });
  });
  ASSERT_FALSE(e.findings.empty());
  const finding& f = e.findings.front();
  EXPECT_EQ(f.key, "for_the_busiest") << f.text;
  ASSERT_EQ(f.numbers[0].first, "process");
  EXPECT_EQ(f.numbers[0].second, 3);
  EXPECT_GT(f.numbers[1].second, 0.85);  // a core in a timed wait learns late of the end
  EXPECT_NEAR(f.share, (3 * 5.0 - 1) / (4 * 5), 0.1) << f.text;
  EXPECT_NEAR(e.shares.working, 6.0 / 20, 0.03);
}

TEST_F(ExplainSimulated, FindsTheOwnerOfWhatAllAskFor) {
  const explanation e = of("processes=4 cores=2 network=qdr", [] {
    on_all_cores([] {
      for (int i = 0; i < 2000; ++i) async_on(4, [] { charge_work(200); });
    });
  });
  const finding* const f = find(e, "for_the_busiest");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->numbers[0].first, "core");
  EXPECT_EQ(f->numbers[0].second, 4) << f->text;
  EXPECT_NE(f->text.find("core 4 of process 2"), f->text.npos) << f->text;
  EXPECT_NE(f->text.find("handles"), f->text.npos) << f->text;
}

TEST_F(ExplainSimulated, FindsThatEqualWorkIsEven) {
  const explanation e =
      of("processes=4 cores=2 network=qdr", [] { on_all_cores([] { charge_work(5 * k_ms); }); });
  EXPECT_GT(e.shares.working, 0.9);
  EXPECT_NE(find(e, "balanced"), nullptr);
}

TEST_F(ExplainSimulated, FindsThatOneFiberWaitsForOneAnswerAfterTheOther) {
  const explanation e = of("processes=2 cores=1 network=qdr", [] {
    for (int i = 0; i < 500; ++i) (void)call_on(1, [] { return here(); });
  });
  EXPECT_GT(e.shares.without_work, 0.5);
  ASSERT_FALSE(e.findings.empty());
  EXPECT_EQ(e.findings.front().key, "without_work") << e.findings.front().text;
}

// Real clocks: only what holds however long it takes.
TEST(ExplainReal, IdleTimeNeverGoesBack) {
  run(job_options{.cores = 2}, [] {
    std::uint64_t before = 0;
    for (int round = 0; round < 2000; ++round) {
      (void)call_on(1, [] { return here(); });
      const std::uint64_t now = fiber::scheduler::current()->idle_ns();
      ASSERT_GE(now, before) << "round " << round;
      before = now;
      if (round % 8 == 0) yield();
    }
  });
}

TEST(ExplainReal, IdleTimeIsPartOfTheTime) {
  for (const unsigned cores : {1U, 2U, 3U}) {
    run_record record;
    run(job_options{.cores = cores}, [&] {
      run_recorder r;
      for (int round = 0; round < 3; ++round) {
        r.begin("calls");
        for (core_id c = 0; c < gossamer::cores(); ++c) (void)call_on(c, [] { return here(); });
        r.begin("work");
        on_all_cores([] { yield(); });
      }
      r.end();
      record = r.record();
    });
    ASSERT_EQ(record.phases.size(), 2U);
    for (const phase_record& p : record.phases) {
      ASSERT_EQ(p.cores.size(), cores);
      for (const core_record& c : p.cores) {
        EXPECT_GT(c.ns, 0U);
        EXPECT_LE(c.count.idle_ns, c.ns + c.ns / 10 + 1000) << p.name;  // polls are counted, not measured
      }
    }
    EXPECT_EQ(explain(record).phases.size(), 2U);
  }
}

TEST(ExplainReal, ManyPhasesAreRecordedByName) {
  run(job_options{.cores = 2}, [] {
    constexpr std::uint64_t k_rounds = 250, k_ns = 50'000;
    run_recorder r;
    for (std::uint64_t round = 0; round < k_rounds; ++round) {
      r.begin("all the work");
      const std::uint64_t start = machine::now_ns();
      while (machine::now_ns() - start < k_ns) {}
      r.begin("nearly nothing");
    }
    r.end();
    const auto& phases = r.record().phases;
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0].name, "all the work");
    EXPECT_EQ(phases[1].name, "nearly nothing");
    EXPECT_GE(phases[0].cores[0].ns, k_rounds * k_ns);
  });
}

TEST(ExplainReal, PhasesOfTooManyNamesAreOne) {
  run(job_options{.cores = 1}, [] {
    run_recorder r;
    for (int name = 0; name < 250; ++name) r.begin(std::to_string(name));
    r.begin("7");  // a name of the record
    r.end();
    const auto& phases = r.record().phases;
    ASSERT_LT(phases.size(), 210U);
    EXPECT_EQ(phases[199].name, "199");
    EXPECT_EQ(phases.back().name, "further phases");
  });
}

TEST(ExplainReal, ACoreThatSleepsIsIdle) {
  run_record record;
  run(job_options{.cores = 2, .spin_us = 0}, [&] {
    run_recorder r;
    const std::uint64_t sleeps = call_on(1, [] { return fiber::scheduler::current()->count().sleeps; });
    r.begin("one core computes");
    while (statistics()[1].sleeps < sleeps + 3) {}
    r.end();
    record = r.record();
  });
  EXPECT_GT(record.phases[0].cores[1].count.idle_ns, 0U);
}

}  // namespace
}  // namespace gossamer
