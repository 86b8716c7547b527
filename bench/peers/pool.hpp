#pragma once
// A concurrent container as a packet pool: all threads share one, which holds every free packet from the
// start. Each takes bursts of random length and returns them, as in `gossamer bench pool`. The packets are
// numbers that look like addresses: nothing looks into them. A Pool has
//   Pool(std::size_t capacity)   and   class handle, of one thread: handle(Pool&), bool get(packet*&), void
//   put(packet*)

#include <array>

#include "gossamer/base/random.hpp"
#include "micro/cold.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {

struct packet;
inline packet* packet_number(std::uint64_t i) { return reinterpret_cast<packet*>((i + 1) * 4096); }

template <class Handle>
bool take_bursts(Handle& pool, std::uint32_t me, std::uint64_t pairs) {
  std::array<packet*, k_pool_burst> held;
  xoshiro256 random(me);
  for (std::uint64_t done = 0; done < pairs;) {
    const std::uint64_t n = 1 + bounded(random, held.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      if (!pool.get(held[i])) return false;
      hand_over(held[i]);
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      pool.put(held[i]);
      hand_over(held[i]);
    }
    done += n;
  }
  return true;
}

/// Returns whether the pool holds each packet once. Empties the pool for that and fills it again.
template <class Handle>
bool whole(Handle pool) {
  std::vector<packet*> all;
  for (packet* p = nullptr; pool.get(p);) all.push_back(p);
  for (packet* p : all) pool.put(p);
  std::ranges::sort(all);
  return all.size() == k_pool_packets && std::ranges::adjacent_find(all) == all.end();
}

template <class Pool>
void run_pool(std::string_view peer, const settings& s) {
  using handle = typename Pool::handle;
  const std::uint64_t pairs = s.pick(1'000'000, 20'000);
  const auto pool = std::make_unique<Pool>(k_pool_packets);
  for (std::uint64_t i = 0; i < k_pool_packets; ++i) handle(*pool).put(packet_number(i));
  for (const unsigned threads : thread_counts(s)) {
    std::atomic<bool> right = true;
    const samples ns = repeat(s, [&] {
      return cpu_ns_on_threads(threads,
                               [&](unsigned t) {
                                 handle mine(*pool);
                                 if (!take_bursts(mine, t, pairs)) right = false;
                               }) /
             static_cast<double>(pairs * threads);
    });
    if (!whole(handle(*pool))) right = false;
    print_peer(peer,
               point(checked(row_of("pool", pool_case(threads), "ns", ns), right), k_pool_curve, threads));
  }
}

template <class Pool>
void run_cold_pool(std::string_view peer, const settings& s) {
  using handle = typename Pool::handle;
  struct taker {
    handle mine;
    packet* get() {
      packet* p = nullptr;
      return mine.get(p) ? p : nullptr;
    }
    void put(packet* p) { mine.put(p); }
  };
  const auto pool = std::make_unique<Pool>(k_pool_packets);
  for (std::uint64_t i = 0; i < k_pool_packets; ++i) handle(*pool).put(packet_number(i));
  for (const unsigned threads : thread_counts(s)) {
    row r = cold_pool<packet>(s, threads, [&](unsigned) { return taker{handle(*pool)}; });
    r.checked &= whole(handle(*pool));
    print_peer(peer, r);
  }
}

/// Runs what the arguments ask of pools.
template <class Pool>
void run_pools(std::string_view peer, const peer_arguments& a) {
  if (a.bench == "pool") run_pool<Pool>(peer, a.asked);
  if (a.bench == "pool-cold") run_cold_pool<Pool>(peer, a.asked);
}

}  // namespace gossamer::bench
