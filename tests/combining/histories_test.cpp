// Every structure answers as if its operations had happened one after the other (support/linearizability).

#include "histories.hpp"

#include "gossamer/combining/counter.hpp"
#include "gossamer/combining/queue.hpp"
#include "gossamer/combining/stack.hpp"

namespace gossamer {
namespace {

using namespace test;

constexpr std::uint64_t k_simulated = 2000, k_threads = 50;

struct count_something {
  void operator()(lin::fiber_log& log, counter c, std::uint64_t draw, std::uint64_t number) const {
    if (draw % 5 == 0)
      (void)log.call(lin::read(), [&] { return static_cast<std::uint64_t>(c.read()); });
    else
      (void)log.call(lin::fetch_add(number + 1), [&] {
        return static_cast<std::uint64_t>(c.fetch_add(static_cast<std::int64_t>(number + 1)));
      });
  }
};

/// Pushes and pops, in a share that the first bits say.
struct push_or_pop {
  void operator()(lin::fiber_log& log, stack<std::uint64_t> s, std::uint64_t draw,
                  std::uint64_t number) const {
    if (draw % 100 < 50)
      log.call(lin::push(number + 1), [&] { s.push(number + 1); });
    else
      (void)log.call(lin::pop(), [&] { return s.pop(); });
  }
};
struct enqueue_or_dequeue {
  void operator()(lin::fiber_log& log, queue<std::uint64_t> q, std::uint64_t draw,
                  std::uint64_t number) const {
    if (draw % 100 < 50)
      log.call(lin::enqueue(number + 1), [&] { q.enqueue(number + 1); });
    else
      (void)log.call(lin::dequeue(), [&] { return q.dequeue(); });
  }
};

class Histories : public ::testing::TestWithParam<combine> {};
INSTANTIATE_TEST_SUITE_P(Combining, Histories,
                         ::testing::Values(combine::off, combine::master, combine::local, combine::both),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(Histories, OfCountersSimulated) {
  check_simulated<scoped_counter>(lin::structure::counter, GetParam(), k_simulated, count_something{});
}
TEST_P(Histories, OfCountersOnThreads) {
  check_threads<scoped_counter>(lin::structure::counter, GetParam(), k_threads, count_something{});
}
TEST_P(Histories, OfStacksSimulated) {
  check_simulated<scoped_stack<std::uint64_t>>(lin::structure::stack, GetParam(), k_simulated, push_or_pop{});
}
TEST_P(Histories, OfStacksOnThreads) {
  check_threads<scoped_stack<std::uint64_t>>(lin::structure::stack, GetParam(), k_threads, push_or_pop{});
}
TEST_P(Histories, OfQueuesSimulated) {
  check_simulated<scoped_queue<std::uint64_t>>(lin::structure::queue, GetParam(), k_simulated,
                                               enqueue_or_dequeue{});
}
TEST_P(Histories, OfQueuesOnThreads) {
  check_threads<scoped_queue<std::uint64_t>>(lin::structure::queue, GetParam(), k_threads,
                                             enqueue_or_dequeue{});
}

}  // namespace
}  // namespace gossamer
