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

// Calls of the busy fibers of one core while an operation with it is under way. A core looks around after 64 switches, and each of a
// few messages may wait for several such looks at both ends. Seen in 1,500 seeds: 2,751, half of the operations took less than 300.
constexpr std::uint64_t k_most_calls = 6000;
constexpr std::uint64_t k_most_calls_of_core = 20'000;  // then its fibers end, whatever has not

struct {
  std::vector<std::uint64_t> calls;  // of the busy fibers, by core
  std::uint64_t asking = 0;  // fibers that have not done
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

void run(draws& d) {
  all.calls.assign(cores(), 0);
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
