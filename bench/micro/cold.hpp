#pragma once
// What a shared container costs threads that find nothing of it in their caches, as the paper on communicating threads measures its
// pool and its hash table: 1,000 runs, before each of which the caches are emptied. A run is a sample of each thread, and rows have
// their quartiles. Wall time, so that a run that loses its processor counts as it is; the median hardly moves by that.

#include <array>
#include <chrono>
#include <cstddef>
#include <thread>

#include "gossamer/base/random.hpp"
#include "micro/cases.hpp"

namespace gossamer::bench {

/// More than the private caches of the processors that this was written for have. A last level of hundreds of MiB keeps what was in it.
inline constexpr std::size_t k_flush_bytes = std::size_t{32} << 20;

inline void touch(std::vector<std::byte>& bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 64) bytes[i] ^= std::byte{1};
  hand_over(bytes.data());
}

/// Returns the N samples of each run of each thread. once(thread, run) is called by all threads at a time, with emptied caches.
template <std::size_t N, class Once>
std::array<samples, N> cold_runs(const settings& s, unsigned threads, Once once) {
  const unsigned runs = s.pick(1000U, 5U);
  std::vector<std::vector<std::array<double, N>>> of(threads);
  start_line line(threads);
  on_threads(threads, [&](unsigned t) {
    std::vector<std::byte> other(t < allowed_processors().size() ? s.pick(k_flush_bytes, std::size_t{1} << 20)
                                                                 : 0);
    of[t].reserve(runs);
    for (unsigned run = 0; run < runs; ++run) {
      touch(other);
      line.arrive();
      of[t].push_back(once(t, run));
      line.arrive();  // no cache is emptied while others still measure
    }
  });
  std::array<samples, N> all;
  for (const auto& mine : of)
    for (const auto& one : mine)
      for (std::size_t i = 0; i < N; ++i) all[i].push_back(one[i]);
  return all;
}

/// Takes a random number of packets, sleeps for a moment and returns them. Returns the time of a packet, or none where the pool did
/// not give them. No thread asks for more than its part of the packets.
template <class Packet, class Get, class Put>
double cold_burst(xoshiro256& random, std::vector<Packet*>& held, Get get, Put put) {
  constexpr unsigned k_most_tries = 1000, k_most_sleep_us = 50;
  const std::uint64_t n = 1 + bounded(random, held.size());
  std::ranges::fill(held, nullptr);
  bool right = true;
  double ns = wall_ns_of([&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      for (unsigned tries = 0; tries < k_most_tries && held[i] == nullptr; ++tries) held[i] = get();
      right &= held[i] != nullptr;
      hand_over(held[i]);
    }
  });
  std::this_thread::sleep_for(std::chrono::microseconds(bounded(random, k_most_sleep_us)));
  ns += wall_ns_of([&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      if (held[i] != nullptr) put(held[i]);
      hand_over(held[i]);
    }
  });
  return right ? ns / static_cast<double>(n) : k_none;
}

/// Measures a pool. handle_of(thread) returns what the thread calls get() and put(packet) of; it is made in each run, by that thread.
template <class Packet, class HandleOf>
row cold_pool(const settings& s, unsigned threads, HandleOf handle_of) {
  const auto [ns] = cold_runs<1>(s, threads, [&, threads](unsigned t, unsigned run) {
    xoshiro256 random(std::uint64_t{run} << 8 | t);  // the same for every library
    std::vector<Packet*> held(k_pool_packets / threads);
    auto&& handle = handle_of(t);
    return std::array{
        cold_burst(random, held, [&] { return handle.get(); }, [&](Packet* p) { handle.put(p); })};
  });
  const bool right = std::ranges::all_of(ns, [](double x) { return std::isfinite(x); });
  return point(checked(box_of("pool-cold", pool_case(threads), "ns", ns), right), k_cold_pool_curve, threads);
}

/// Measures a table: insert(key) of keys that are not there, and take(key), an insert that fails and the erase. Each returns whether
/// it was right. Passes the two rows to add().
template <class Insert, class Take, class Add>
void cold_matching(const settings& s, unsigned threads, Insert insert, Take take, Add add) {
  constexpr std::uint64_t k_keys = 1024;  // of a thread in a run: all have room
  std::atomic<bool> right = true;
  const auto ns = cold_runs<2>(s, threads, [&](unsigned t, unsigned run) {
    const std::uint64_t from = std::uint64_t{run} * k_keys;
    std::uint64_t good = 0;
    const auto each = [&](auto call) {
      return wall_ns_of([&] {
               for (std::uint64_t k = from; k < from + k_keys; ++k) good += call(t, k) ? 1 : 0;
             }) /
             static_cast<double>(k_keys);
    };
    const double first = each(insert), second = each(take);
    if (good != 2 * k_keys) right = false;
    return std::array{first, second};
  });
  const auto row_for = [&](std::string name, std::string_view curve, const samples& values) {
    add(point(checked(box_of("matching-cold", std::move(name), "ns", values), right), curve, threads));
  };
  row_for(first_case(threads), k_cold_first_curve, ns[0]);
  row_for(second_case(threads), k_cold_second_curve, ns[1]);
}

}  // namespace gossamer::bench
