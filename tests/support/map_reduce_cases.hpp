#pragma once
// MapReduce jobs held against std::map: for jobs of one process and of several, by each engine. By the main fiber. Failures
// name the job and the seed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "support/map_reduce_results.hpp"

namespace gossamer::test {

/// A word of element i, by a steep distribution: one word has two fifths of the elements, many have one. Each
/// seventeenth is too long for a slot.
class drawn_word {
 public:
  drawn_word(std::uint64_t seed, std::uint64_t i) {
    const std::uint64_t draw = hash64(i ^ seed);
    const std::uint64_t n = draw % 5 < 2 ? 0 : hash64(draw) % (1 + draw / 5 % 5000);
    size_ = static_cast<std::size_t>(
        std::snprintf(text_, sizeof text_, "w%llu", static_cast<unsigned long long>(n)));
    if (n % 17 == 3) {
      std::memset(text_ + size_, 'x', 8 + n % 60);
      size_ += 8 + n % 60;
    }
  }
  std::string_view text() const { return {text_, size_}; }

 private:
  char text_[100];
  std::size_t size_;
};

/// What a group's values are reduced to: the same for any order of them.
struct summary {
  std::uint64_t count = 0, sum = 0, least = ~std::uint64_t{0};

  void add(std::uint64_t value) {
    ++count;
    sum += value;
    least = std::min(least, value);
  }
  friend bool operator==(const summary&, const summary&) = default;
};

template <class Map>
auto first_by_value(const Map& counts, std::size_t k) {
  std::vector<std::pair<typename Map::key_type, typename Map::mapped_type>> best(counts.begin(),
                                                                                 counts.end());
  std::ranges::stable_sort(best, [](const auto& a, const auto& b) { return a.second > b.second; });
  best.resize(std::min(best.size(), k));
  return best;
}

inline testing::Message job_of(std::uint64_t n, engine by, std::uint64_t seed) {
  return testing::Message() << n << " elements on " << cores() << " cores, "
                            << (by == engine::hybrid ? "hybrid" : "messages") << ", seed " << seed;
}

/// Counts words.
inline void check_word_counts(std::uint64_t n, engine by, std::uint64_t seed) {
  SCOPED_TRACE(job_of(n, by, seed));
  std::map<std::string, std::uint64_t, std::less<>> expected;
  for (std::uint64_t i = 0; i < n; ++i) ++expected[std::string(drawn_word(seed, i).text())];
  map_reduce_statistics what;
  const auto found = map_reduce<std::string_view, std::uint64_t>(
      count_input(n), [seed](std::uint64_t i, auto& out) { out.emit(drawn_word(seed, i).text(), 1); },
      std::plus<>{}, {.progress = {}, .statistics = &what, .engine = by});
  expect_result(found, expected);
  EXPECT_EQ(found.top(5), first_by_value(expected, 5));
  EXPECT_EQ(what.emitted, n);
  EXPECT_GE(what.combined, expected.size());
  EXPECT_LE(what.combined, std::min<std::uint64_t>(n, expected.size() * cores()));
}

/// Combines by the minimum, over integers from 0 to `keys` - 1, of which those of rest 3 to 7 do not occur.
inline void check_dense_keys(std::uint64_t n, std::uint64_t keys, engine by, std::uint64_t seed) {
  SCOPED_TRACE(job_of(n, by, seed) << ", " << keys << " dense keys");
  std::map<std::uint32_t, std::uint64_t> expected;
  const auto key_of = [keys, seed](std::uint64_t i) {
    const auto k = static_cast<std::uint32_t>(hash64(i + seed) % keys);
    return k % 7 == 3 ? k - 1 : k;
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto at = expected.try_emplace(key_of(i), hash64(i)).first;
    at->second = std::min(at->second, hash64(i));
  }
  map_reduce_statistics what;
  const auto found = map_reduce<std::uint32_t, std::uint64_t>(
      count_input(n), dense_keys{keys},
      [key_of](std::uint64_t i, auto& out) { out.emit(key_of(i), hash64(i)); },
      [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); },
      {.progress = {}, .statistics = &what, .engine = by});
  expect_result(found, expected);
  EXPECT_EQ(what.emitted, what.combined);  // emissions are not counted
}

/// Groups the numbers of each word; reduces by a function that walks them.
inline void check_groups(std::uint64_t n, engine by, std::uint64_t seed) {
  SCOPED_TRACE(job_of(n, by, seed) << ", grouped");
  std::map<std::string, summary, std::less<>> expected;
  for (std::uint64_t i = 0; i < n; ++i) expected[std::string(drawn_word(seed, i).text())].add(hash64(i));
  const auto found = map_group_reduce<std::string_view, std::uint64_t>(
      count_input(n), [seed](std::uint64_t i, auto& out) { out.emit(drawn_word(seed, i).text(), hash64(i)); },
      [](std::string_view, std::span<const std::uint64_t> values) {
        summary all;
        for (const std::uint64_t v : values) all.add(v);
        return all;
      },
      {.progress = {}, .engine = by});
  expect_result(found, expected);
}

/// Checks each kind of container by each engine.
inline void check_containers(std::uint64_t seed) {
  for (const engine by : k_engines)
    for (const std::uint64_t n : {0, 1, 30'000}) {
      check_word_counts(n, by, seed);
      check_groups(n, by, seed);
      check_dense_keys(n, 1 + seed % 3000, by, seed);
    }
}

}  // namespace gossamer::test
