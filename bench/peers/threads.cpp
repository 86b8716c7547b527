// POSIX threads in the place of fibers, all on one processor: sched_yield, pthread_create and join, and a
// semaphore each to wake and to wait. Processor time of the whole process, kernel included. On two processors: exchange, and what
// a call costs that wakes a thread of the other one.

#include <semaphore.h>

#include <memory>
#include <system_error>
#include <thread>

#include "micro/exchange.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

constexpr std::string_view k_peer = "POSIX threads";
constexpr std::uint64_t k_most_threads = 1000;  // more take long to start and prove nothing more
constexpr std::uint64_t k_most_exchanging = 16'384;  // as in the paper's figure, whose system gave no more

template <class F>
double process_ns_of(F f) {
  const double start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  f();
  return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
}

class semaphore {
 public:
  semaphore() { ::sem_init(&s_, 0, 0); }
  ~semaphore() { ::sem_destroy(&s_); }
  void post() { ::sem_post(&s_); }
  void wait() {
    while (::sem_wait(&s_) != 0) {}
  }

 private:
  sem_t s_;
};

/// Measures threads that yield, each equally often. The system decides on their order.
row take_turns(const settings& s, std::uint64_t n) {
  const std::uint64_t rounds = std::max<std::uint64_t>(20, s.pick(200'000, 10'000) / n);
  std::atomic<std::uint64_t> yields = 0;
  const samples ns = repeat(s, [&] {
    semaphore start, end;  // no thread spins: it is one processor
    std::atomic<std::uint64_t> left = n;
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < n; ++i)
      threads.emplace_back([&] {
        start.wait();
        for (std::uint64_t r = 0; r < rounds; ++r) ::sched_yield();
        yields += rounds;
        if (--left == 0) end.post();
      });
    return process_ns_of([&] {
             for (std::uint64_t i = 0; i < n; ++i) start.post();
             end.wait();
           }) /
           static_cast<double>(rounds * n);
  });
  const bool right = yields == n * rounds * (s.repeats + 1);
  return point(checked(row_of("yield", yield_case(n), "ns", ns), right), k_yield_curve,
               static_cast<double>(n));
}

void create(const settings& s) {
  const std::uint64_t children = s.pick(2000, 100);
  std::atomic<std::uint64_t> ran = 0;
  const samples ns = repeat(s, [&] {
    return process_ns_of([&] {
             for (std::uint64_t i = 0; i < children; ++i) std::jthread([&] { ++ran; });
           }) /
           static_cast<double>(children);
  });
  print_peer(k_peer, checked(row_of("create", std::string(k_create_case), "ns", ns),
                             ran == children * (s.repeats + 1)));
}

void wake_and_switch(const settings& s) {
  const std::uint64_t rounds = s.pick(20'000, 500);
  semaphore mine, others;
  std::uint64_t returns = 0, played = 0;
  bool stop = false;  // handed over by the semaphores
  std::jthread other([&] {
    while (others.wait(), !stop) ++returns, mine.post();
  });
  const samples ns = repeat(s, [&] {
    played += rounds;
    return process_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) others.post(), mine.wait();
           }) /
           static_cast<double>(2 * rounds);
  });
  stop = true;
  others.post();
  other.join();
  print_peer(k_peer, checked(row_of("wake", std::string(k_wake_switch_case), "ns", ns), returns == played));
}

