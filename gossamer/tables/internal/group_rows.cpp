#include "gossamer/tables/internal/group_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/mapreduce/hybrid_engine.hpp"
#include "gossamer/tables/internal/field_join.hpp"
#include "gossamer/tables/internal/found_fields.hpp"
#include "gossamer/tables/internal/group_order.hpp"
#include "gossamer/tables/internal/quantile.hpp"
#include "gossamer/tables/internal/row_combiner.hpp"

namespace gossamer::tables {

namespace {

/// Returns whether a field is a number that has an order.
bool is_finite(std::string_view field) {
  const auto number = io::parse_double(field);
  return number.state == io::number_state::ok && std::isfinite(number.value);
}

/// Computes a quantile of encoded numbers.
struct quantile_of_codes {
  double share;
  std::uint64_t are_integers;

  double operator()(std::string_view, std::span<const std::uint64_t> all) const {
    std::vector<std::uint64_t> codes(all.begin(), all.end());
    const number_codes numbers{are_integers != 0};
    const quantile_place place(share, codes.size());
    const auto middle = codes.begin() + static_cast<std::ptrdiff_t>(place.below);
    std::nth_element(codes.begin(), middle, codes.end());
    if (const double last = numbers.real_of(*std::max_element(middle, codes.end())); std::isnan(last))
      return last;
    const std::uint64_t next = place.part == 0 ? *middle : *std::min_element(middle + 1, codes.end());
    return numbers.between(*middle, next, place.part);
  }
};

/// Computes a quantile of `n` numbers, which are the fields of a group. Reads all fields.
template <class Fields>
double quantile_in(Fields& fields, std::uint64_t n, double share, const number_codes& numbers) {
  const quantile_place place(share, n);
  std::uint64_t before = 0, code = 0, at = 0, next = 0;
  for (; !fields.ended(); fields.next()) {
    code = code_of_bytes(fields.field());
    const std::uint64_t end = before + fields.rows();
    if (place.below >= before && place.below < end) at = next = code;
    if (place.below + 1 >= before && place.below + 1 < end) next = code;
    before = end;
  }
  const double last = numbers.real_of(code);
  return std::isnan(last) ? last : numbers.between(at, place.part == 0 ? at : next, place.part);
}

/// Returns whether all numbers of a column are integers of 64 bits.
bool are_narrow(const group_plan::input& in) { return !in.has_reals() && !in.is_wide(); }

using found_quantiles = key_values<std::string_view, double>;

/// Returns a quantile of each group that has numbers.
found_quantiles quantiles_of(const opened_text& text, const group_reader& reader, std::uint8_t r,
                             double share, const map_reduce_options& o) {
  const group_plan::input& in = reader.plan.of[reader.plan.result_of[r].input];
  const std::uint64_t are_integers = are_narrow(in) ? 1 : 0;
  return mapreduce::by_lists<std::string_view, std::uint64_t, double>(
      text,
      [reader, field = std::uint64_t{in.field}, are_integers](const text_chunk& chunk, auto& out) {
        // The records are those that the first pass accepted.
        (void)reader.read(chunk, [&](std::string_view key, const auto& fields) {
          const std::string_view number = fields[field];
          if (number.empty() || (reader.has_nulls != 0 && reader.is_null(number))) return;
          out.emit(key, number_codes{are_integers != 0}.code_of(number));
        });
      },
      quantile_of_codes{share, are_integers}, o, mapreduce::default_hash{});
}

/// Returns whether a core found that the text must be read again.
bool must_repeat(const group_reader& reader) {
  bool again = false;
  for (const char of_core : collect(reader.scratch, [state = reader.state](group_scratch&) {
         return static_cast<char>(state.here().again());
       }))
    again |= of_core != 0;
  return again;
}

template <std::size_t Words>
struct rows_of final : group_rows {
  using row = group_row<Words>;
  key_values<std::string_view, row> pairs;

