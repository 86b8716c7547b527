// The sort stage of MapReduce ("hybrid address spaces", table 2): sorts the results of a word count by words,
// by regular sampling over all cores. All cores choose the pivots, or one does (table A.3). Compared with a
// merge on one core of the sorted pairs of each core, and with the sort and merge of the message engine. All
// are interleaved on the same pairs.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"
#include "micro/words.hpp"

namespace gossamer::bench {
namespace {

using ordered_words = key_values<std::string_view, std::uint64_t>;
using word_list = std::vector<ordered_words::pair>;

/// Counts the words of a vocabulary, each three times. It is larger than those of texts: hardly any counts
/// are equal.
ordered_words count_vocabulary(std::uint64_t n, const map_reduce_options& o) {
  return map_reduce<std::string_view, std::uint64_t>(
      count_input(3 * n),
      [n](std::uint64_t i, auto& out) {
        char word[24];
        std::size_t size = 4 + hash64(i % n) % 6;
        for (std::size_t k = 0; k < size; ++k)
          word[k] = static_cast<char>('a' + hash64((i % n) * 16 + k) % 26);
        for (std::uint64_t digits = i % n; digits != 0; digits /= 10)
          word[size++] = static_cast<char>('0' + digits % 10);
        out.emit(std::string_view(word, size), 1);
      },
      std::plus<>{}, o);
}

/// Merges the sorted pairs of all cores on one core.
word_list collect_by_one_core(const ordered_words& words) {
  word_list all;
  all.reserve(words.size());
  mapreduce::sort_on_each_core(words.blocks(), by_key());
  const auto take = [&](const ordered_words::slot& s) {
    all.emplace_back(std::string(s.key.text()), s.value);
    return true;
  };
  mapreduce::merge_sorted(words.blocks(), by_key(), mapreduce::pair_taker<ordered_words::block>(take));
  mapreduce::charge_pairs(all.size(), mapreduce::k_own_pair_ns);
  return all;
}

/// The times of one ordering with each method, in ms.
struct ordering_times {
  samples all_cores, one_core, collected, merged, messages;
  bool right = true;
  unsigned cores = 0;
};

/// Measures f() in ms.
template <class F>
void time_to(samples& into, F f) {
  const std::uint64_t begin = machine::now_ns();
  f();
  into.push_back(static_cast<double>(machine::now_ns() - begin) / 1e6);
}

/// Orders the words with each method, once.
void order_once(const ordered_words& words, std::uint64_t n, ordering_times& t) {
  using block = ordered_words::block;
  for (const pivots by : {pivots::all_cores, pivots::one_core}) {
    const scoped_per_core<mapreduce::ordered_range<ordered_words::slot>> ranges;
    time_to(by == pivots::all_cores ? t.all_cores : t.one_core, [&] {
      mapreduce::regular_sort<block, by_key>::run(words.blocks(), ranges.handle(), by_key(), by);
    });
  }
  word_list collected, merged;
  time_to(t.collected, [&] { collected = words.collect(); });
  time_to(t.merged, [&] { merged = collect_by_one_core(words); });
  map_reduce_statistics what;
  map_reduce_options o;
  o.statistics = &what;
  o.engine = engine::messages;
  o.sorted = true;
  const word_list by_messages = count_vocabulary(n, o).collect();
  t.messages.push_back(1e3 * (what.sort_seconds + what.merge_seconds));
  t.right &=
      collected == merged && by_messages == merged && std::ranges::is_sorted(merged) && !merged.empty();
}

void add_ordering_rows(const settings& s, const report& out, std::uint64_t n, const ordering_times& t) {
  const std::string name = fmt::format("{} words, {}: ", amount(n), sort_cores(t.cores));
  // The time of the merge on one core, divided: the budget of the stage on two cores, and on many simulated
  // ones.
  const double before = median_of(t.merged), reference = median_of(t.messages);
  const double budget = s.quick                           ? k_none
                        : is_simulated() && t.cores >= 48 ? before / 9
                        : !is_simulated() && t.cores == 2 ? std::min(before / 1.7, reference / 3)
                                                          : k_none;
  const auto add = [&](std::string_view what, const samples& ms, double most) {
    out.add(checked(within(row_of("ordering", name + std::string(what), "ms", ms), most), t.right));
  };
  add("regular sampling, all cores choose pivots", t.all_cores, budget);
  add("regular sampling, one core chooses pivots", t.one_core, k_none);
  add("regular sampling, and a list of all pairs", t.collected, k_none);
  add("each core sorts, one merges to a list", t.merged, k_none);
  add("sort and merge by messages", t.messages, k_none);
}

}  // namespace

void orderings(const settings& s, const report& out) {
  const std::uint64_t n = s.pick<std::uint64_t>(600'000, 20'000);
  for (const unsigned c : is_simulated() ? std::vector<unsigned>{0} : sort_core_counts(s)) {
    ordering_times t;
    job_options o = job_options::from_environment();
    o.cores = c;
    run(o, [&] {
      t.cores = cores();
      const ordered_words words = count_vocabulary(n, {});
      const unsigned repeats = is_simulated() ? 1 : s.repeats;  // in simulations all runs take the same time
      if (!is_simulated()) {
        ordering_times warm;
        order_once(words, n, warm);
      }
      for (unsigned r = 0; r < repeats; ++r) order_once(words, n, t);
    });
    add_ordering_rows(s, out, n, t);
  }
}

}  // namespace gossamer::bench
