#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <unordered_map>

#include "examples/peers.hpp"
#include "gossamer/base/random.hpp"

namespace example_peers {
namespace {

using gossamer::hash64;

// Adds 1 to the element of each of n hashes, on all threads.
std::vector<std::uint64_t> count_hashes(std::uint64_t n, std::uint64_t bins) {
  std::vector<std::uint64_t> counts(bins);
#pragma omp parallel for
  for (std::uint64_t i = 0; i < n; ++i) {
#pragma omp atomic
    ++counts[hash64(i) % bins];
  }
  return counts;
}

}  // namespace

void histogram(const arguments& given) {
  const std::uint64_t n = given.number(0, 10'000'000);
  const std::vector<std::uint64_t> bins = count_hashes(n, 1000);
  const auto [least, most] = std::ranges::minmax(bins);
  std::printf("%lu values in %zu bins, %lu to %lu in each\n", n, bins.size(), least, most);
}

// Counts the visits of the threads of a program that submits calls: 50,000 each.
void embed(const arguments& given) {
  const std::uint64_t visitors = given.number(0, 4);
  std::uint64_t total = 0;
  for (std::uint64_t t = 0; t < visitors; ++t)
    for (const std::uint64_t count : count_hashes(50'000, 1000)) total += count;
  std::printf("%lu visits by %lu threads\n", total, visitors);
}

void word_count(const arguments& given) {
  std::ifstream file(given.text(0));
  std::unordered_map<std::string, std::uint64_t> counts;
  for (std::string word; file >> word;) ++counts[word];
  std::vector<std::pair<std::uint64_t, std::string>> ranked;
  for (const auto& [word, count] : counts) ranked.emplace_back(~count, word);
  std::ranges::sort(ranked);
  ranked.resize(std::min<std::size_t>(ranked.size(), 10));
  for (const auto& [count, word] : ranked) std::printf("%lu %s\n", ~count, word.c_str());
}

void hash_join(const arguments& given) {
  const std::uint64_t orders = given.number(0, 2'000'000), customers = orders / 10 + 1;
  std::unordered_map<std::uint64_t, std::uint64_t> region_of;
  for (std::uint64_t c = 0; c < customers; ++c)
    if (c % 5 != 0) region_of.emplace(c, c % 4);
  std::uint64_t sold[5] = {};  // the last one: customers that are not known
#pragma omp parallel for reduction(+ : sold)
  for (std::uint64_t i = 0; i < orders; ++i) {
    const auto found = region_of.find(7 * i % customers);
    sold[found == region_of.end() ? 4 : found->second] += i % 100;
  }
  for (int r = 0; r < 4; ++r) std::printf("region %d: %lu\n", r, sold[r]);
  std::printf("customers that are not known: %lu\n", sold[4]);
}

void key_value_store(const arguments& given) {
  struct account {
    std::int64_t balance = 0;
    std::uint64_t bookings = 0;
  };
  const std::uint64_t clients = given.number(0, 10'000), requests = given.number(1, 100),
                      accounts = clients / 10 + 1;
  std::unordered_map<std::string, account> store;
  std::mutex lock;
  std::uint64_t unseen = 0;
  const auto book = [&](const std::string& name, std::int64_t amount) {
    const std::lock_guard guard(lock);
    account& a = store[name];
    a.balance += amount, ++a.bookings;
  };
#pragma omp parallel for reduction(+ : unseen)
  for (std::uint64_t client = 0; client < clients; ++client)
    for (std::uint64_t k = 0; k < requests; ++k) {
      const std::uint64_t some = hash64(client, k);
      const std::string to = "account " + std::to_string((some + 1) % accounts);
      book("account " + std::to_string(some % accounts), -static_cast<std::int64_t>(some % 100));
      book(to, static_cast<std::int64_t>(some % 100));
      const std::lock_guard guard(lock);
      unseen += store.count(to) == 0;
    }
  account all;
  for (const auto& [name, a] : store) all.balance += a.balance, all.bookings += a.bookings;
  std::printf("%lu bookings, %ld in all, %lu not seen\n", all.bookings, all.balance, unseen);
}

void ticket_counter(const arguments& given) {
  const std::uint64_t tickets = given.number(0, 1'000'000);
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::uint8_t> drawn(tickets);
#pragma omp parallel for
  for (std::uint64_t i = 0; i < tickets; ++i) ++drawn[next.fetch_add(1, std::memory_order_relaxed)];
  std::printf("%ld of %lu tickets were drawn exactly once\n", std::ranges::count(drawn, 1), tickets);
}

}  // namespace example_peers