  std::uint64_t size() const override { return pairs.size(); }

  void first(std::uint64_t k, grouped_rows::order by, std::uint32_t numeric,
             function_ref<void(std::string_view, const std::uint64_t*)> f) const override {
    const group_order order{plan, by, numeric};
    if (k >= size()) {
      pairs.for_each_sorted(order, [&](std::string_view key, const row& r) { f(key, r.words.data()); });
      return;
    }
    for (const auto& [key, r] : pairs.top(k, order)) f(key, r.words.data());
  }

  void write(grouped_rows::order by, std::uint32_t numeric, const row_output& to,
             per_process<group_format> format) const override {
    pairs.write_sorted(group_order{plan, by, numeric}, to, [p = plan, format](std::uint64_t rank, auto each) {
      return format.here()(rank, [&](function_ref<void(std::span<const group_value>)> take) {
        group_values values(p);
        each([&](std::string_view key, const auto& r) { take(values.of(key, r.words.data())); });
      });
    });
  }

  std::uint32_t find_numeric_keys() const override {
    const scoped_per_core<std::uint32_t> found;
    on_all_cores([found = found.handle(), blocks = pairs.blocks(), keys = std::uint32_t{plan.keys},
                  texts = std::uint32_t{plan.appended}] {
      std::uint32_t numeric = (1U << keys) - 1;
      blocks.here().for_each_slot([&](const auto& s) {
        for (std::uint32_t k = 0; numeric != 0 && k < keys; ++k)
          if (!is_finite(key_field(without_texts(s.key.text(), texts), k, keys))) numeric &= ~(1U << k);
      });
      found.here() = numeric;
    });
    return found.fold(~std::uint32_t{0}, std::bit_and<>{});
  }

  bool run(const opened_text& text, const group_reader& reader, const map_reduce_options& o) override {
    plan = reader.plan;
    pairs = mapreduce::by_containers<std::string_view, row>(
        text,
        [reader](const text_chunk& chunk, auto& out) {
          const bool counts = reader.read(
              chunk, [&] { return out.next_value().words.data(); },
              [&](std::string_view key, const auto&) { out.emit_next(key); });
          if (!counts) out.abandon();
        },
        combine_rows<Words>{reader.combiner()}, o, mapreduce::default_hash{});
    return !must_repeat(reader);
  }

  void count_distinct(const opened_text& text, const group_reader& reader, std::uint8_t r,
                      const map_reduce_options& o) override {
    const group_plan::result result = plan.result_of[r];
    const found_fields found = find_fields(text, reader, {result.input, wanted_fields::form::texts}, o);
    if (pairs.is_stored())
      return join(found, false,
                  [word = std::uint64_t{result.word}](std::uint64_t* words, auto& fields, std::string&) {
                    for (words[word] = 0; !fields.ended(); fields.next()) ++words[word];
                  });
    on_all_cores([reader, word = std::uint64_t{result.word}, all = pairs.blocks(), found = found.blocks()] {
      combine_rows<Words> combine{reader.combiner()};
      row one{};
      combine.how.neutral(one.words.data());
      one.words[word] = 1;
      auto& mine = all.here().pairs;
      found.here().for_each_slot([&](const auto& s) {
        const mapreduce::text_key group = mapreduce::text_key::of(distinct_hash::group_of(s.key.text()));
        mine.add(group, mine.hash_of(group), one, combine);
      });
      mine.settle(combine);
    });
  }

  void find_quantile(const opened_text& text, const group_reader& reader, std::uint8_t r, double share,
                     const map_reduce_options& o) override {
    const std::uint64_t word = plan.result_of[r].word;
    if (mapreduce::bounded_memory(o) != 0) return find_quantile_bounded(text, reader, r, share, o);
    const found_quantiles found = quantiles_of(text, reader, r, share, o);
    on_all_cores([reader, word, all = pairs.blocks(), found = found.blocks()] {
      combine_rows<Words> combine{reader.combiner()};
      row neutral{};
      combine.how.neutral(neutral.words.data());
      auto& mine = all.here().pairs;
      found.here().for_each_slot([&](const auto& s) {
        row one = neutral;
        one.words[word] = std::bit_cast<std::uint64_t>(s.value);  // added to 0
        mine.add(s.key, mine.hash_of(s.key), one, combine);
      });
      mine.settle(combine);
    });
  }

