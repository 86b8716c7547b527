#include "gossamer/tables/internal/group_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/mapreduce/hybrid_engine.hpp"
#include "gossamer/tables/internal/distinct_hash.hpp"
#include "gossamer/tables/internal/group_order.hpp"
#include "gossamer/tables/internal/groups_and_fields.hpp"
#include "gossamer/tables/internal/row_combiner.hpp"

namespace gossamer::tables {

namespace {

/// Returns whether a field is a number that has an order.
bool is_finite(std::string_view field) {
  const auto number = io::parse_double(field);
  return number.state == io::number_state::ok && std::isfinite(number.value);
}

struct present {
  char yes;
};
struct either {
  present operator()(present a, present) const { return a; }
};
using found_fields = key_values<std::string_view, present, distinct_hash>;

/// Returns the pairs of a group and a field of it. Not of any one size of rows: it would be compiled again for each.
found_fields find_fields(const opened_text& text, const group_reader& reader, std::size_t field,
                         const map_reduce_options& o) {
  return mapreduce::by_containers<std::string_view, present>(
      text,
      [reader, field](const text_piece& piece, auto& out) {
        std::string pair;
        const auto take = [&](std::string_view key, const std::uint64_t*, const auto& fields) {
          if (fields[field].empty() || (reader.has_nulls != 0 && reader.is_null(fields[field]))) return;
          const auto n = static_cast<std::uint32_t>(key.size());
          pair.assign(reinterpret_cast<const char*>(&n), sizeof n).append(key).append(fields[field]);
          out.emit(std::string_view(pair), present{1});
        };
        if (!reader.read(piece, take)) out.abandon();
      },
      either{}, o, distinct_hash{});
}

/// Computes a quantile of numbers as ordered codes: of integers of 64 bits, or of doubles.
struct quantile_of_codes {
  double share;
  std::uint64_t are_integers;

  double operator()(std::string_view, std::span<const std::uint64_t> all) const {
    std::vector<std::uint64_t> codes(all.begin(), all.end());
    const double place = share * static_cast<double>(codes.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(below);
    const auto middle = codes.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(codes.begin(), middle, codes.end());
    const std::uint64_t next = part == 0 ? *middle : *std::min_element(middle + 1, codes.end());
    if (are_integers != 0) {
      const wide_integer a = sorting::ordered_key<std::int64_t, false>::decode(*middle),
                         b = sorting::ordered_key<std::int64_t, false>::decode(next);
      if (part == 0.5) return nearest_quotient(a + b, 2);
      return static_cast<double>(static_cast<long double>(a) +
                                 static_cast<long double>(b - a) * static_cast<long double>(part));
    }
    using code = sorting::ordered_key<double, false>;
    if (const double last = code::decode(*std::max_element(middle, codes.end())); std::isnan(last))
      return last;
    const double a = code::decode(*middle), b = code::decode(next);
    if (a == b) return a;  // both may be infinite
    return static_cast<double>(static_cast<long double>(a) +
                               (static_cast<long double>(b) - static_cast<long double>(a)) *
                                   static_cast<long double>(part));
  }
};
using found_quantiles = key_values<std::string_view, double>;

/// Returns a quantile of each group that has numbers.
found_quantiles quantiles_of(const opened_text& text, const group_reader& reader, std::uint8_t r,
                             double share, const map_reduce_options& o) {
  const group_plan::input& in = reader.plan.of[reader.plan.result_of[r].input];
  const std::uint64_t are_integers = !in.has_reals() && !in.is_wide() ? 1 : 0;
  return mapreduce::by_lists<std::string_view, std::uint64_t, double>(
      text,
      [reader, field = std::uint64_t{in.field}, are_integers](const text_piece& piece, auto& out) {
        // Of records that the first pass has taken.
        (void)reader.read(piece, [&](std::string_view key, const std::uint64_t*, const auto& fields) {
          const std::string_view text = fields[field];
          if (text.empty() || (reader.has_nulls != 0 && reader.is_null(text))) return;
          out.emit(key, are_integers != 0
                            ? sorting::ordered_key<std::int64_t, false>::encode(io::parse_integer(text).value)
                            : sorting::ordered_key<double, false>::encode(io::parse_double(text).value));
        });
      },
      quantile_of_codes{share, are_integers}, o, mapreduce::default_hash{});
}

/// Returns whether a core found that the text must be read again.
bool in_vain(const group_reader& reader) {
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
    on_all_cores([found = found.handle(), parts = pairs.parts(), keys = plan.keys] {
      std::uint32_t numeric = (1U << keys) - 1;
      parts.here().for_each_slot([&](const auto& s) {
        for (std::uint8_t k = 0; numeric != 0 && k < keys; ++k)
          if (!is_finite(key_field(s.key.text(), k, keys))) numeric &= ~(1U << k);
      });
      found.here() = numeric;
    });
    return found.fold(~std::uint32_t{0}, std::bit_and<>{});
  }

