#pragma once
// Sorts of global arrays and of blocks, held against std::sort and std::stable_sort: for jobs of one process and of several.
// By the main fiber. Failures name the arrangement, the length and the seed.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::test {

/// In what order the elements lie: number i of n.
struct arrangement {
  const char* name;
  std::uint64_t (*at)(std::uint64_t i, std::uint64_t n, std::uint64_t seed);
};

inline constexpr arrangement k_arrangements[] = {
    {"uniform", [](std::uint64_t i, std::uint64_t, std::uint64_t seed) { return hash64(i ^ seed); }},
    {"sorted", [](std::uint64_t i, std::uint64_t, std::uint64_t) { return i; }},
    {"reversed", [](std::uint64_t i, std::uint64_t n, std::uint64_t) { return n - i; }},
    {"equal", [](std::uint64_t, std::uint64_t, std::uint64_t seed) { return seed; }},
    {"few distinct", [](std::uint64_t i, std::uint64_t, std::uint64_t seed) { return hash64(i ^ seed) % 4; }},
    {"organ pipe", [](std::uint64_t i, std::uint64_t n, std::uint64_t) { return std::min(i, n - i); }},
    {"mostly one",
     [](std::uint64_t i, std::uint64_t, std::uint64_t seed) {
       const std::uint64_t draw = hash64(i ^ seed);
       return draw % 10 != 0 ? 1'000'000'000 : draw;
     }},
    {"interleaved", [](std::uint64_t i, std::uint64_t, std::uint64_t) { return i % 1000; }},
};

/// An element with a key that others have, too; the position tells it from those.
struct record {
  std::uint32_t key;
  std::uint32_t position;
  std::uint64_t payload;
};
inline bool operator==(const record& a, const record& b) {
  return a.key == b.key && a.position == b.position && a.payload == b.payload;
}
struct by_key {
  bool operator()(const record& a, const record& b) const { return a.key < b.key; }
};
struct by_last_digit {
  bool operator()(std::uint64_t a, std::uint64_t b) const { return a % 10 < b % 10; }
};
/// The order that tells all elements apart: to compare what two arrays hold.
struct by_everything {
  bool operator()(const record& a, const record& b) const {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  }
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};

template <class T>
T element(const arrangement& how, std::uint64_t i, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t value = how.at(i, n, seed);
  if constexpr (std::is_same_v<T, record>)
    return {static_cast<std::uint32_t>(value % 1000), static_cast<std::uint32_t>(i), value};
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(value)) / 3;
  else
    return static_cast<T>(value);
}

inline std::uint64_t any_seed() {
  std::random_device any;
  return std::uint64_t{any()} << 32 | any();
}

/// Returns boundaries that cut n elements into blocks of random lengths, some of them empty.
inline distribution uneven(std::uint64_t n, std::uint64_t seed) {
  std::vector<std::uint64_t> bounds = {0};
  for (core_id c = 1; c < cores(); ++c) {
    const std::uint64_t draw = hash64(seed + c);
    bounds.push_back(draw % 3 == 0 ? bounds.back() : std::max(bounds.back(), draw / 3 % (n + 1)));
  }
  bounds.push_back(n);
  return by_boundaries(std::move(bounds));
}

template <class T>
std::vector<T> copy_of(const array<T>& a) {
  const frozen<T> view = a.freeze();
  std::vector<T> all(view.data(), view.data() + view.size());
  a.thaw();
  return all;
}

template <class T, class Less>
void expect_same_order(const std::vector<T>& found, const std::vector<T>& expected, Less less) {
  std::size_t i = 0;
  while (i < found.size() && !less(found[i], expected[i]) && !less(expected[i], found[i])) ++i;
  EXPECT_EQ(i, found.size()) << "the first element in another place";
}

/// Sorts n elements by sort() and stable_sort(), and compares.
template <class T, class Less = std::less<>>
void check_sorts(std::uint64_t n, const arrangement& how, std::uint64_t seed, Less less = {},
                 sort_options o = {}, const distribution& d = block) {
  SCOPED_TRACE(testing::Message() << how.name << ", " << n << " elements on " << cores() << " cores, seed "
                                  << seed);
  const scoped_array<T> owned(n, d);
  const array<T> a = owned.handle();
  const auto which = &how - k_arrangements;  // functions lie elsewhere in other processes
  const auto fill = [a, which, n, seed] {
    forall(a, [which, n, seed](std::uint64_t i, T& e) { e = element<T>(k_arrangements[which], i, n, seed); });
  };
  fill();
  std::vector<T> expected = copy_of(a);
  std::stable_sort(expected.begin(), expected.end(), less);

  stable_sort(a, less, o);
  EXPECT_TRUE(copy_of(a) == expected) << "stable_sort";
  fill();
  sort(a, less, o);
  std::vector<T> found = copy_of(a);
  if (found == expected) return;
  expect_same_order(found, expected, less);
  std::sort(found.begin(), found.end(), by_everything());
  std::sort(expected.begin(), expected.end(), by_everything());
  EXPECT_TRUE(found == expected) << "other elements than before";
}

