// Packet pool: bursts of random length of gets, then as many returns, each thread on the pool of its own
// core, as cores do; processor time per get + return, over all threads. And the unbalanced use: one thread
// gets and sends away, the other gives back chains; wall time per packet.

#include <array>
#include <deque>

#include "gossamer/base/random.hpp"
#include "gossamer/fabric/lane.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cold.hpp"

namespace gossamer::bench {
namespace {

using fabric::packet;
using fabric::packet_pool;

constexpr std::size_t k_packet_bytes = 4096;
constexpr double k_budget_ns = 4;

/// Takes and returns packets in bursts of random length. Returns false where the pool had none left.
bool take_bursts(packet_pool& pool, std::uint32_t me, std::uint64_t pairs) {
  std::array<packet*, k_pool_burst> held;
  xoshiro256 random(me);
  for (std::uint64_t done = 0; done < pairs;) {
    const std::uint64_t n = 1 + bounded(random, held.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      held[i] = pool.get();
      if (held[i] == nullptr) return false;
      hand_over(held[i]);  // one packet at a time, as it is used
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      pool.put(*held[i]);
      hand_over(held[i]);
    }
    done += n;
  }
  return true;
}

/// Returns whether the pool has each packet once. Leaves the pool whole.
bool whole(packet_pool& pool) {
  std::vector<packet*> all;
  while (packet* p = pool.get()) all.push_back(p);
  for (packet* p : all) pool.put(*p);
  std::ranges::sort(all);
  return all.size() == pool.capacity() && std::ranges::adjacent_find(all) == all.end();
}

/// Returns a pool for each thread, which have the packets in equal parts.
std::deque<packet_pool> pools_of(unsigned threads) {
  std::deque<packet_pool> pools;
  for (unsigned t = 0; t < threads; ++t)
    pools.emplace_back(static_cast<std::uint16_t>(t), k_pool_packets / threads, k_packet_bytes);
  return pools;
}

row get_and_return(const settings& s, unsigned threads) {
  const std::uint64_t pairs = s.pick(4'000'000, 20'000);
  std::deque<packet_pool> pools = pools_of(threads);
  std::atomic<bool> right = true;
  const samples ns = repeat(s, [&] {
    return cpu_ns_on_threads(threads,
                             [&](unsigned t) {
                               if (!take_bursts(pools[t], t, pairs)) right = false;
                             }) /
           static_cast<double>(pairs * threads);
  });
  for (packet_pool& p : pools)
    if (!whole(p)) right = false;
  const row measured = within(row_of("pool", pool_case(threads), "ns", ns), k_budget_ns);
  return point(checked(measured, right), k_pool_curve, threads);
}

void send_all(packet_pool& pool, fabric::lane& lane, std::uint64_t packets) {
  for (std::uint64_t sent = 0; sent < packets; ++sent) {
    packet* p = nullptr;
    while ((p = pool.get()) == nullptr) {}
    p->bytes = static_cast<std::uint32_t>(sent);
    while (!lane.try_push(*p)) {}
  }
}

/// Returns packets in full batches, as a core returns what it has emptied. Returns whether they came in
/// order.
bool give_back_all(packet_pool& pool, fabric::lane& lane, std::uint64_t packets) {
  fabric::packet_batch batch;
  bool right = true;
  for (std::uint64_t taken = 0; taken < packets; ++taken) {
    packet* p = nullptr;
    while ((p = lane.front()) == nullptr) {}
    lane.pop();
    right &= p->bytes == static_cast<std::uint32_t>(taken);
    batch.push(*p);
    if (batch.full() || taken + 1 == packets) pool.put_batch(batch);
  }
  return right;
}

row get_here_return_there(const settings& s, double line_ns) {
  const std::uint64_t packets = s.pick(1'000'000, 20'000);
  packet_pool pool(0, k_pool_packets, k_packet_bytes);
  fabric::lane lane;
  bool right = true;
  const samples ns = repeat(s, [&] {
    double wall = 0;
    on_threads(2, [&](unsigned t) {
      if (t == 0)
        send_all(pool, lane, packets);
      else
        wall = wall_ns_of([&] { right &= give_back_all(pool, lane, packets); });
    });
    return wall / static_cast<double>(packets);
  });
  return checked(within_lines(row_of("pool", std::string(k_pool_stream_case), "ns", ns), 10, 0.25, line_ns),
                 right);
}

}  // namespace

void pool(const settings& s, const report& out) {
  for (const unsigned threads : thread_counts(s)) out.add(get_and_return(s, threads));
  if (allowed_processors().size() < 2)
    return out.skip("pool", k_pool_stream_case, "two threads that spin need two processors");
  const row line = line_transfer(s, "pool");
  out.add(line);
  out.add(get_here_return_there(s, line.value));
}

void cold_pools(const settings& s, const report& out) {
  struct handle {
    packet_pool& pool;
    packet* get() { return pool.get(); }
    void put(packet* p) { pool.put(*p); }
  };
  for (const unsigned threads : thread_counts(s)) {
    std::deque<packet_pool> pools = pools_of(threads);
    row r = cold_pool<packet>(s, threads, [&](unsigned t) { return handle{pools[t]}; });
    r.checked &= std::ranges::all_of(pools, whole);
    out.add(std::move(r));
  }
}

}  // namespace gossamer::bench
