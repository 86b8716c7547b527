// Argobots: user-level threads on execution streams, which busy-wait as ours do. Built where pkg-config finds `argobots`. The main
// thread is the first stream; a second one is made for what crosses.

#include <abt.h>

#include <memory>

#include "micro/exchange.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

constexpr std::string_view k_peer = "Argobots";
constexpr std::uint64_t k_stack_bytes = 64 << 10, k_small_stack_bytes = 8 << 10;

void check(int code, const char* call) {
  if (code == ABT_SUCCESS) return;
  fmt::print(stderr, "{}: {}: error {}\n", k_peer, call, code);
  std::exit(1);
}

/// Streams, each with a pool of its own: the main thread's, which stays on its processor, and one more where two are asked for, pinned
/// to the other.
class streams {
 public:
  explicit streams(unsigned many) : many_(many) {
    check(ABT_init(0, nullptr), "ABT_init");
    check(ABT_xstream_self(&on_[0]), "ABT_xstream_self");
    if (many == 2) check(ABT_xstream_create(ABT_SCHED_NULL, &on_[1]), "ABT_xstream_create");
    for (unsigned i = 0; i < many; ++i)
      check(ABT_xstream_get_main_pools(on_[i], 1, &pools_[i]), "ABT_xstream_get_main_pools");
    if (many == 2) run(1, [] { stay_on(1); });
  }
  ~streams() {
    if (many_ == 2) {
      ABT_xstream_join(on_[1]);
      ABT_xstream_free(&on_[1]);
    }
    ABT_finalize();
  }
  streams(const streams&) = delete;
  streams& operator=(const streams&) = delete;

  ABT_pool pool(unsigned stream) const { return pools_[stream]; }

  /// Runs f() in a thread of a stream, and waits for it.
  template <class F>
  void run(unsigned stream, F f);

 private:
  unsigned many_;
  ABT_xstream on_[2];
  ABT_pool pools_[2];
};

/// Threads of Argobots that are joined at the end of the scope. Each runs a function of its own.
template <class Body>
class group {
  using F = std::remove_const_t<Body>;

 public:
  explicit group(std::size_t most, std::size_t stack_bytes = k_stack_bytes) {
    bodies_.reserve(most);  // they stay where they are
    check(ABT_thread_attr_create(&attributes_), "ABT_thread_attr_create");
    check(ABT_thread_attr_set_stacksize(attributes_, stack_bytes), "ABT_thread_attr_set_stacksize");
  }
  ~group() {
    join();
    ABT_thread_attr_free(&attributes_);
  }
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  void start(ABT_pool pool, F f) {
    bodies_.push_back(std::move(f));
    check(ABT_thread_create(
              pool, [](void* body) { (*static_cast<F*>(body))(); }, &bodies_.back(), attributes_,
              &threads_.emplace_back()),
          "ABT_thread_create");
  }
  void join() {
    for (ABT_thread& t : threads_) ABT_thread_free(&t);
    threads_.clear();
  }

 private:
  std::vector<F> bodies_;
  std::vector<ABT_thread> threads_;
  ABT_thread_attr attributes_;
};

template <class F>
void streams::run(unsigned stream, F f) {
  group<F> one(1);
  one.start(pools_[stream], std::move(f));
}

ABT_thread self() {
  ABT_thread t;
  ABT_thread_self(&t);
  return t;
}

std::uint64_t stack_bytes_for(std::uint64_t many) {
  return many >= k_small_stacks_from ? k_small_stack_bytes : k_stack_bytes;
}

// --- yield, create --------------------------------------------------------------------------------

row take_turns(const settings& s, streams& on, std::uint64_t n) {
  const std::uint64_t rounds = std::max<std::uint64_t>(20, s.pick(5'000'000, 50'000) / n);
  std::uint64_t yields = 0;
  const samples ns = repeat(s, [&] {
    const auto body = [&] {
      for (std::uint64_t r = 0; r < rounds; ++r) ABT_self_yield();
      yields += rounds;
    };
    group<decltype(body)> all(n, stack_bytes_for(n));
    for (std::uint64_t i = 0; i < n; ++i) all.start(on.pool(0), body);
    return cpu_ns_of([&] { all.join(); }) / static_cast<double>(rounds * n);
  });
  return point(checked(row_of("yield", yield_case(n), "ns", ns), yields == n * rounds * (s.repeats + 1)),
               k_yield_curve, static_cast<double>(n));
}

void create(const settings& s, streams& on) {
  const std::uint64_t children = s.pick(500'000, 5000);
  std::uint64_t ran = 0;
  const samples ns = repeat(s, [&] {
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < children; ++i) on.run(0, [&ran] { ++ran; });
           }) /
           static_cast<double>(children);
  });
  print_peer(k_peer, checked(row_of("create", std::string(k_create_case), "ns", ns),
                             ran == children * (s.repeats + 1)));
}

// --- wake -----------------------------------------------------------------------------------------

/// Wakes a thread that is about to suspend: not before it has.
void resume(ABT_thread t) {
  ABT_thread_state state;
  while (ABT_thread_get_state(t, &state), state != ABT_THREAD_STATE_BLOCKED) {}
  ABT_thread_resume(t);
}

