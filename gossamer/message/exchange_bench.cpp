// Exchange: pairs of fibers on two cores that meet in one matching table, or in two processes of one core (micro/exchange.hpp). Wall
// time, by core 0, from the start of the fibers to their end.

#include "micro/exchange.hpp"

#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/loop.hpp"
#include "micro/benches.hpp"
#include "micro/fibers.hpp"

namespace gossamer::bench {
namespace {

/// Of the fiber that makes it. A signal may come before the fiber waits: its core looks at wakes when the fiber has gone.
class waiter {
 public:
  void wait() { fiber_->home->suspend("a message"); }
  void signal() { fiber_->home->wake_from_anywhere(*fiber_); }
  static void yield() { gossamer::yield(); }

 private:
  fiber::fiber* fiber_ = this_core().running();
};

/// Returns the sizes that memory has room for.
std::vector<exchange_size> sizes_with_room(const settings& s, const report& out, std::string_view bench) {
  constexpr std::uint64_t k_place_bytes = 512;  // of a pair: its places, its messages, its part of a table
  std::vector<exchange_size> all = exchange_sizes(s, ~0ULL);
  std::erase_if(all, [&](const exchange_size& size) {
    return !out.room_for(size.pairs * (2 * k_fiber_bytes + k_place_bytes), bench, exchange_case(size));
  });
  return all;
}

}  // namespace

void exchanges(const settings& s, const report& out) {
  out.add(line_transfer(s, "exchange"));
  for (const exchange_size& size : sizes_with_room(s, out, "exchange"))
    out.add(exchange_row<waiter>(s, size, [&](std::uint64_t n, auto body) {
      double ns = 0;
      run(fiber_job(2, n), [&] {
        const auto both = [&body, n] {
          const unsigned side = here();
          std::vector<joinable<void>> fibers;
          for (std::uint64_t pair = 0; pair < n; ++pair)
            fibers.push_back(start(
                [&body, side, pair] {
                  waiter self;
                  body(side, pair, self);
                },
                stacks_for(n)));
          for (auto& f : fibers) f.join();
        };
        ns = wall_ns_of([&] { local::on_all_cores([both = &both] { (*both)(); }); });
      });
      return ns;
    }));
}

void process_exchanges(const settings& s, const report& out) {
  if (allowed_processors().size() < 2)
    return out.skip(k_exchange_processes, "all", "needs two processors, one for each process");
  out.add(line_transfer(s, k_exchange_processes));
  for (const exchange_size& size : sizes_with_room(s, out, k_exchange_processes))
    out.add(process_exchange_row<waiter>(s, size, [](std::uint64_t n, auto begin, auto serve, auto play) {
      double ns = 0;
      run(fiber_job(1, n), [&] {
        begin();
        ns = wall_ns_of([&] {
          std::vector<joinable<void>> fibers;
          fibers.push_back(start([&serve] { serve(); }));
          for (std::uint64_t pair = 0; pair < n; ++pair)
            fibers.push_back(start(
                [&play, pair] {
                  waiter self;
                  play(pair, self);
                },
                stacks_for(n)));
          for (auto& f : fibers) f.join();
        });
      });
      return ns;
    }));
}

}  // namespace gossamer::bench
