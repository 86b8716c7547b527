// Combining counter: many fibers draw numbered tickets from one counter. Requests that wait on the same core
// travel as one message, so the home core of the counter is no bottleneck.
//   ticket_counter [TICKETS]
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <gossamer/gossamer.hpp>

namespace gs = gossamer;

int main(int argc, char** argv) {
  const std::uint64_t tickets = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  return gs::run(argc, argv, [tickets] {
    const gs::scoped_counter counter;
    const gs::scoped_array<std::uint8_t> drawn(tickets);
    gs::forall(0, tickets, [counter = counter.handle(), drawn = drawn.handle()](std::uint64_t) {
      const auto ticket = static_cast<std::uint64_t>(counter.fetch_add(1));
      drawn.async(ticket, [](std::uint8_t& times) { ++times; });
    });
    const gs::scoped_per_core<std::uint64_t> right;
    gs::forall(drawn.handle(), [right = right.handle()](std::uint8_t& times) { right.here() += times == 1; });
    gs::print("{} of {} tickets were drawn exactly once\n", right.fold(std::uint64_t{0}, std::plus<>()),
              tickets);
  });
}