/// Sorts numbers among which are NaN and zeros of both signs, in both directions.
template <class T>
void check_nan(std::uint64_t n, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << n << " elements on " << cores() << " cores, seed " << seed);
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const scoped_array<T> owned(n);
  const array<T> a = owned.handle();
  const auto sorted_bits = [](const std::vector<T>& all) {
    std::vector<bits> b;
    for (const T x : all) b.push_back(std::bit_cast<bits>(x));
    std::sort(b.begin(), b.end());
    return b;
  };
  const auto check = [&](auto sort_it, auto less) {
    forall(a, [seed](std::uint64_t i, T& e) {
      const std::uint64_t draw = hash64(i ^ seed);
      const T special[] = {
          std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(), T{0}, -T{0},
          std::numeric_limits<T>::infinity(),  -std::numeric_limits<T>::infinity()};
      e = draw % 3 == 0 ? special[draw / 3 % 6] : std::bit_cast<T>(static_cast<bits>(draw));
    });
    const std::vector<T> before = copy_of(a);
    sort_it();
    const std::vector<T> after = copy_of(a);
    const auto nan = std::find_if(after.begin(), after.end(), [](T x) { return x != x; });
    EXPECT_TRUE(std::all_of(nan, after.end(), [](T x) { return x != x; })) << "a number after a NaN";
    EXPECT_TRUE(std::is_sorted(after.begin(), nan, less));
    EXPECT_EQ(sorted_bits(before), sorted_bits(after));
  };
  check([a] { sort(a); }, std::less<>());
  check([a] { sort(a, std::greater<>()); }, std::greater<>());
  check([a] { stable_sort(a); }, std::less<>());
  check([a] { stable_sort(a, std::greater<>()); }, std::greater<>());
}

/// Sorts blocks of up to `most` records; looks at all of them on core 0.
inline void check_blocks(std::uint64_t most, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "blocks of up to " << most << " on " << cores() << " cores, seed "
                                  << seed);
  const scoped_per_core<int> wrong;
  on_all_cores([most, seed, wrong = wrong.handle()] {
    const std::uint64_t n = hash64(seed + here()) % (most + 1);
    std::vector<record> mine;
    for (std::uint64_t i = 0; i < n; ++i)
      mine.push_back({static_cast<std::uint32_t>(hash64(seed ^ i * cores()) % 100),
                      static_cast<std::uint32_t>(i), here()});
    const auto sorted = sorting::sort_blocks<true>(std::span<const record>(mine), by_key{});
    std::vector<record> expected = all_gather(std::span(mine)).flat();
    std::stable_sort(expected.begin(), expected.end(), by_key{});
    wrong.here() = all_gather(std::span(sorted)).flat() == expected ? 0 : 1;
  });
  EXPECT_EQ(wrong.fold(0, [](int a, int b) { return a + b; }), 0);
}

/// Checks what differs between one process and several. Smaller where every message is simulated, and the pivots in turn.
inline void check_over_processes() {
  const bool simulated = machine::simulated() != nullptr;
  const std::uint64_t many = simulated ? 4'000 : 20'000;
  for (const arrangement& how : k_arrangements)
    for (const pivots by : {pivots::all_cores, pivots::one_core}) {
      const bool turn = ((&how - k_arrangements) % 2 == 0) == (by == pivots::all_cores);
      if (simulated && !turn) continue;
      const std::uint64_t seed = any_seed();
      check_sorts<std::uint64_t>(100, how, seed, std::less<>(), {.choose_pivots = by});
      check_sorts<std::int64_t>(many, how, seed, std::greater<>(), {.choose_pivots = by});
      check_sorts<record>(many, how, seed, by_key{}, {.choose_pivots = by}, uneven(many, seed));
    }
  check_sorts<float>(0, k_arrangements[0], 1);
  for (const std::uint64_t most : {std::uint64_t{0}, std::uint64_t{3}, many}) check_blocks(most, any_seed());
}

}  // namespace gossamer::test
