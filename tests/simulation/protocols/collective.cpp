// Collectives: no core leaves a barrier before all have come, by any of the algorithms; every core gets the
// values of this round and not of another one, whether it is fast or slow.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "workloads.hpp"

namespace gossamer::test {
namespace {

std::vector<unsigned> come;  // by round: cores that have come to its barrier

constexpr barrier_algorithm k_algorithms[] = {
    barrier_algorithm::automatic, barrier_algorithm::centralised,   barrier_algorithm::tournament,
    barrier_algorithm::tree,      barrier_algorithm::dissemination, barrier_algorithm::rcce};

struct wide {
  std::array<std::uint64_t, 32> words;
};

std::uint64_t value_of(std::uint64_t round, core_id c) { return hash64(round, c); }

std::vector<std::uint32_t> span_of(std::uint64_t round, core_id from, core_id to) {
  constexpr std::size_t k_sizes[] = {0, 1, 7, 100, 400, 1500};
  draws d(hash64(hash64(round, from), to));
  std::vector<std::uint32_t> all(d.of(k_sizes));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::uint32_t>(hash64(round + from, i + to));
  return all;
}

template <class Span>
bool same(const Span& a, const std::vector<std::uint32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void right(bool is, const char* what, unsigned number) {
  complain_unless(is, "collective: {} of round {} is wrong on core {}", what, number, here());
}

void one(std::uint64_t round, unsigned number) {
  const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const core_id n = cores(), me = here();
  draws d(round);  // the same everywhere
  const unsigned what = d.below(14);
  const core_id root = d.below(n);
  std::uint64_t sum = 0, before = 0;
  for (core_id c = 0; c < n; ++c) {
    sum += value_of(round, c);
    if (c < me) before += value_of(round, c);
  }
  const std::uint64_t mine = value_of(round, me);
  switch (what) {
    case 0:
      return right(all_reduce(mine, plus) == sum, "all_reduce", number);
    case 1:
      return right(exclusive_scan(mine, std::uint64_t{5}, plus) == before + 5, "exclusive_scan", number);
    case 2:
      return right(inclusive_scan(mine, plus) == before + mine, "inclusive_scan", number);
    case 3:
      return right(broadcast(mine, root) == value_of(round, root), "broadcast", number);
    case 4: {
      const auto folded = reduce(mine, plus, root);
      return right(folded.has_value() == (me == root) && folded.value_or(sum) == sum, "reduce", number);
    }
    case 5: {
      const auto all = all_gather(mine);
      for (core_id c = 0; c < n; ++c) right(all[c] == value_of(round, c), "all_gather", number);
      return;
    }
    case 6: {
      wide w{};
      w.words.fill(mine);
      return right(broadcast(w, root).words[31] == value_of(round, root), "a wide broadcast", number);
    }
    case 7: {
      std::vector<std::uint32_t> data(span_of(round, root, 0).size());
      if (me == root) data = span_of(round, root, 0);
      broadcast(std::span(data), root);
      return right(same(data, span_of(round, root, 0)), "a broadcast of a span", number);
    }
    case 8: {
      const auto data = span_of(round, me, 0);
      const auto all = all_gather(std::span<const std::uint32_t>(data));
      for (core_id c = 0; c < n; ++c)
        right(same(all[c], span_of(round, c, 0)), "all_gather of spans", number);
      return;
    }
    case 9: {
      const auto data = span_of(round, me, 0);
      const auto all = gather(std::span<const std::uint32_t>(data), root);
      for (core_id c = 0; c < all.size(); ++c)
        right(same(all[c], span_of(round, c, 0)), "gather of spans", number);
      return right(all.size() == (me == root ? n : 0), "gather of spans", number);
    }
    case 10: {
      std::vector<std::vector<std::uint32_t>> parts;
      for (core_id c = 0; c < n; ++c) parts.push_back(span_of(round, me, c));
      const auto all = all_to_all(parts);
      for (core_id c = 0; c < n; ++c) right(same(all[c], span_of(round, c, me)), "all_to_all", number);
      return;
    }
    default: {
      const barrier_algorithm how = d.of(k_algorithms);
      ++come[number];
      barrier(how);
      return complain_unless(come[number] == n,
                             "collective: core {} left barrier {} (algorithm {}) when {} of {} had come", me,
                             number, static_cast<unsigned>(how), come[number], n);
    }
  }
}

void run(draws& d) {
  const unsigned rounds = 4 + d.below(20);
  come.assign(rounds, 0);
  on_all_cores([key = d.next(), rounds] {
    draws mine(hash64(key, 1000 + here()));
    for (unsigned i = 0; i < rounds; ++i) {
      if (mine.one_in(2)) dawdle(mine);
      one(hash64(key, i), i);
    }
  });
}

void check() {}

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{1, 2}, {1, 3}, {1, 5}, {2, 1}, {3, 1}, {4, 1},
                                {5, 1}, {7, 1}, {2, 2}, {3, 2}, {2, 3}};
  give(o, d.of(k_shapes));
  o.barrier = d.of(k_algorithms);
}

}  // namespace

const protocol collective{"collective", &prepare, &run, &check};

}  // namespace gossamer::test