  void find_texts(const opened_text& text, const group_reader& reader, std::uint8_t input,
                  const map_reduce_options& o) override {
    group_plan::input& in = plan.of[input];
    const found_fields found = find_fields(text, reader, {in.field, wanted_fields::form::extremes}, o);
    join(found, true,
         [least = std::uint64_t{in.minima}, largest = std::uint64_t{in.maxima}](std::uint64_t*, auto& fields,
                                                                                std::string& key) {
           std::string last;
           if (least != 0) append_text(key, fields.ended() ? std::string_view() : fields.field());
           for (; !fields.ended(); fields.next())
             if (largest != 0) last.assign(fields.field());
           if (largest != 0) append_text(key, last);
         });
    if (in.minima) in.least_appended = plan.appended++;
    if (in.maxima) in.largest_appended = plan.appended++;
  }

 private:
  void find_quantile_bounded(const opened_text& text, const group_reader& reader, std::uint8_t r,
                             double share, const map_reduce_options& o) {
    const group_plan::input& in = plan.of[plan.result_of[r].input];
    const auto form = are_narrow(in) ? wanted_fields::form::integers : wanted_fields::form::reals;
    const found_fields found = find_fields(text, reader, {in.field, form}, o);
    join(found, false,
         [share, word = std::uint64_t{plan.result_of[r].word}, integers = std::uint64_t{in.integers.count},
          reals = std::uint64_t{in.reals.count},
          narrow = std::uint64_t{are_narrow(in)}](std::uint64_t* words, auto& fields, std::string&) {
           std::uint64_t n = 0;
           for (const std::uint64_t count : {integers, reals})
             if (count != group_plan::k_none) n += words[count];
           if (n != 0)
             words[word] =
                 std::bit_cast<std::uint64_t>(quantile_in(fields, n, share, number_codes{narrow != 0}));
         });
  }

  /// Joins the groups of all cores with the fields found (join_fields()).
  template <class Change>
  void join(const found_fields& found, bool appends, Change change) {
    on_all_cores(
        [=, texts = std::uint64_t{plan.appended}, longer = std::uint64_t{appends}, all = pairs.blocks(),
         found = found.blocks()] { join_fields(all.here(), found.here(), texts, longer != 0, change); });
  }
};

// Compile time is the main cost of this file, and is proportional to the number of sizes. With four sizes it
// takes two thirds of the time. But pairs are copied on their way to the containers: rows of 3 words took 15
// to 25 % longer to group as rows of 6, and rows of 8 words as rows of 14. Builds for tests have fewer
// sizes: the code is the same, and the choice is computed.
#ifdef GOSSAMER_CHECKS
using sizes = std::index_sequence<4, 8, 32, group_plan::k_most_words>;
#else
using sizes =
    std::index_sequence<1, 4, 6, 8, 16, 32, group_plan::k_most_words>;  // a slot of 6 words is a cache line
#endif

/// Makes groups of the first of the ascending sizes that suffices.
template <std::size_t... Sizes>
std::unique_ptr<group_rows> make_smallest(std::size_t words, std::index_sequence<Sizes...>) {
  std::unique_ptr<group_rows> rows;
  (void)((words <= Sizes && (rows = std::make_unique<rows_of<Sizes>>())) || ...);
  return rows;
}

}  // namespace

std::unique_ptr<group_rows> make_rows(std::size_t words) { return make_smallest(words, sizes()); }

}  // namespace gossamer::tables
