// Stalls: a job in which every fiber waits for what will never come ends with a report that names each of them
// and what it waits for; one in which a core still computes, counts the time, waits for a packet, or has
// something on its way to another process never does. Half of the seeds stall on purpose, after or during
// live work.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

constexpr message_tag k_never_received = 0x4000, k_never_sent = 0x5000;  // and what follows

struct expected_wait {
  core_id core;
  std::string what;
};

struct {
  std::uint64_t begun = 0, ended = 0;  // of live work
  message_tag tags = 0;  // used by it, each once
  bool stalls = false;  // it is meant to
  unsigned planned = 0;  // fibers that will wait for ever
  std::vector<expected_wait> waits;  // each as it begins
} all;

// --- live work: mostly one fiber goes on, and the whole job waits for it -------------------------

/// Draws a time: long enough for the search for a stall to ask about, or not.
std::uint64_t some_time(draws& d) { return std::uint64_t{1000} << d.below(12); }

void flood(core_id to, draws& d) {
  const std::vector<std::byte> data(200 + d.below(1500));
  for (unsigned i = 1 + d.below(40); i > 0; --i) async_on(to, [](std::span<const std::byte>) {}, data);
}

/// Waits for an event that a fiber of this core sets when the time has come, and only then.
void wait_for_timer(draws& d) {
  auto rings = std::make_unique<fiber::event>();
  const std::uint64_t at = machine::now_ns() + some_time(d);
  auto timer = start([at, e = rings.get()] {
    while (machine::now_ns() < at) {
      charge_work(200);
      yield();
    }
    e->set();
  });
  rings->wait("a timer");
  timer.join();
}

void live(std::uint64_t key, unsigned depth);

void go_on_elsewhere(std::uint64_t key, core_id to, unsigned depth, unsigned how) {
  const auto work = [key, depth] { live(key, depth); };
  if (how == 0) return on_core(to, work);
  if (how == 1) return finish([&] { spawn_on(to, work); });
  const message_tag tag = ++all.tags;
  const core_id back = here();
  finish([&] {
    spawn_on(to, [work, back, tag] {
      work();
      send_value(back, tag, 1);
    });
    (void)receive_value<int>(to, tag);
  });
}

void live(std::uint64_t key, unsigned depth) {
  draws d(key);
  ++all.begun;
  const core_id to = d.below(cores());
  for (unsigned i = 1 + d.below(3); i > 0; --i) {
    switch (d.below(7)) {
      case 0:
        charge_work(some_time(d));  // alone: it looks at nothing
        break;
      case 1:
        wait_for_timer(d);
        break;
      case 2:
        async_on(to, [ns = some_time(d)] { charge_work(ns), (void)machine::now_ns(); });
        break;
      case 3:
        (void)call_on(to, [ns = some_time(d)] { return charge_work(ns), machine::now_ns(); });
        break;
      case 4:  // the other core computes while packets for it wait
        async_on(to, [ns = some_time(d)] { charge_work(ns), (void)machine::now_ns(); });
        for (unsigned floods = 1 + d.below(6); floods > 0; --floods) flood(to, d);
        break;
      default:  // with room to wait for in the middle
        flood(to, d);
        charge_work(some_time(d));
    }
    if (depth != 0) go_on_elsewhere(d.next(), d.below(cores()), depth - 1, d.below(3));
  }
  ++all.ended;
}

// --- what never comes ---------------------------------------------------------------------------

void begin_waiting(std::string what) { all.waits.push_back({here(), std::move(what)}); }

[[noreturn]] void never_returns(const char* what) {
  complain(fmt::format("stall: {} has come", what));
  throw error("it has come");
}

void wait_for_event() {
  fiber::event never;
  begin_waiting("a train that does not come");
  never.wait("a train that does not come");
  never_returns("the train");
}

void wait_for_message(core_id from, message_tag tag) {
  begin_waiting(fmt::format("a message from core {}, tag {:#x}", from, tag));
  (void)receive_value<int>(from, tag);
  never_returns("a message");
}

/// Starts two fibers of one core, each with the lock that the other one wants.
void lock_each_other() {
  auto a = std::make_unique<fiber::mutex>(), b = std::make_unique<fiber::mutex>();
  const auto take = [](fiber::mutex& first, fiber::mutex& second) {
    first.lock();
    yield();
    yield();
    begin_waiting("semaphore");
    second.lock();
    never_returns("a lock");
  };
  auto other = start([&] { take(*b, *a); });
  take(*a, *b);
}

void wait_for_cell() {
  fiber::full_empty<int> cell;
  begin_waiting("full/empty cell: to be filled");
  (void)cell.take();
  never_returns("what a cell was to hold");
}

/// Runs a barrier to which one core does not come.
void barrier_without(core_id absent) {
  all.planned += cores();
  on_all_cores([absent] {
    if (here() == absent) return wait_for_event();
    begin_waiting("barrier");
    barrier();
    never_returns("a barrier");
  });
}

