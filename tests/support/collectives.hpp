#pragma once
// Every collective against its serial form, by every core at once: for jobs of one process and of several.
// Run inside on_all_cores(); each returns 0, or the line of the first answer that was wrong.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/parallel/collective.hpp"

namespace gossamer::test {

/// Lets the others of this core run a few times, as many as the round and the core say.
inline void dawdle(std::uint64_t round) {
  const std::uint64_t draw = hash64(round * 65536 + here());
  for (std::uint64_t i = 0; draw % 4 == 0 && i < draw / 4 % 32; ++i) fiber::scheduler::current()->yield();
}

inline std::vector<std::uint64_t> seeds(int n) {
  std::vector<std::uint64_t> all;
  for (std::random_device any; n > 0; --n) all.push_back(any());
  return all;
}

inline void check(int wrong_line) {
  GOSSAMER_ASSERT(wrong_line == 0, "a collective answered something else than its serial form");
}

#define GOSSAMER_TEST_SAME(a, b) \
  if (!((a) == (b))) return std::fprintf(stderr, "collectives.hpp:%d: %s\n", __LINE__, #a), __LINE__

struct wide_value {
  std::uint64_t words[32];  // 256 bytes
};

inline int values_agree(std::uint64_t rounds) {
  const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const auto second = [](std::uint64_t, std::uint64_t b) { return b; };  // not commutative
  const std::uint64_t n = cores(), me = here();
  for (std::uint64_t i = 0; i < rounds; ++i) {
    dawdle(i);
    const core_id root = static_cast<core_id>(i % n);
    const std::uint64_t sum = n * (n - 1) / 2 + i * n, before = me * (me - 1) / 2 + i * me;
    GOSSAMER_TEST_SAME(all_reduce(me + i, plus), sum);
    GOSSAMER_TEST_SAME(all_reduce(me, second), n - 1);
    GOSSAMER_TEST_SAME(exclusive_scan(me + i, std::uint64_t{100}, plus), 100 + before);
    GOSSAMER_TEST_SAME(inclusive_scan(me + i, plus), before + me + i);
    GOSSAMER_TEST_SAME(inclusive_scan(me, second), me);
    GOSSAMER_TEST_SAME(broadcast(me * 10 + i, root), root * 10 + i);
    const auto at_root = reduce(me + i, plus, root);
    GOSSAMER_TEST_SAME(at_root.has_value(), me == root);
    GOSSAMER_TEST_SAME(at_root.value_or(sum), sum);
    const auto all = all_gather(static_cast<std::uint8_t>(me + i));
    const auto one = gather(me, root);
    GOSSAMER_TEST_SAME(all.size(), n);
    GOSSAMER_TEST_SAME(one.size(), me == root ? n : 0);
    for (std::uint64_t c = 0; c < n; ++c) GOSSAMER_TEST_SAME(all[c], static_cast<std::uint8_t>(c + i));
    for (std::uint64_t c = 0; c < one.size(); ++c) GOSSAMER_TEST_SAME(one[c], c);
    wide_value wide{};
    wide.words[31] = me + i;
    GOSSAMER_TEST_SAME(broadcast(wide, root).words[31], root + i);
  }
  return 0;
}

/// Returns a number of every kind: NaNs of different bits, zeros of both signs, numbers of any size.
inline double any_number(std::uint64_t draw) {
  const std::uint64_t bits = hash64(draw);
  switch (draw % 5) {
    case 0:
      return std::bit_cast<double>(bits | (std::uint64_t{0x7ff8} << 48));
    case 1:
      return bits % 2 == 0 ? 0.0 : -0.0;
    case 2:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<double>(bits) * 1e-19 - 0.5;  // their sum hangs on the order
  }
}

/// Compares the bits of a reduction with those that core 0 has, where half of the cores call it somewhere else.
template <class Operation>
bool same_bits(double mine, Operation op) {
  const auto sum =
      std::bit_cast<std::uint64_t>(here() % 2 == 0 ? all_reduce(mine, op) : all_reduce(mine, op));
  const auto last = std::bit_cast<std::uint64_t>(inclusive_scan(mine, op));
  const auto of_root = std::bit_cast<std::uint64_t>(reduce(mine, op, cores() - 1).value_or(0));
  return sum == broadcast(sum, 0) && sum == broadcast(last, cores() - 1) &&
         sum == broadcast(of_root, cores() - 1);
}

inline int bits_agree(std::uint64_t seed, std::uint64_t rounds) {
  if (here() == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const double mine = any_number(hash64(seed + i * 65536 + here()));
    GOSSAMER_TEST_SAME(same_bits(mine, [](double a, double b) { return a + b; }), true);
    GOSSAMER_TEST_SAME(same_bits(mine, [](double a, double b) { return a * b; }), true);
    GOSSAMER_TEST_SAME(same_bits(mine, [](double a, double b) { return a < b ? b : a; }), true);
    GOSSAMER_TEST_SAME(same_bits(mine, [](double a, double b) { return b < a ? b : a; }), true);
  }
  return 0;
}

/// Returns the i-th element that core c has for core d in a round; amount() returns how many those are.
inline std::uint32_t element(std::uint64_t seed, core_id c, core_id d, std::size_t i) {
  return static_cast<std::uint32_t>(hash64(seed + (std::uint64_t{c} << 48) + (std::uint64_t{d} << 32) + i));
}
inline std::size_t amount(std::uint64_t seed, core_id c, core_id d) {
  const std::uint64_t draw = hash64(~seed ^ (std::uint64_t{c} << 32) ^ d);
  constexpr std::size_t k_most[] = {1, 5, 300, 3000, 30'000};  // none, eager ones, large ones, several chunks
  return draw / 8 % k_most[draw % 5];
}
inline std::vector<std::uint32_t> part(std::uint64_t seed, core_id c, core_id d) {
  std::vector<std::uint32_t> all(amount(seed, c, d));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = element(seed, c, d, i);
  return all;
}
template <class Span>
bool holds(const Span& span, std::uint64_t seed, core_id c, core_id d) {
  if (span.size() != amount(seed, c, d)) return false;
  for (std::size_t i = 0; i < span.size(); ++i)
    if (span[i] != element(seed, c, d, i)) return false;
  return true;
}

inline int spans_agree(std::uint64_t first_seed, unsigned rounds = 6) {
  const core_id me = here();
  if (me == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(first_seed));
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint64_t seed = hash64(first_seed + i);
    const core_id root = static_cast<core_id>(seed % cores());
    dawdle(seed);

    std::vector<std::uint32_t> data(amount(seed, root, 0));
    if (me == root) data = part(seed, root, 0);
    broadcast(std::span(data), root);
    GOSSAMER_TEST_SAME(holds(data, seed, root, 0), true);

    std::vector<std::uint32_t> mine = part(seed, me, 1);
    const auto one = gather(std::span(mine), root);
    mine.assign(mine.size(), 0);  // it is ours again
    GOSSAMER_TEST_SAME(one.size(), me == root ? cores() : 0);
    for (core_id c = 0; c < one.size(); ++c) GOSSAMER_TEST_SAME(holds(one[c], seed, c, 1), true);

    mine = part(seed, me, 2);
    const auto all = all_gather(std::span<const std::uint32_t>(mine));
    mine.assign(mine.size(), 0);
    for (core_id c = 0; c < cores(); ++c) GOSSAMER_TEST_SAME(holds(all[c], seed, c, 2), true);

    std::vector<std::vector<std::uint32_t>> parts;
    for (core_id d = 0; d < cores(); ++d) parts.push_back(part(seed, me, 3 + d));
    const auto swapped = all_to_all(parts);
    for (core_id c = 0; c < cores(); ++c) GOSSAMER_TEST_SAME(holds(swapped[c], seed, c, 3 + me), true);

    struct addressed {
      core_id to;
      std::uint32_t value;
    };
    std::vector<addressed> mixed;  // an element for each core in turn, while it has some left
    for (std::size_t k = 0, left = 1; left > 0; ++k) {
      left = 0;
      for (core_id d = 0; d < cores(); ++d)
        if (k < parts[d].size()) mixed.push_back({d, parts[d][k]}), ++left;
    }
    const auto come = exchange(std::span<const addressed>(mixed), [](const addressed& a) { return a.to; });
    mixed.clear();
    for (core_id c = 0; c < cores(); ++c) {
      std::vector<std::uint32_t> values;
      for (const addressed& a : come[c]) {
        GOSSAMER_TEST_SAME(a.to, me);
        values.push_back(a.value);
      }
      GOSSAMER_TEST_SAME(holds(values, seed, c, 3 + me), true);
    }
  }
  return 0;
}

#undef GOSSAMER_TEST_SAME

}  // namespace gossamer::test
