// Progress: while fibers of some cores compute, what others ask of those cores ends within a bound, however long each computation
// takes. The fibers that compute call the runtime again and again, as programs should. The bound counts those calls, not time: so it
// holds for fibers that compute for 20 us between two calls and for those that a seed lets compute for ms (fault compute).
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

// Calls of the busy fibers of one core while an operation with it is under way. A turn ends after 64 switches or some 0.4 ms, and each
// of a few messages may wait for several turns at both ends. 500 are too few for one seed in a hundred; 5,000 seeds take no more than these.
constexpr std::uint64_t k_most_calls = 1500;
constexpr std::uint64_t k_most_calls_of_core = 20'000;  // then its fibers end, whatever has not

constexpr std::uint64_t k_most_streamed = 4'000'000;

struct {
  std::vector<std::uint64_t> calls;  // of the busy fibers, by core
  std::uint64_t asking = 0;  // fibers that have not done
  std::uint64_t streamed = 0;
} all;

/// Computes for a while between two calls, until all operations are over.
void keep_busy(std::uint64_t key) {
  draws d(key);
  std::uint64_t& calls = all.calls[here()];
  while (all.asking != 0 && calls < k_most_calls_of_core) {
    charge_work(20'000 + d.below(20'000));
    ++calls;
    yield();
  }
}

/// What one core asks of another.
constexpr const char* k_operations[] = {"a call", "a record", "a task", "a payload"};

void operate(unsigned what, core_id to, std::uint64_t number, draws& d) {
  switch (what) {
    case 0:
      return complain_unless(call_on(to, [number] { return number + here(); }) == number + to,
                             "progress: a wrong answer");
    case 1:
      return finish([to] { async_on(to, [] {}); });
    case 2:
      return complain_unless(on_core(to, [number] { return number * 3; }) == number * 3,
                             "progress: a wrong result");
    default: {
      constexpr std::size_t k_sizes[] = {8, 500, 3000};
      const std::vector<std::byte> data(d.of(k_sizes));
      finish([&] { async_on(to, [](std::span<const std::byte>) {}, data); });
    }
  }
}

/// Asks other cores for something, again and again.
void ask(std::uint64_t key, unsigned times) {
  draws d(key);
  for (unsigned i = 0; i < times; ++i) {
    const core_id to = d.below(cores());
    const std::uint64_t here_before = all.calls[here()], there_before = all.calls[to];
    const unsigned what = d.below(std::size(k_operations));
    operate(what, to, i, d);
    const std::uint64_t waited = std::max(all.calls[here()] - here_before, all.calls[to] - there_before);
    complain_unless(waited <= k_most_calls,
                    "progress: {} between cores {} and {} took {} calls of fibers there, at most "
                    "{} were allowed",
                    k_operations[what], here(), to, waited, k_most_calls);
    dawdle(d);
  }
  --all.asking;
}

/// Sends records of no size to a core, one after the other, until the large messages have come.
void stream(core_id to) {
  while (all.asking != 0 && all.streamed < k_most_streamed) {
    async_on(to, [] {});
    if (++all.streamed % 64 == 0) yield();
  }
}

/// Sends large messages from one core to another beside a stream of small records that goes the same way. Each is to have a tenth of
/// what both send.
void large_beside_stream(std::uint64_t key) {
  constexpr message_tag k_large = 0x77;
  constexpr std::uint64_t k_record_bytes = 8;  // at least: aggregated records are so long, lone ones a line
  // Asking, granting and each piece wait for looks and flush delays, and for the slowest of the networks: 4 ms, 1 M. Asking waits for
  // what was sent before, too: of a slow core, which takes 64 KiB in 1 ms, all that its pools hold, while as much follows.
  constexpr std::uint64_t k_records_of_latency = 2'500'000;
  draws d(key);
  const core_id from = d.below(cores()), to = (from + 1 + d.below(cores() - 1)) % cores();
  const unsigned times = 1 + d.below(3);
  const std::size_t bytes = std::size_t{8192} << d.below(4);
  if (here() == to)
    spawn([=] {
      std::vector<std::byte> buffer(bytes);
      for (unsigned i = 0; i < times; ++i) (void)receive(from, k_large, buffer);
    });
  if (here() != from) return;
  spawn([to] { stream(to); });
  spawn([=] {
    const std::vector<std::byte> data(bytes);
    for (unsigned i = 0; i < times; ++i) {
      const std::uint64_t before = all.streamed;
      send(to, k_large, data);
      const std::uint64_t streamed = all.streamed - before;
      complain_unless(streamed <= 10 * bytes / k_record_bytes + k_records_of_latency,
                      "progress: {} records were sent beside a message of {} bytes from core {} to {}",
                      streamed, bytes, from, to);
    }
    all.asking = 0;
  });
}

void run(draws& d) {
  all.calls.assign(cores(), 0);
  all.streamed = 0;
  if (d.one_in(3)) {
    all.asking = 1;
    return on_all_cores([key = d.next()] { large_beside_stream(key); });
  }
  const core_id surely = d.below(cores());
  all.asking = cores();
  on_all_cores([key = d.next(), surely] {
    draws mine(hash64(key, here()));
    if (here() == surely || mine.one_in(2))
      for (unsigned i = 1 + mine.below(3); i > 0; --i) spawn([k = mine.next()] { keep_busy(k); });
    ask(mine.next(), 2 + mine.below(6));
  });
}

void check() {}

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 2}, {1, 3}, {2, 1}, {2, 2}, {3, 1}, {4, 1}};
  give(o, d.of(k_shapes));
}

}  // namespace

const protocol progress{"progress", &prepare, &run, &check};

}  // namespace gossamer::test