/// Measures the calls that wake threads of another processor, by the caller's clock.
void wake_far(const settings& s) {
  constexpr std::size_t k_threads = 100;  // each has a stack, and the kernel's
  const std::uint64_t rounds = s.pick(100, 5);
  std::vector<std::unique_ptr<semaphore>> sleepers;
  for (std::size_t i = 0; i < k_threads; ++i) sleepers.push_back(std::make_unique<semaphore>());
  std::atomic<std::size_t> count{0};
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> woken = 0;
  std::uint64_t wakes = 0;
  std::vector<std::jthread> all;
  for (std::size_t i = 0; i < k_threads; ++i)
    all.emplace_back([&, i] {
      stay_on(1);
      while (!stop) {
        ++count;
        sleepers[i]->wait();
        ++woken;
      }
    });
  const auto wake_all = [&] {
    while (count < k_threads) ::sched_yield();
    count = 0;
    return wall_ns_of([&] {
      for (auto& one : sleepers) one->post();
    });
  };
  const samples ns = repeat(s, [&] {
    double sum = 0;
    for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_threads) sum += wake_all();
    return sum / static_cast<double>(rounds * k_threads);
  });
  while (count < k_threads) ::sched_yield();
  stop = true;
  wake_all();
  all.clear();
  print_peer(k_peer,
             checked(row_of("wake", std::string(k_signal_case), "ns", ns), woken == wakes + k_threads));
}

class waiter {
 public:
  void wait() { s_.wait(); }
  void signal() { s_.post(); }
  static void yield() { ::sched_yield(); }

 private:
  semaphore s_;
};

/// Makes n threads, of which thread i calls prepare(i), calls begin() when all are made, and returns the time from then until each has
/// called play(i): to make so many would be most of it. None where the system gives no more threads: then none has played.
template <class Prepare, class Begin, class Play>
double threads_ns(std::uint64_t n, Prepare prepare, Begin begin, Play play) {
  enum class word { wait, play, leave };
  std::atomic<word> start = word::wait;
  std::vector<std::jthread> all;
  try {
    for (std::uint64_t i = 0; i < n; ++i)
      all.emplace_back([&prepare, &play, &start, i] {
        prepare(i);
        start.wait(word::wait);
        if (start == word::play) play(i);
      });
  } catch (const std::system_error&) {
    start = word::leave;
    start.notify_all();
    return k_none;
  }
  begin();
  return wall_ns_of([&] {
    start = word::play;
    start.notify_all();
    all.clear();
  });
}

void exchanges(const settings& s) {
  if (allowed_processors().size() < 2) return;
  const auto side_of = [](std::uint64_t i) { return static_cast<unsigned>(i % 2); };
  for (const exchange_size& size : exchange_sizes(s, k_most_exchanging / 2)) {
    const row r = exchange_row<waiter>(s, size, [&](std::uint64_t pairs, auto body) {
      return threads_ns(
          2 * pairs, [&](std::uint64_t i) { stay_on(side_of(i)); }, [] {},
          [&](std::uint64_t i) {
            waiter self;
            body(side_of(i), i / 2, self);
          });
    });
    if (std::isfinite(r.value)) print_peer(k_peer, r);
  }
}

/// Measures between processes. A side that gets no threads ends, and so the other one.
void process_exchanges(const settings& s) {
  if (allowed_processors().size() < 2) return;
  for (const exchange_size& size : exchange_sizes(s, k_most_exchanging / 2))
    print_peer(k_peer,
               process_exchange_row<waiter>(s, size, [](std::uint64_t n, auto begin, auto serve, auto play) {
                 const double ns = threads_ns(
                     n + 1, [](std::uint64_t) {}, begin,
                     [&](std::uint64_t i) {
                       if (i == 0) return serve();
                       waiter self;
                       play(i - 1, self);
                     });
                 if (std::isfinite(ns)) return ns;
                 fmt::print(stderr, "no more threads than some of {}\n", n + 1);
                 std::_Exit(1);
               }));
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  if (!a.bench.starts_with("exchange")) stay_on(0);  // threads inherit it
  if (a.bench == "yield")
    for (const std::uint64_t n : yield_fibers(a.asked))
      if (n <= k_most_threads) print_peer(k_peer, take_turns(a.asked, n));
  if (a.bench == "create") create(a.asked);
  if (a.bench == "wake") {
    wake_and_switch(a.asked);
    if (allowed_processors().size() > 1) wake_far(a.asked);
  }
  if (a.bench == "exchange") exchanges(a.asked);
  if (a.bench == k_exchange_processes) process_exchanges(a.asked);
}
