// Boost.Fiber at its best: its round-robin scheduler, stacks from a pool, and waking by the calls that its own
// wait objects are made of (context::suspend and schedule). A fiber spins on each thread where it would
// otherwise sleep in the kernel.

#include <unistd.h>

#include <boost/fiber/all.hpp>
#include <memory>

#include "gossamer/base/random.hpp"
#include "micro/exchange.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

namespace fibers = boost::fibers;
constexpr std::string_view k_peer = "Boost.Fiber";

bool memory_for(double bytes) {
  return static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) >
         bytes;
}

double resident_bytes() {
  unsigned long pages = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    (void)!std::fscanf(f, "%*u %lu", &pages);
    std::fclose(f);
  }
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

constexpr std::size_t k_small_stack_bytes = 8 << 10;

/// Returns the pool of stacks, small ones where there are many. The pool touches both ends of each stack.
fibers::pooled_fixedsize_stack stacks(std::uint64_t many) {
  return {many >= k_small_stacks_from ? k_small_stack_bytes : std::size_t{64} << 10, 32, 1024};
}

// --- yield ----------------------------------------------------------------------------------------

row take_turns(const settings& s, std::uint64_t n) {
  const std::uint64_t rounds = std::max<std::uint64_t>(2, s.pick(4'000'000, 20'000) / n);
  bool stop = false;
  std::uint64_t yields = 0, turns = 0;
  auto stack = stacks(n);
  std::vector<fibers::fiber> others;
  for (std::uint64_t i = 1; i < n; ++i)
    others.emplace_back(std::allocator_arg, stack, [&] {
      std::uint64_t mine = 0;
      while (!stop) boost::this_fiber::yield(), ++mine;
      yields += mine;
    });
  boost::this_fiber::yield();
  const samples ns = repeat(s, [&] {
    turns += rounds;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) boost::this_fiber::yield();
           }) /
           static_cast<double>(rounds * n);
  });
  stop = true;
  for (auto& f : others) f.join();
  const bool right = yields >= (n - 1) * turns && yields <= (n - 1) * (turns + 2);
  return point(checked(row_of("yield", yield_case(n), "ns", ns), right), k_yield_curve,
               static_cast<double>(n));
}

void yield(const settings& s) {
  for (const std::uint64_t n : yield_fibers(s))
    if (memory_for(static_cast<double>(n) * 10'000)) print_peer(k_peer, take_turns(s, n));
}

// --- create ---------------------------------------------------------------------------------------

/// Returns the kilobytes (1,000 bytes) by which the process grows, per fiber that waits on a stack of two
/// pages.
double memory_each(std::uint64_t fibers) {
  std::vector<fibers::fiber> crowd(fibers);
  std::vector<fibers::context*> waiting;
  waiting.reserve(fibers);
  auto stack = stacks(k_small_stacks_from);
  const double before = resident_bytes();
  for (auto& one : crowd)
    one = fibers::fiber(fibers::launch::dispatch, std::allocator_arg, stack, [&] {
      waiting.push_back(fibers::context::active());
      fibers::context::active()->suspend();
    });
  const double grown = resident_bytes() - before;
  for (auto* f : waiting) fibers::context::active()->schedule(f);
  for (auto& one : crowd) one.join();
  return grown / static_cast<double>(fibers) / 1000;
}

void create(const settings& s) {
  const std::uint64_t children = s.pick(200'000, 2000);
  auto stack = stacks(1);
  std::uint64_t ran = 0, asked = 0;
  const samples ns = repeat(s, [&] {
    asked += children;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < children; ++i)
               fibers::fiber(fibers::launch::dispatch, std::allocator_arg, stack, [&] { ++ran; }).join();
           }) /
           static_cast<double>(children);
  });
  print_peer(k_peer, checked(row_of("create", std::string(k_create_case), "ns", ns), ran == asked));
  print_peer(k_peer,
             row_of("create", std::string(k_memory_case), "KB", {memory_each(s.pick(50'000, 10'000))}));
}

// --- wake -----------------------------------------------------------------------------------------

void wake_same(const settings& s) {
  const std::uint64_t rounds = s.pick(1000, 10);
  auto stack = stacks(k_sleepers);
  std::vector<fibers::context*> asleep, to_wake;
  std::vector<fibers::fiber> all;
  bool stop = false;
  std::uint64_t woken = 0, wakes = 0;
  for (std::size_t i = 0; i < k_sleepers; ++i)
    all.emplace_back(std::allocator_arg, stack, [&] {
      while (!stop) {
        asleep.push_back(fibers::context::active());
        fibers::context::active()->suspend();
        ++woken;
      }
    });
  const auto everybody_sleeps = [&] {
    while (asleep.size() < k_sleepers) boost::this_fiber::yield();
    to_wake.swap(asleep);
    asleep.clear();
  };
  fibers::context* self = fibers::context::active();
  const samples ns = repeat(s, [&] {
    double sum = 0;
    for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) {
      everybody_sleeps();
      sum += cpu_ns_of([&] {
        for (auto* f : to_wake) self->schedule(f);
      });
    }
    return sum / static_cast<double>(rounds * k_sleepers);
  });
  everybody_sleeps();
  const bool right = woken == wakes;
  stop = true;
  for (auto* f : to_wake) self->schedule(f);
  for (auto& f : all) f.join();
  print_peer(k_peer, checked(row_of("wake", std::string(k_wake_case), "ns", ns), right));
}