  bool run(const opened_text& text, const group_reader& reader, const map_reduce_options& o) override {
    plan = reader.plan;
    pairs = mapreduce::by_containers<std::string_view, row>(
        text,
        [reader](const text_piece& piece, auto& out) {
          const bool counts =
              reader.read(piece, [&](std::string_view key, const std::uint64_t* words, const auto&) {
                row r;
                std::memcpy(r.words.data(), words, reader.plan.words * sizeof words[0]);
                out.emit(key, r);
              });
          if (!counts) out.abandon();
        },
        combine_rows<Words>{reader.how}, o, mapreduce::default_hash{});
    return !in_vain(reader);
  }

  void count_distinct(const opened_text& text, const group_reader& reader, std::uint8_t r,
                      const map_reduce_options& o) override {
    const group_plan::result result = plan.result_of[r];
    const found_fields found = find_fields(text, reader, result.input, o);
    row one{};
    reader.how.neutral(one.words.data());
    one.words[result.word] = 1;
    if (pairs.is_stored()) return join_stored(reader, found, one, o);
    on_all_cores([reader, one, all = pairs.parts(), found = found.parts()] {
      combine_rows<Words> combine{reader.how};
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
    const found_quantiles found = quantiles_of(text, reader, r, share, o);
    row neutral{};
    reader.how.neutral(neutral.words.data());
    on_all_cores([reader, neutral, word = std::uint64_t{plan.result_of[r].word}, all = pairs.parts(),
                  found = found.parts()] {
      combine_rows<Words> combine{reader.how};
      auto& mine = all.here().pairs;
      found.here().for_each_slot([&](const auto& s) {
        row one = neutral;
        one.words[word] = std::bit_cast<std::uint64_t>(s.value);  // added to 0
        mine.add(s.key, mine.hash_of(s.key), one, combine);
      });
      mine.settle(combine);
    });
  }

 private:
  /// Joins the groups with `one` for each field that was found, where they lie in scratch files.
  void join_stored(const group_reader& reader, const found_fields& found, const row& one,
                   map_reduce_options o) {
    using input =
        groups_and_fields<typename key_values<std::string_view, row>::part, typename found_fields::part, row>;
    o.resume.clear();
    o.progress = nullptr;
    o.statistics = nullptr;
    pairs = mapreduce::by_containers<std::string_view, row>(
        input(pairs.parts(), found.parts(), one),
        [](const typename input::element& e, auto& out) { out.emit(e.key, *e.words); },
        combine_rows<Words>{reader.how}, o, mapreduce::default_hash{});
  }
};

}  // namespace

std::unique_ptr<group_rows> make_rows(std::size_t words) {
  // With four sizes all of this compiles in two thirds of the time. But pairs are copied on their way to the containers: rows of 3
  // words took 15 to 25 % longer to group as rows of 6, and rows of 8 words as rows of 14.
  if (words <= 1) return std::make_unique<rows_of<1>>();
  if (words <= 4) return std::make_unique<rows_of<4>>();
  if (words <= 6) return std::make_unique<rows_of<6>>();  // a slot is a cache line
  if (words <= 8) return std::make_unique<rows_of<8>>();
  if (words <= 16) return std::make_unique<rows_of<16>>();
  return std::make_unique<rows_of<group_plan::k_most_words>>();
}

}  // namespace gossamer::tables
