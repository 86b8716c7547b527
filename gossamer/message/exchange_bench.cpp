// Exchange: pairs of fibers on two cores that meet in one matching table (micro/exchange.hpp). Wall time, by core 0, from the start
// of the fibers to their end.

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

 private:
  fiber::fiber* fiber_ = this_core().running();
};

}  // namespace

void exchanges(const settings& s, const report& out) {
  constexpr std::uint64_t k_place_bytes = 512;  // of a pair: its places, its messages, its part of the table
  out.add(line_transfer(s, "exchange"));
  for (const exchange_size& size : exchange_sizes(s, ~0ULL)) {
    if (!out.room_for(size.pairs * (2 * k_fiber_bytes + k_place_bytes), "exchange", exchange_case(size)))
      continue;
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
}

}  // namespace gossamer::bench