void wait_for_ever(unsigned how, unsigned number) {
  const auto tag = static_cast<message_tag>(k_never_sent + number);
  switch (how) {
    case 0:
      return wait_for_event();
    case 1:
      return wait_for_message((here() + 1) % cores(), tag);
    case 2:
      return lock_each_other();
    default:
      return wait_for_cell();
  }
}

/// Starts two fibers. Each waits for a message that the other one would send afterwards.
void wait_for_each_other(core_id a, core_id b, unsigned number) {
  const auto tag = static_cast<message_tag>(k_never_sent + number);
  const auto half = [tag](core_id other) {
    wait_for_message(other, tag);
    send_value(other, tag, 0);
  };
  all.planned += 2;
  spawn_on(a, [half, b] { half(b); });
  spawn_on(b, [half, a] { half(a); });
}

/// Has a core send a neighbour on its node more than is kept for a receive that never comes: the rest lies in their lane for ever, and
/// is under way no more than what has come. Nothing else that matters takes that lane.
void fill_lane(draws& d) {
  const core_id from = d.below(cores()), to = d.below(cores());
  if (from == 0) return;  // from there all that waits is started
  spawn_on(from, [to] {
    constexpr std::uint64_t k_most = 3000, k_more = 200;
    const std::uint64_t kept = message::mailbox::here().most_kept();
    if (!message::endpoint::here().process().has_node_lane(to) || kept > k_most) return;
    for (std::uint64_t i = 0; i < kept + k_more; ++i) send_value(to, k_never_received, i);
  });
}

void stall(draws& d) {
  all.stalls = true;
  if (d.one_in(4)) return barrier_without(d.below(cores()));
  finish([&] {
    for (unsigned i = 1 + d.below(2); i > 0; --i) {
      if (d.one_in(3)) {
        wait_for_each_other(d.below(cores()), d.below(cores()), i);
        continue;
      }
      const unsigned how = d.below(4);
      all.planned += how == 2 ? 2 : 1;
      spawn_on(d.below(cores()), [how, i, key = d.next()] {
        draws mine(key);
        dawdle(mine);
        wait_for_ever(how, i);
      });
    }
    if (d.one_in(2)) return fill_lane(d);
    if (d.one_in(2)) live(d.next(), 1);
    if (d.one_in(2)) spawn_on(d.below(cores()), [key = d.next()] { live(key, 1); });
  });
  never_returns("the end of a job that stalls");
}

void run(draws& d) {
  all = {};
  for (unsigned i = d.below(3); i > 0; --i) live(d.next(), 2);
  if (d.one_in(4)) on_all_cores([key = d.next()] { live(hash64(key, here()), 1); });
  if (d.one_in(2)) stall(d);
}

// --- the report ---------------------------------------------------------------------------------

/// Returns whether the report says that a fiber of that core waits for it: "; core 1 fiber 17 (task) waits
/// for it".
bool names(const std::string& report, const expected_wait& w) {
  const std::string who = fmt::format("; core {} fiber ", w.core);
  const std::string what = " waits for " + w.what;
  for (std::size_t at = report.find(who); at != report.npos; at = report.find(who, at + 1)) {
    const std::string one = report.substr(at, report.find("; ", at + 1) - at);
    if (one.find(what) != one.npos) return true;
  }
  return false;
}

std::string judge(const std::string& report) {
  if (all.ended != all.begun)
    return fmt::format("stall: {} of {} pieces of work had not ended: {}", all.begun - all.ended, all.begun,
                       report.empty() ? "no error" : report);
  if (!all.stalls) return report;
  if (!report.starts_with("the job has stalled: "))
    return fmt::format("stall: it is not reported: {}", report.empty() ? "no error" : report);
  if (all.waits.size() != all.planned)
    return fmt::format("stall: {} of {} fibers had begun to wait: {}", all.waits.size(), all.planned, report);
  for (const expected_wait& w : all.waits)
    if (!names(report, w)) return fmt::format("stall: core {} waits for {}: {}", w.core, w.what, report);
  return "";
}

void check() {}

/// Draws the shape of the job and, at times, few packets: fibers then wait for room.
void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 1}, {1, 2}, {1, 4}, {1, 6}, {2, 1}, {2, 2},
                                {2, 3}, {3, 1}, {3, 2}, {4, 1}, {4, 2}};
  give(o, d.of(k_shapes));
  if (d.one_in(2)) o.unexpected = 4, o.unexpected_bytes = 4096;
  if (d.one_in(2)) return;
  o.packets = 1 + d.below(2);
  o.packet_bytes = 2048;
  o.wire_packet_bytes = 4096;
  o.wire_packets = 4;
}

}  // namespace

const protocol stall_report{"stall_report", &prepare, &run, &check, &judge};

}  // namespace gossamer::test
