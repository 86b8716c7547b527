#include "gossamer/tables/row_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/mapreduce/hash_container.hpp"
#include "gossamer/mapreduce/result_order.hpp"
#include "gossamer/mapreduce/slot_sort.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t k_chunk_rows = 1 << 14;  // that a core takes at a time

/// Checks that products of two numbers of groups fit 63 bits.
void check_keys(std::uint64_t different) {
  if (different > std::uint64_t{1} << 31) throw error("number_rows: expected at most 2^31 different keys");
}

/// A stored key, and a row that has it.
template <class Key>
struct keyed_row {
  typename mapreduce::key_traits<Key>::stored key;  // a long text refers to that of the row
  std::uint64_t row;
  std::uint32_t number;  // on the core that found the key
};

/// The keys that a core has found, numbered in order of appearance.
template <class Key>
class core_keys {
  using traits = mapreduce::key_traits<Key>;

 public:
  /// Writes the number of each key to `numbers`. `row`: that of the first.
  void number(std::span<const Key> keys, std::uint64_t row, std::uint32_t* numbers) {
    constexpr std::size_t k_ahead = 32;  // look-ups whose cache misses overlap
    std::array<std::pair<typename traits::stored, std::uint64_t>, k_ahead> waiting;
    for (std::size_t at = 0; at < keys.size(); at += k_ahead) {
      const std::size_t n = std::min(k_ahead, keys.size() - at);
      for (std::size_t i = 0; i < n; ++i) {
        const typename traits::stored key = traits::store(keys[at + i]);
        const std::uint64_t hash = table_.hash_of(key);
        table_.prefetch(hash);
        waiting[i] = {key, hash};
      }
      for (std::size_t i = 0; i < n; ++i) {
        const auto next = static_cast<std::uint32_t>(sorted_.size());
        std::uint32_t number = next;
        const auto found = [&number](std::uint32_t known, std::uint32_t) { return number = known; };
        table_.add(waiting[i].first, waiting[i].second, next, found);
        if (number == next) note(waiting[i].first, row + at + i, next);
        numbers[at + i] = number;
      }
    }
  }

  /// Sorts the keys, and frees the table.
  void sort() {
    table_.clear();
    std::vector<sorting::wide_key> entries;
    entries.reserve(sorted_.size());
    for (const keyed_row<Key>& k : sorted_) entries.push_back(mapreduce::entry_of(by_key(), k));
    mapreduce::sort_entries<keyed_row<Key>>(std::span(entries), by_key());
    std::vector<keyed_row<Key>> sorted;
    sorted.reserve(entries.size());
    for (const sorting::wide_key& e : entries) sorted.push_back(mapreduce::slot_of<keyed_row<Key>>(e));
    sorted_ = std::move(sorted);
  }
  const std::vector<keyed_row<Key>>& sorted() const { return sorted_; }
  /// Finds the ranks of this core's keys among all keys, which are sorted.
  void rank(const std::vector<keyed_row<Key>>& all) {
    ranks_.resize(sorted_.size());
    std::uint32_t rank = 0;
    for (const keyed_row<Key>& k : sorted_) {
      while (by_key()(all[rank], k)) ++rank;
      ranks_[k.number] = rank;
    }
  }
  const std::uint32_t* ranks() const { return ranks_.data(); }

 private:
  void note(const typename traits::stored& key, std::uint64_t row, std::uint32_t number) {
    check_keys(sorted_.size() + 1);
    sorted_.push_back({key, row, number});
  }

  mapreduce::hash_container<Key, std::uint32_t, mapreduce::default_hash> table_;
  std::vector<keyed_row<Key>> sorted_;
  std::vector<std::uint32_t> ranks_;  // by number
};

/// Merges the keys of the cores, each once. Merges pairs of lists in parallel, then pairs of the results.
template <class Key>
std::vector<keyed_row<Key>> merge_keys(const local::per_core<core_keys<Key>>& seen) {
  using list = std::vector<keyed_row<Key>>;
  const unsigned team = local::cores();
  if (team == 1) return seen.at(0).sorted();
  std::vector<list> lists(team);
  for (unsigned step = 1; step < team; step *= 2)
    local::forall_chunks(0, (team + step - 1) / (2 * step), 1, [&](std::uint64_t pair, std::uint64_t) {
      const auto first = static_cast<unsigned>(pair) * 2 * step;
      const auto list_of = [&](unsigned c) -> const list& {
        const bool is_merged = step > 1 && c + 1 < team;  // the last core may have no partner
        return is_merged ? lists[c] : seen.at(c).sorted();
      };
      const list &a = list_of(first), &b = list_of(first + step);
      list both;
      both.reserve(a.size() + b.size());
      std::ranges::set_union(a, b, std::back_inserter(both), by_key());
      lists[first] = std::move(both);
    });
  return std::move(lists[0]);
}

machine::zeroed_array<std::uint32_t> numbers_for(std::uint64_t rows) {
  return {rows, "numbers of rows", machine::pages::huge};
}

