// Matching table: the first comer under a key is stored, the second takes it away. Bursts of keys, each
// thread with a source of its own in one shared table; processor time per operation, over all threads.

#include <array>
#include <memory>

#include "gossamer/message/matching_table.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cold.hpp"

namespace gossamer::bench {
namespace {

using message::match_key;
using message::match_kind;
using message::match_result;
using table = message::matching_table;

struct burst_times {
  double first = 0, second = 0;  // ns of a thread
};

match_key key_of(unsigned thread, std::uint64_t tag) { return {.tag = tag, .source = thread}; }

/// Stores and takes a burst of keys, one by one. Returns false where a key did not meet the
/// right value.
bool one_by_one(table& t, unsigned thread, std::uint64_t tag, std::uint64_t keys_of_burst,
                burst_times& took) {
  std::uint64_t good = 0;
  took.first += cpu_ns_of([&] {
    for (std::uint64_t k = tag; k < tag + keys_of_burst; ++k)
      good += t.match(key_of(thread, k), match_kind::send, &t).what == match_result::status::stored;
  });
  took.second += cpu_ns_of([&] {
    for (std::uint64_t k = tag; k < tag + keys_of_burst; ++k)
      good += t.match(key_of(thread, k), match_kind::receive, &took).value == &t;
  });
  return good == 2 * keys_of_burst;
}

/// Does the same as one_by_one(), with 64 keys in a call.
bool batched(table& t, unsigned thread, std::uint64_t tag, std::uint64_t keys_of_burst, burst_times& took) {
  constexpr std::size_t k_batch = 64;
  std::array<match_key, k_batch> keys;
  std::array<match_result, k_batch> results;
  std::array<void*, k_batch> values;
  values.fill(&t);
  std::uint64_t good = 0;
  const auto all = [&](match_kind kind, const match_result& expected) {
    return cpu_ns_of([&] {
      for (std::uint64_t k = tag; k < tag + keys_of_burst; k += k_batch) {
        for (std::size_t i = 0; i < k_batch; ++i) keys[i] = key_of(thread, k + i);
        t.match(keys, kind, values, results);
        for (const match_result& r : results) good += r == expected;
      }
    });
  };
  took.first += all(match_kind::send, {match_result::status::stored, nullptr});
  took.second += all(match_kind::receive, {match_result::status::matched, &t});
  return good == 2 * keys_of_burst;
}

struct measured {
  samples first, second, both;
  bool right = true;
};

template <class Burst>
measured measure(const settings& s, unsigned threads, Burst burst) {
  const std::uint64_t bursts = s.pick(200, 2), keys = matching_burst(threads);
  const auto t = std::make_unique<table>(k_matching_slots);
  measured m;
  std::uint64_t tag = 0;
  std::atomic<bool> right = true;
  for (unsigned r = 0; r <= s.repeats; ++r, tag += bursts * keys) {
    std::vector<burst_times> took(threads);
    on_threads(threads, [&](unsigned me) {
      for (std::uint64_t b = 0; b < bursts; ++b)
        if (!burst(*t, me, tag + b * keys, keys, took[me])) right = false;
    });
    if (r == 0) continue;  // warms up
    burst_times sum;
    for (const burst_times& one : took) sum.first += one.first, sum.second += one.second;
    const auto operations = static_cast<double>(bursts * keys * threads);
    m.first.push_back(sum.first / operations);
    m.second.push_back(sum.second / operations);
    m.both.push_back((sum.first + sum.second) / (2 * operations));
  }
  m.right = right;
  return m;
}

void with_threads(const settings& s, const report& out, unsigned threads, double line_ns) {
  const measured m = measure(s, threads, one_by_one);
  const auto add = [&](const std::string& name, std::string_view curve, const samples& values, bool budget) {
    row r = checked(point(row_of("matching", name, "ns", values), curve, threads), m.right);
    if (budget && threads == 1) r = within(r, 12);
    if (budget && threads == 2) r = within_lines(r, 12, 0.15, line_ns);
    out.add(r);
  };
  add(matching_case(threads), k_matching_curve, m.both, true);
  add(first_case(threads), k_first_curve, m.first, false);
  add(second_case(threads), k_second_curve, m.second, false);
}

}  // namespace

void matching(const settings& s, const report& out) {
  const row line = line_transfer(s, "matching");
  out.add(line);
  for (const unsigned threads : thread_counts(s)) with_threads(s, out, threads, line.value);
  const measured m = measure(s, 1, batched);
  out.add(
      checked(within(row_of("matching", std::string(k_matching_batched_case), "ns", m.both), 9), m.right));
}

void cold_matchings(const settings& s, const report& out) {
  for (const unsigned threads : thread_counts(s)) {
    const auto t = std::make_unique<table>(k_matching_slots);
    cold_matching(
        s, threads,
        [&](unsigned thread, std::uint64_t k) {
          return t->match(key_of(thread, k), match_kind::send, t.get()).what == match_result::status::stored;
        },
        [&](unsigned thread, std::uint64_t k) {
          return t->match(key_of(thread, k), match_kind::receive, t.get()).value == t.get();
        },
        [&](row r) { out.add(std::move(r)); });
  }
}

}  // namespace gossamer::bench
