#include "gossamer/tables/internal/group_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/tables/internal/group_reader.hpp"

namespace gossamer::tables {

namespace {

constexpr std::size_t k_head_bytes = 64 << 10;  // of the first file with rows: read first

/// Returns the index of the input that reads a field; makes a new one if there is none.
std::uint8_t input_of(group_plan& p, std::uint8_t field) {
  for (std::uint8_t i = 0; i < p.inputs; ++i)
    if (p.of[i].field == field) return i;
  if (p.inputs == group_plan::k_most_inputs)
    throw error(fmt::format("expected results of at most {} columns of numbers, found more",
                            group_plan::k_most_inputs));
  p.of[p.inputs].field = field;
  return p.inputs++;
}

/// What records show of the columns of numbers: bits of the columns with such fields.
struct seen_fields {
  std::uint32_t texts = 0, numbers = 0, long_texts = 0;
};

/// Looks at records, and adds to what is known of the numbers. Missing values show nothing.
seen_fields look_at(std::string_view records, const io::delimited_format& format,
                    std::span<const std::string> nulls, io::delimited_scratch& scratch, group_plan& p) {
  seen_fields seen;
  const auto take = [&](const io::delimited_record& r) {
    for (std::uint8_t i = 0; i < p.inputs; ++i) {
      const std::string_view field = r.fields[p.of[i].field];
      if (field.empty() || std::ranges::find(nulls, field) != nulls.end()) continue;
      if (field.size() > group_plan::k_most_text) seen.long_texts |= 1U << i;
      const io::exact_number number = io::parse_exact(field);
      if (number.state == io::number_state::ok) p.of[i].known |= known_of(number);
      if (number.state == io::number_state::ok || number.state == io::number_state::overflow)
        seen.numbers |= 1U << i;
      else if (!looks_missing(field))
        seen.texts |= 1U << i;
    }
  };
  io::read_records(records, format, std::span(p.columns).first(p.fields), scratch, take,
                   [](const io::delimited_problem&) { return true; });
  return seen;
}

/// Returns the columns that may be numbers or texts: bits.
std::uint32_t open_columns(const group_plan& p) {
  std::uint32_t open = 0;
  for (std::uint8_t i = 0; i < p.inputs; ++i) open |= p.of[i].sums ? 0 : 1U << i;
  for (const group_plan::result& r : std::span(p.result_of).first(p.results))
    if (r.what == aggregate::quantile) open &= ~(1U << r.input);
  return open;
}

/// Determines the types of the columns of numbers, by the first part of the text that shows any value of them:
/// nearly always the head.
void learn_numbers(const io::schema& found, std::span<const std::string> nulls, const opened_text& text,
                   group_plan& p) {
  io::delimited_scratch scratch(k_head_bytes);
  io::delimited_format any = found.format();
  any.fields = 0;
  std::uint32_t open = open_columns(p), texts = 0, long_texts = 0;
  const auto look = [&](std::string_view records) {
    const seen_fields seen = look_at(records, any, nulls, scratch, p);
    texts |= open & seen.texts & ~seen.numbers;
    long_texts |= seen.long_texts;
    open &= ~(seen.texts | seen.numbers);
    return open != 0;
  };
  if (look(found.records()))
    text.read(any.quotes, [&](const text_chunk& chunk) {
      return look(chunk.text.substr(rows_begin(chunk, found.has_header(), any, found.names())));
    });
  for (std::uint8_t i = 0; i < p.inputs; ++i) {
    group_plan::input& in = p.of[i];
    in.is_texts = (texts >> i & 1) != 0;
    in.known = !in.is_texts                 ? group_plan::settled(in.known)
               : (long_texts >> i & 1) != 0 ? group_plan::k_long_texts
                                            : 0;
  }
}

}  // namespace

opened_text::beginning whole_head(const opened_text& text, bool quotes) {
  for (std::size_t bytes = k_head_bytes;; bytes *= 4) {
    opened_text::beginning head = text.head(bytes, quotes);
    const bool all = head.text.size() < bytes;
    const std::size_t whole = all ? head.text.size() : io::whole_records(head.text, quotes);
    if (all || whole > bytes / 2) {  // more than a header before a long record
      head.text.resize(whole);
      return head;
    }
  }
}

io::schema schema_of(const group_query& q, std::string_view head, const std::string& path) {
  io::schema_options options{.separator = q.separator,
                             .blanks = q.blanks,
                             .quotes = q.quotes,
                             .header = q.header,
                             .columns = q.by,
                             .nulls = q.nulls,
                             .skip_bad = q.skip_bad};
  for (const group_result& r : q.results) {
    if (r.what == aggregate::count) continue;
    options.columns.push_back(r.column);
    if (r.what == aggregate::minimum || r.what == aggregate::maximum)
      options.comparable.push_back(r.column);
    else if (r.what != aggregate::distinct)
      options.numbers.push_back(r.column);
  }
  return {head, options, path};
}

group_plan plan_groups(const group_query& q, const io::schema& found, const opened_text& text) {
  group_plan p;
  std::vector<std::uint32_t> keys, columns;
  for (const std::string& name : q.by) keys.push_back(found.find(name));
  columns = keys;
  std::vector<std::uint32_t> of;
  for (const group_result& r : q.results) {
    of.push_back(r.what == aggregate::count ? 0 : found.find(r.column));
    if (r.what != aggregate::count) columns.push_back(of.back());
  }
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  const auto field_of = [&](std::uint32_t column) {
    return static_cast<std::uint8_t>(std::ranges::lower_bound(columns, column) - columns.begin());
  };
  p.fields = static_cast<std::uint8_t>(columns.size());
  std::ranges::copy(columns, p.columns.begin());
  for (const std::uint32_t column : keys) p.key[p.keys++] = field_of(column);
  for (std::size_t i = 0; i < q.results.size(); ++i) {
    group_plan::result& r = p.result_of[p.results++];
    r.what = q.results[i].what;
    if (r.what == aggregate::distinct) r.input = field_of(of[i]);
    if (r.what == aggregate::count || r.what == aggregate::distinct) continue;
    r.input = input_of(p, field_of(of[i]));
    group_plan::input& in = p.of[r.input];
    in.sums |= r.what == aggregate::sum || r.what == aggregate::mean;
    in.minima |= r.what == aggregate::minimum;
    in.maxima |= r.what == aggregate::maximum;
  }
  learn_numbers(found, q.nulls, text, p);
  return p;
}

}  // namespace gossamer::tables
