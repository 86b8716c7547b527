#pragma once
// The protocol of the matching table on a general map: the first to come inserts (key, address); the one that
// comes second finds that insert fails, and erases. Threads have keys of their own, in bursts, so that the
// map holds as much as the table does in `gossamer bench matching`. The Map is a class with
//   bool insert(std::uint64_t key, void* value)   and   void* take(std::uint64_t key)

#include "gossamer/base/random.hpp"
#include "micro/cold.hpp"
#include "peers/peer.hpp"

namespace gossamer::bench {

template <class Map>
void run_matching(std::string_view peer, const settings& s) {
  const std::uint64_t bursts = s.pick(100, 2);
  for (const unsigned threads_now : thread_counts(s)) {
    const std::uint64_t burst = matching_burst(threads_now);
    Map map;
    std::atomic<bool> right = true;
    samples first, second, both;
    std::uint64_t base = 0;
    repeat(s, [&] {
      std::vector<double> ns_first(threads_now), ns_second(threads_now);
      on_threads(threads_now, [&](unsigned t) {
        for (std::uint64_t b = 0; b < bursts; ++b) {
          const std::uint64_t from = matching_key(t, base + b * burst);
          std::uint64_t good = 0;
          ns_first[t] += cpu_ns_of([&] {
            for (std::uint64_t k = 0; k < burst; ++k) good += map.insert(from + k, &map);
          });
          ns_second[t] += cpu_ns_of([&] {
            for (std::uint64_t k = 0; k < burst; ++k)
              if (!map.insert(from + k, &right)) good += map.take(from + k) == &map;
          });
          if (good != 2 * burst) right = false;
        }
      });
      const auto operations = static_cast<double>(bursts * burst * threads_now);
      const auto mean = [&](const std::vector<double>& ns) {
        double sum = 0;
        for (const double x : ns) sum += x;
        return sum / operations;
      };
      base += bursts * burst;
      first.push_back(mean(ns_first));
      second.push_back(mean(ns_second));
      both.push_back((first.back() + second.back()) / 2);
      return both.back();
    });
    const auto print = [&](std::string name, std::string_view curve, samples values) {
      values.erase(values.begin());  // the warm-up
      print_peer(
          peer, point(checked(row_of("matching", std::move(name), "ns", values), right), curve, threads_now));
    };
    print(matching_case(threads_now), k_matching_curve, both);
    print(first_case(threads_now), k_first_curve, first);
    print(second_case(threads_now), k_second_curve, second);
  }
}

template <class Map>
void run_cold_matching(std::string_view peer, const settings& s) {
  for (const unsigned threads_now : thread_counts(s)) {
    Map map;
    int other = 0;
    cold_matching(
        s, threads_now,
        [&](unsigned thread, std::uint64_t k) { return map.insert(matching_key(thread, k), &map); },
        [&](unsigned thread, std::uint64_t k) {
          const std::uint64_t key = matching_key(thread, k);
          return !map.insert(key, &other) && map.take(key) == &map;
        },
        [&](const row& r) { print_peer(peer, r); });
  }
}

/// Runs what the arguments ask of tables.
template <class Map>
void run_matchings(std::string_view peer, const peer_arguments& a) {
  if (a.bench == "matching") run_matching<Map>(peer, a.asked);
  if (a.bench == "matching-cold") run_cold_matching<Map>(peer, a.asked);
}

}  // namespace gossamer::bench
