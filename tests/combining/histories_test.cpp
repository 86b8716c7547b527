// Every structure answers as if its operations had happened one after the other (support/linearizability).

#include "combining/operations.hpp"

namespace gossamer {
namespace {

using namespace test;

constexpr bool k_sanitized = k_address_sanitizer || k_thread_sanitizer;
constexpr std::uint64_t k_simulated = k_sanitized ? 100 : 200, k_threads = k_sanitized ? 20 : 50;

class Histories : public ::testing::TestWithParam<combine> {};
INSTANTIATE_TEST_SUITE_P(Combining, Histories,
                         ::testing::Values(combine::off, combine::home, combine::local, combine::both,
                                           combine::automatic),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(Histories, OfCountersSimulated) {
  check_simulated<scoped_counter>(lin::structure::counter, GetParam(), k_simulated, count_something{});
}
TEST_P(Histories, OfCountersOnThreads) {
  check_threads<scoped_counter>(lin::structure::counter, GetParam(), k_threads, count_something{});
}
TEST(HistoriesOfMemory, OfElementsSimulated) {
  check_simulated<scoped_element>(lin::structure::counter, combine::off, k_simulated, count_in_element{});
}
TEST(HistoriesOfMemory, OfElementsOnThreads) {
  check_threads<scoped_element>(lin::structure::counter, combine::off, k_threads, count_in_element{});
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

TEST_P(Histories, OfPriorityQueuesSimulated) {
  check_simulated<scoped_priority_queue<std::uint64_t>>(lin::structure::priority_queue, GetParam(),
                                                        k_simulated, push_or_pop_smallest{});
}
TEST_P(Histories, OfPriorityQueuesOnThreads) {
  check_threads<scoped_priority_queue<std::uint64_t>>(lin::structure::priority_queue, GetParam(), k_threads,
                                                      push_or_pop_smallest{});
}

TEST_P(Histories, OfSetsSimulated) {
  check_simulated<scoped_hash_set<std::uint64_t>>(lin::structure::set, GetParam(), k_simulated, use_set{});
}
TEST_P(Histories, OfSetsOnThreads) {
  check_threads<scoped_hash_set<std::uint64_t>>(lin::structure::set, GetParam(), k_threads, use_set{});
}
TEST_P(Histories, OfSetsThatGrowSimulated) {
  check_simulated<scoped_hash_set<std::uint64_t>>(lin::structure::set, GetParam(), k_simulated / 10,
                                                  grow_set{}, growing_history_of);
}
TEST_P(Histories, OfMapsSimulated) {
  check_simulated<scoped_hash_map<std::uint64_t, std::uint64_t>>(lin::structure::map, GetParam(), k_simulated,
                                                                 use_map{});
}
TEST_P(Histories, OfMapsOnThreads) {
  check_threads<scoped_hash_map<std::uint64_t, std::uint64_t>>(lin::structure::map, GetParam(), k_threads,
                                                               use_map{});
}

}  // namespace
}  // namespace gossamer
