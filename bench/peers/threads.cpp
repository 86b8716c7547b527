// POSIX threads in the place of fibers, all on one processor: sched_yield, pthread_create and join, and a
// semaphore each to wake and to wait. Processor time of the whole process, kernel included.

#include <semaphore.h>

#include <memory>
#include <thread>

#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

constexpr std::string_view k_peer = "POSIX threads";
constexpr std::uint64_t k_most_threads = 1000;  // more take long to start and prove nothing more

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

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  stay_on(0);  // threads inherit it
  if (a.bench == "yield")
    for (const std::uint64_t n : yield_fibers(a.asked))
      if (n <= k_most_threads) print_peer(k_peer, take_turns(a.asked, n));
  if (a.bench == "create") create(a.asked);
  if (a.bench == "wake") wake_and_switch(a.asked);
}