void wake_and_switch(const settings& s) {
  const std::uint64_t rounds = s.pick(500'000, 5000);
  auto stack = stacks(2);
  fibers::context* self = fibers::context::active();
  fibers::context* partner = nullptr;
  bool stop = false;
  std::uint64_t returns = 0, played = 0;
  fibers::fiber other(std::allocator_arg, stack, [&] {
    partner = fibers::context::active();
    while (!stop) {
      partner->schedule(self);
      partner->suspend();
      ++returns;
    }
  });
  self->suspend();
  const samples ns = repeat(s, [&] {
    played += rounds;
    return cpu_ns_of([&] {
             for (std::uint64_t i = 0; i < rounds; ++i) {
               self->schedule(partner);
               self->suspend();
             }
           }) /
           static_cast<double>(2 * rounds);
  });
  const bool right = returns == played;
  stop = true;
  self->schedule(partner);
  other.join();
  print_peer(k_peer, checked(row_of("wake", std::string(k_wake_switch_case), "ns", ns), right));
}

/// Runs body(thread) in a fiber on each of two pinned threads, which spin until it is done.
template <class F>
void on_two_spinning(F body) {
  on_threads(2, [&](unsigned me) {
    bool done = false;
    auto stack = stacks(1);
    fibers::fiber f(std::allocator_arg, stack, [&] {
      body(me);
      done = true;
    });
    while (!done) boost::this_fiber::yield();
    f.join();
  });
}

void wake_other(const settings& s) {
  const std::uint64_t rounds = s.pick(50'000, 1000);
  std::atomic<fibers::context*> on[2] = {};
  std::uint64_t played[2] = {};
  samples ns;
  on_two_spinning([&](unsigned me) {
    fibers::context* self = fibers::context::active();
    on[me].store(self, std::memory_order_release);  // pairs with the acquire below
    while (on[1 - me].load(std::memory_order_acquire) == nullptr) {}
    fibers::context* other = on[1 - me].load(std::memory_order_relaxed);
    if (me == 1) self->suspend();
    const samples mine = repeat(s, [&] {
      return wall_ns_of([&] {
               for (std::uint64_t i = 0; i < rounds; ++i, ++played[me]) {
                 self->schedule(other);
                 self->suspend();
               }
             }) /
             static_cast<double>(2 * rounds);
    });
    if (me == 0) self->schedule(other);
    if (me == 0) ns = mine;
  });
  print_peer(k_peer,
             checked(row_of("wake", std::string(k_wake_other_case), "ns", ns), played[0] == played[1]));
}

/// Measures the calls that wake fibers of the other thread, by the caller's clock.
void wake_far(const settings& s) {
  const std::uint64_t rounds = s.pick(200, 5);
  std::vector<fibers::context*> asleep;
  std::atomic<std::size_t> count{0};
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> woken = 0;
  std::uint64_t wakes = 0;
  samples ns;
  asleep.reserve(k_sleepers);
  on_two_spinning([&](unsigned me) {
    if (me == 1) {
      auto stack = stacks(k_sleepers);
      std::vector<fibers::fiber> all;
      for (std::size_t i = 0; i < k_sleepers; ++i)
        all.emplace_back(std::allocator_arg, stack, [&] {
          while (!stop) {
            asleep.push_back(fibers::context::active());
            count.store(asleep.size(), std::memory_order_release);  // pairs with the acquire below
            fibers::context::active()->suspend();
            ++woken;
          }
        });
      for (auto& f : all) f.join();
      return;
    }
    fibers::context* self = fibers::context::active();
    const auto wake_all = [&] {
      while (count.load(std::memory_order_acquire) < k_sleepers) {}
      std::vector<fibers::context*> to_wake;
      to_wake.swap(asleep);
      asleep.reserve(k_sleepers);
      count.store(0, std::memory_order_relaxed);
      return wall_ns_of([&] {
        for (auto* f : to_wake) self->schedule(f);
      });
    };
    ns = repeat(s, [&] {
      double sum = 0;
      for (std::uint64_t r = 0; r < rounds; ++r, wakes += k_sleepers) sum += wake_all();
      return sum / static_cast<double>(rounds * k_sleepers);
    });
    while (count.load(std::memory_order_acquire) < k_sleepers) {}
    stop = true;
    wake_all();
  });
  print_peer(k_peer,
             checked(row_of("wake", std::string(k_signal_case), "ns", ns), woken == wakes + k_sleepers));
}

void wake(const settings& s) {
  wake_same(s);
  wake_and_switch(s);
  if (allowed_processors().size() < 2) return;
  wake_other(s);
  wake_far(s);
}

// --- exchange -------------------------------------------------------------------------------------

/// Of the fiber that makes it.
class waiter {
 public:
  void wait() { self_->suspend(); }
  void signal() { fibers::context::active()->schedule(self_); }
  static void yield() { boost::this_fiber::yield(); }

 private:
  fibers::context* self_ = fibers::context::active();
};

void exchanges(const settings& s) {
  if (allowed_processors().size() < 2) return;
  for (const exchange_size& size : exchange_sizes(s, exchange_room(k_small_stack_bytes)))
    print_peer(k_peer, exchange_row<waiter>(s, size, [&](std::uint64_t n, auto body) {
                 double ns = 0;
                 start_line begin(2);
                 on_two_spinning([&](unsigned side) {
                   auto stack = stacks(n);
                   std::vector<fibers::fiber> all;
                   begin.arrive();
                   const double took = wall_ns_of([&] {
                     for (std::uint64_t pair = 0; pair < n; ++pair)
                       all.emplace_back(std::allocator_arg, stack, [&, pair] {
                         waiter self;
                         body(side, pair, self);
                       });
                     for (auto& f : all) f.join();
                   });
                   if (side == 0) ns = took;
                 });
                 return ns;
               }));
}

void process_exchanges(const settings& s) {
  if (allowed_processors().size() < 2) return;
  for (const exchange_size& size : exchange_sizes(s, exchange_room(k_small_stack_bytes)))
    print_peer(k_peer,
               process_exchange_row<waiter>(s, size, [](std::uint64_t n, auto begin, auto serve, auto play) {
                 auto stack = stacks(n);
                 std::vector<fibers::fiber> all;
                 begin();
                 return wall_ns_of([&] {
                   all.emplace_back(std::allocator_arg, stack, serve);
                   for (std::uint64_t pair = 0; pair < n; ++pair)
                     all.emplace_back(std::allocator_arg, stack, [&play, pair] {
                       waiter self;
                       play(pair, self);
                     });
                   for (auto& f : all) f.join();
                 });
               }));
}

// --- pingpong -------------------------------------------------------------------------------------

/// Measures pairs of fibers on two threads, each with a channel both ways. The value is the time per message.
row pairs(const settings& s, std::uint64_t n, std::string name) {
  using channel = fibers::buffered_channel<std::uint64_t>;
  const std::uint64_t rounds = std::max<std::uint64_t>(2, s.pick(40'000, 1000) / n);
  struct pair {
    channel ping{2}, pong{2};
  };
  std::vector<std::unique_ptr<pair>> all;
  for (std::uint64_t i = 0; i < n; ++i) all.push_back(std::make_unique<pair>());
  std::atomic<std::uint64_t> wrong{0};
  samples ns;
  on_two_spinning([&](unsigned me) {
    auto stack = stacks(n);
    const auto once = [&] {
      std::vector<fibers::fiber> mine;
      for (auto& p : all)
        mine.emplace_back(std::allocator_arg, stack, [&, one = p.get()] {
          std::uint64_t word = 0;
          for (std::uint64_t i = 0; i < rounds; ++i) {
            if (me == 0) one->ping.push(i);
            (me == 0 ? one->pong : one->ping).pop(word);
            if (word != i) wrong.fetch_add(1, std::memory_order_relaxed);
            if (me == 1) one->pong.push(i);
          }
        });
      for (auto& f : mine) f.join();
    };
    const samples mine = repeat(s, [&] { return wall_ns_of(once) / static_cast<double>(2 * rounds * n); });
    if (me == 0) ns = mine;
  });
  return checked(row_of("pingpong", std::move(name), "ns", ns), wrong == 0);
}

void pingpong(const settings& s) {
  if (allowed_processors().size() < 2) return;
  print_peer(k_peer, pairs(s, 1, std::string(k_pingpong_case)));
  for (const std::uint64_t n : pingpong_fibers(s))
    if (n <= 16'384)
      print_peer(k_peer, point(pairs(s, n, pingpong_fibers_case(n, 8)), k_pingpong_fibers_curve,
                               static_cast<double>(n)));
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  if (a.bench == "yield") yield(a.asked);
  if (a.bench == "create") create(a.asked);
  if (a.bench == "wake") wake(a.asked);
  if (a.bench == "exchange") exchanges(a.asked);
  if (a.bench == k_exchange_processes) process_exchanges(a.asked);
  if (a.bench == "pingpong") pingpong(a.asked);
}