/// Measures the calls that wake all sleeping threads of a stream, by the caller's clock.
row wake_all_of(const settings& s, streams& on, unsigned stream, std::string_view name) {
  const std::uint64_t rounds = s.pick(200, 5);
  std::vector<ABT_thread> asleep;
  asleep.reserve(k_sleepers);
  std::atomic<std::size_t> count{0};
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> woken = 0;
  std::uint64_t wakes = 0;
  const auto body = [&] {
    while (!stop) {
      asleep.push_back(self());
      count.store(asleep.size(), std::memory_order_release);  // pairs with the acquire below
      ABT_self_suspend();
      ++woken;
    }
  };
  group<decltype(body)> all(k_sleepers);
  for (std::size_t i = 0; i < k_sleepers; ++i) all.start(on.pool(stream), body);
  const auto wake_all = [&] {
    while (count.load(std::memory_order_acquire) < k_sleepers) ABT_self_yield();
    std::vector<ABT_thread> to_wake;
    to_wake.swap(asleep);
    asleep.reserve(k_sleepers);
    count.store(0, std::memory_order_relaxed);
    ABT_thread_state state;
    while (ABT_thread_get_state(to_wake.back(), &state), state != ABT_THREAD_STATE_BLOCKED) {}
    return wall_ns_of([&] {
      for (ABT_thread t : to_wake) ABT_thread_resume(t);
    });
  };
  const samples ns = repeat(s, [&] {
    double sum = 0;
    for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) sum += wake_all();
    return sum / static_cast<double>(rounds * k_sleepers);
  });
  while (count.load(std::memory_order_acquire) < k_sleepers) ABT_self_yield();
  stop = true;
  wake_all();
  all.join();
  return checked(row_of("wake", std::string(name), "ns", ns), woken == wakes + k_sleepers);
}

/// Measures two threads that wake each other in turn.
row wake_in_turn(const settings& s, streams& on, unsigned stream, std::string_view name) {
  const std::uint64_t rounds = s.pick(200'000, 2000);
  std::atomic<ABT_thread> partner{ABT_THREAD_NULL};
  const ABT_thread mine = self();
  std::uint64_t returns = 0, played = 0;
  std::atomic<bool> stop = false;
  const auto body = [&] {
    partner.store(self(), std::memory_order_release);  // pairs with the acquire below
    ABT_self_suspend();
    while (!stop) {
      ++returns;
      resume(mine);
      ABT_self_suspend();
    }
  };
  group<decltype(body)> other(1);
  other.start(on.pool(stream), body);
  while (partner.load(std::memory_order_acquire) == ABT_THREAD_NULL) ABT_self_yield();
  const ABT_thread to = partner;
  const auto once = [&] {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      resume(to);
      ABT_self_suspend();
    }
  };
  const samples ns = repeat(s, [&] {
    played += rounds;
    return (stream == 0 ? cpu_ns_of(once) : wall_ns_of(once)) / static_cast<double>(2 * rounds);
  });
  stop = true;
  resume(to);
  other.join();
  return checked(row_of("wake", std::string(name), "ns", ns), returns == played);
}

void wake(const settings& s, streams& on) {
  print_peer(k_peer, wake_all_of(s, on, 0, k_wake_case));
  print_peer(k_peer, wake_in_turn(s, on, 0, k_wake_switch_case));
  if (allowed_processors().size() < 2) return;
  print_peer(k_peer, wake_in_turn(s, on, 1, k_wake_other_case));
  print_peer(k_peer, wake_all_of(s, on, 1, k_signal_case));
}

// --- exchange -------------------------------------------------------------------------------------

/// Of the thread that makes it. A signal waits until it has suspended, which another stream does not hinder.
class waiter {
 public:
  void wait() { ABT_self_suspend(); }
  void signal() { resume(self_); }
  static void yield() { ABT_self_yield(); }

 private:
  ABT_thread self_ = self();
};

void exchanges(const settings& s, streams& on) {
  if (allowed_processors().size() < 2) return;
  for (const exchange_size& size : exchange_sizes(s, exchange_room(k_small_stack_bytes)))
    print_peer(k_peer, exchange_row<waiter>(s, size, [&](std::uint64_t n, auto body) {
                 const auto play = [&body](unsigned side, std::uint64_t pair) {
                   return [&body, side, pair] {
                     waiter self;
                     body(side, pair, self);
                   };
                 };
                 return wall_ns_of([&] {
                   group<decltype(play(0, 0))> all(2 * n, stack_bytes_for(n));
                   for (std::uint64_t i = 0; i < 2 * n; ++i) {
                     const auto side = static_cast<unsigned>(i % 2);
                     all.start(on.pool(side), play(side, i / 2));
                   }
                   all.join();
                 });
               }));
}

void process_exchanges(const settings& s) {
  if (allowed_processors().size() < 2) return;
  for (const exchange_size& size : exchange_sizes(s, exchange_room(k_small_stack_bytes)))
    print_peer(k_peer,
               process_exchange_row<waiter>(s, size, [](std::uint64_t n, auto begin, auto serve, auto play) {
                 streams on(1);
                 const auto part = [&serve, &play](std::uint64_t number) {  // 0: serves
                   return [&serve, &play, number] {
                     if (number == 0) return serve();
                     waiter self;
                     play(number - 1, self);
                   };
                 };
                 begin();
                 return wall_ns_of([&] {
                   group<decltype(part(0))> all(n + 1, stack_bytes_for(n));
                   for (std::uint64_t i = 0; i <= n; ++i) all.start(on.pool(0), part(i));
                   all.join();
                 });
               }));
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  if (a.bench == k_exchange_processes) {  // forks before it makes streams
    process_exchanges(a.asked);
    return 0;
  }
  stay_on(0);
  streams on(2);
  if (a.bench == "yield")
    for (const std::uint64_t n : yield_fibers(a.asked))
      if (n <= 100'000) print_peer(k_peer, take_turns(a.asked, on, n));
  if (a.bench == "create") create(a.asked, on);
  if (a.bench == "wake") wake(a.asked, on);
  if (a.bench == "exchange") exchanges(a.asked, on);
}
