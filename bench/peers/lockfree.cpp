// boost::lockfree as a packet pool: one stack or queue of free packets that all threads share, of fixed
// size, so that it never allocates.

#include <array>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <memory>

#include "gossamer/base/random.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {
namespace {

namespace lockfree = boost::lockfree;

struct packet;  // never looked into

template <class Pool>
bool take_bursts(Pool& pool, std::uint32_t me, std::uint64_t pairs) {
  std::array<packet*, k_pool_burst> held;
  xoshiro256 random(me);
  for (std::uint64_t done = 0; done < pairs;) {
    const std::uint64_t n = 1 + bounded(random, held.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      if (!pool.pop(held[i])) return false;
    }
    for (std::uint64_t i = 0; i < n; ++i) pool.bounded_push(held[i]);
    done += n;
  }
  return true;
}

packet* number(std::uint64_t i) { return reinterpret_cast<packet*>((i + 1) * 4096); }

/// Whether each packet is there once; the pool is whole again afterwards.
template <class Pool>
bool whole(Pool& pool) {
  std::vector<packet*> all;
  for (packet* p = nullptr; pool.pop(p);) all.push_back(p);
  for (packet* p : all) pool.bounded_push(p);
  std::ranges::sort(all);
  return all.size() == k_pool_packets && std::ranges::adjacent_find(all) == all.end();
}

template <class Pool>
void get_and_return(const settings& s, std::string_view peer) {
  const std::uint64_t pairs = s.pick(1'000'000, 20'000);
  const auto pool = std::make_unique<Pool>();
  for (std::uint64_t i = 0; i < k_pool_packets; ++i) pool->bounded_push(number(i));
  for (const unsigned threads : k_thread_counts) {
    std::atomic<bool> right = true;
    const samples ns = repeat(s, [&] {
      return cpu_ns_on_threads(threads,
                               [&](unsigned t) {
                                 if (!take_bursts(*pool, t, pairs)) right = false;
                               }) /
             static_cast<double>(pairs * threads);
    });
    if (!whole(*pool)) right = false;
    print_peer(peer,
               point(checked(row_of("pool", pool_case(threads), "ns", ns), right), k_pool_curve, threads));
  }
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  using namespace gossamer::bench;
  const peer_arguments a = parse_peer(argc, argv);
  if (a.bench != "pool") return 0;
  using capacity = boost::lockfree::capacity<k_pool_packets>;
  get_and_return<boost::lockfree::stack<packet*, capacity>>(a.asked, "Boost.Lockfree stack");
  get_and_return<boost::lockfree::queue<packet*, capacity>>(a.asked, "Boost.Lockfree queue");
}