/// Numbers rows by hash tables. read(first, to) writes keys of rows.
template <class Key, class Read>
row_numbers number_by_tables(std::uint64_t rows, Read read) {
  row_numbers answer{numbers_for(rows)};
  const local::scoped_per_core<core_keys<Key>> seen;
  std::vector<std::uint32_t> core_of((rows + k_chunk_rows - 1) / k_chunk_rows);  // by chunk
  local::forall_chunks(0, core_of.size(), 1,
                       [rows, read, numbers = answer.of_row.data(), core_of = core_of.data(),
                        seen = seen.handle()](std::uint64_t chunk, std::uint64_t) {
                         constexpr std::uint64_t k_batch = 1 << 8;  // keys that stay in the L1 cache
                         std::array<Key, k_batch> keys;
                         core_of[chunk] = local::here();
                         const std::uint64_t end = std::min(rows, (chunk + 1) * k_chunk_rows);
                         for (std::uint64_t row = chunk * k_chunk_rows; row < end; row += k_batch) {
                           const std::span<Key> some(keys.data(), std::min(k_batch, end - row));
                           read(row, some);
                           seen.here().number(some, row, numbers + row);
                         }
                       });
  local::forall_chunks(0, local::cores(), 1, [seen = seen.handle()](std::uint64_t c, std::uint64_t) {
    seen.at(static_cast<unsigned>(c)).sort();
  });
  const std::vector<keyed_row<Key>> all = merge_keys<Key>(seen.handle());
  check_keys(all.size());
  local::forall_chunks(0, local::cores(), 1,
                       [seen = seen.handle(), all = &all](std::uint64_t c, std::uint64_t) {
                         seen.at(static_cast<unsigned>(c)).rank(*all);
                       });
  local::forall_chunks(0, core_of.size(), 1,
                       [rows, numbers = answer.of_row.data(), core_of = core_of.data(), seen = seen.handle()](
                           std::uint64_t chunk, std::uint64_t) {
                         const std::uint32_t* const ranks = seen.at(core_of[chunk]).ranks();
                         const std::uint64_t end = std::min(rows, (chunk + 1) * k_chunk_rows);
                         for (std::uint64_t i = chunk * k_chunk_rows; i < end; ++i)
                           numbers[i] = ranks[numbers[i]];
                       });
  answer.row_of.reserve(all.size());
  for (const keyed_row<Key>& k : all) answer.row_of.push_back(k.row);
  return answer;
}

/// Numbers rows by arrays indexed by the range of their keys.
row_numbers number_by_arrays(std::span<const std::int64_t> keys, const integer_range& range) {
  row_numbers answer{numbers_for(keys.size())};
  constexpr std::uint64_t k_none = ~std::uint64_t{0};
  const std::uint64_t cells = range.last + 1;
  const local::scoped_per_core<std::vector<std::uint64_t>> rows_of;  // by distance: a row, or k_none
  local::forall_chunks(
      0, keys.size(), k_chunk_rows,
      [=, keys = keys.data(), rows_of = rows_of.handle()](std::uint64_t i, std::uint64_t end) {
        std::vector<std::uint64_t>& mine = rows_of.here();
        if (mine.empty()) mine.resize(cells, k_none);
        for (; i < end; ++i) mine[range.distance(keys[i])] = i;
      });
  std::vector<std::uint32_t> rank_of(cells);
  for (std::uint64_t d = 0; d < cells; ++d) {
    std::uint64_t row = k_none;
    for (unsigned c = 0; c < local::cores(); ++c)
      if (!rows_of.at(c).empty()) row = std::min(row, rows_of.at(c)[d]);
    rank_of[d] = static_cast<std::uint32_t>(answer.row_of.size());
    if (row != k_none) answer.row_of.push_back(row);
  }
  local::forall_chunks(0, keys.size(), k_chunk_rows,
                       [keys = keys.data(), numbers = answer.of_row.data(), range, rank_of = rank_of.data()](
                           std::uint64_t i, std::uint64_t end) {
                         for (; i < end; ++i) numbers[i] = rank_of[range.distance(keys[i])];
                       });
  return answer;
}

}  // namespace

integer_range range_of(std::span<const std::int64_t> values) {
  if (values.empty()) return {};
  struct ends {
    std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                 largest = std::numeric_limits<std::int64_t>::min();
  };
  const local::scoped_per_core<ends> of_cores;
  local::forall_chunks(
      0, values.size(), k_chunk_rows,
      [values = values.data(), of_cores = of_cores.handle()](std::uint64_t i, std::uint64_t end) {
        ends mine = of_cores.here();
        for (; i < end; ++i) {
          mine.least = std::min(mine.least, values[i]);
          mine.largest = std::max(mine.largest, values[i]);
        }
        of_cores.here() = mine;
      });
  const ends all = of_cores.fold(ends(), [](ends a, const ends& b) {
    return ends{std::min(a.least, b.least), std::max(a.largest, b.largest)};
  });
  return {all.least, static_cast<std::uint64_t>(all.largest) - static_cast<std::uint64_t>(all.least)};
}

namespace {

using real_code = sorting::ordered_key<double, false>;
constexpr std::uint64_t k_sign = std::uint64_t{1} << 63;

}  // namespace

std::int64_t order_code(double real) {
  const double one = std::isnan(real) ? std::numeric_limits<double>::quiet_NaN() : real + 0.0;
  return static_cast<std::int64_t>(real_code::encode(one) ^ k_sign);
}

double real_of_order_code(std::int64_t code) {
  return real_code::decode(static_cast<std::uint64_t>(code) ^ k_sign);
}

row_numbers number_rows(std::span<const std::int64_t> keys) {
  constexpr std::uint64_t k_small = 1 << 14;  // cells that stay in a core's cache
  const integer_range range = range_of(keys);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is a core
  if (range.last < std::max<std::uint64_t>(k_small, keys.size() / (4 * local::cores())))
    return number_by_arrays(keys, range);
  return number_by_tables<std::int64_t>(keys.size(), [keys](std::uint64_t first, std::span<std::int64_t> to) {
    std::ranges::copy(keys.subspan(first, to.size()), to.begin());
  });
}

row_numbers number_rows(std::uint64_t rows, read_texts texts) {
  return number_by_tables<std::string_view>(rows, texts);
}

}  // namespace gossamer
