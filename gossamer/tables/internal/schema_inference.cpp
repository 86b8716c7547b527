#include "gossamer/tables/internal/schema_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gossamer/base/error.hpp"
#include "gossamer/base/nearest.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/tables/internal/group_reader.hpp"

namespace gossamer::tables {

namespace {

constexpr std::size_t k_head_bytes = 64 << 10;  // of the first file: looked at before anything else

/// Returns the number of the input that reads a field, a new one where there is none.
std::uint8_t input_of(group_plan& p, std::uint8_t field) {
  for (std::uint8_t i = 0; i < p.inputs; ++i)
    if (p.of[i].field == field) return i;
  if (p.inputs == group_plan::k_most_inputs)
    throw error(fmt::format("expected results of at most {} columns of numbers, found more",
                            group_plan::k_most_inputs));
  p.of[p.inputs].field = field;
  return p.inputs++;
}

}  // namespace

std::string whole_head(const opened_text& text, bool quotes) {
  for (std::size_t bytes = k_head_bytes;; bytes *= 4) {
    std::string head = text.head(bytes);
    const bool all = head.size() < bytes;
    const std::size_t whole = all ? head.size() : io::whole_records(head, quotes);
    if (all || whole != 0) {
      head.resize(whole);
      return head;
    }
  }
}

schema_inference::schema_inference(const group_query& q, const std::string& head) : path_(q.paths.front()) {
  format_.blanks = q.blanks;
  format_.quotes = q.quotes && !q.blanks;
  const std::size_t mark = io::byte_order_mark(head);
  format_.separator =
      q.separator != 0 || q.blanks ? q.separator : io::guess_separator(std::string_view(head).substr(mark));
  if (head.size() == mark) throw error(fmt::format("{}: expected records, found an empty file", path_));
  const io::delimited_header first = [&] {
    try {
      return io::read_header(head, format_, path_);
    } catch (const error& e) {
      throw error(fmt::format("{}; fields are cut at {}: --separator cuts them elsewhere", e.what(),
                              separator_name()));
    }
  }();
  width_ = static_cast<std::uint32_t>(first.names.size());
  header_ = q.header.value_or(names_columns(q, first.names));
  if (header_) names_ = first.names;
  first_ = first.names;
  is_asked_ = q.header.has_value();
  nulls_ = q.nulls;
  records_ = std::string_view(head).substr(header_ ? first.bytes : mark);
  if (!q.blanks) format_.fields = width_;
}

group_plan schema_inference::plan(const group_query& q) const {
  group_plan p;
  std::vector<std::uint32_t> keys, columns;
  for (const std::string& name : q.by) keys.push_back(find(name));
  columns = keys;
  std::vector<std::uint32_t> of;
  for (const group_result& r : q.results) {
    of.push_back(r.what == aggregate::count ? 0 : find(r.column));
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
  learn_numbers(p);
  return p;
}

std::string schema_inference::name_of_column(const std::string& wanted) const {
  const std::uint32_t c = find(wanted);
  return header_ ? names_[c] : fmt::format("column_{}", c + 1);
}

std::uint32_t schema_inference::find(const std::string& name) const {
  if (!header_ && io::parse_unsigned(name).state != io::number_state::ok) refuse_name(name);
  const std::uint32_t column = [&] {
    try {
      return io::find_column(name, names_, path_);
    } catch (const error& e) {
      // A name that holds a separator, or one column of all: the line was cut elsewhere.
      throw error(first_.size() == 1 ? fmt::format("{}; {}", e.what(), first_line()) : std::string(e.what()));
    }
  }();
  if (column >= width_ && format_.fields != 0)
    throw error(fmt::format("{}: expected at least {} columns, found {}; {}", path_, column + 1, width_,
                            first_line()));
  return column;
}

std::string schema_inference::separator_name() const {
  if (format_.blanks) return "blanks";
  return format_.separator == '\t' ? "tabs" : fmt::format("'{}'", format_.separator);
}

/// Says how the first line was cut.
std::string schema_inference::first_line() const {
  constexpr std::size_t k_most = 12, k_most_bytes = 40;
  std::string fields;
  for (std::size_t i = 0; i < std::min(k_most, first_.size()); ++i) {
    std::string field = first_[i].substr(0, k_most_bytes);
    std::ranges::replace_if(field, [](unsigned char c) { return c < ' '; }, ' ');
    fields += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", field);
  }
  if (first_.size() > k_most) fields += fmt::format(" and {} more", first_.size() - k_most);
  return fmt::format("the first line, cut at {}, is {} (--separator cuts it elsewhere)", separator_name(),
                     fields);
}

/// Throws gossamer::error: a name without a header.
void schema_inference::refuse_name(const std::string& name) const {
  const std::string near = nearest(name, first_);
  const std::string what =
      is_asked_      ? "names of columns need a header, and --no-header says that there is none"
      : near.empty() ? "names of columns need a header: it must be the first line; --header takes that for it"
                     : fmt::format("did you mean \"{}\"?", near);
  throw error(fmt::format("{}: no column \"{}\": {}; {}", path_, name, what, first_line()));
}

/// Returns whether the first record names the columns: one that is asked for has its name, or holds no number where
/// numbers are wanted and the second record does.
bool schema_inference::names_columns(const group_query& q, const std::vector<std::string>& first) {
  const auto is_name = [&](const std::string& name) { return std::ranges::find(first, name) != first.end(); };
  const auto is_number = [](std::string_view field) {
    return io::parse_double(field).state == io::number_state::ok;
  };
  // Digits are a name where they are too many for the number of a column.
  const auto is_number_of_column = [&](const std::string& name) {
    const auto number = io::parse_unsigned(name);
    return number.state == io::number_state::ok ? number.value >= 1 && number.value <= first.size()
                                                : is_number(name);
  };
  for (const std::string& name : q.by)
    if (is_name(name) && !is_number_of_column(name)) return true;
  for (const group_result& r : q.results) {
    if (r.what == aggregate::count) continue;
    if (is_name(r.column) && !is_number_of_column(r.column)) return true;
    const auto number = io::parse_unsigned(r.column);
    if (r.what == aggregate::distinct || number.state != io::number_state::ok || number.value < 1 ||
        number.value > first.size())
      continue;
    const std::string& field = first[number.value - 1];
    if (!field.empty() && !is_number(field) && std::ranges::find(q.nulls, field) == q.nulls.end())
      return true;
  }
  return false;
}

/// Notes what the columns of numbers hold.
void schema_inference::learn_numbers(group_plan& p) const {
  io::delimited_scratch scratch(k_head_bytes);
  io::delimited_format any = format_;
  any.fields = 0;
  std::uint32_t texts = 0, numbers = 0;  // bits of columns that hold such fields
  io::read_records(
      records_, any, std::span(p.columns).first(p.fields), scratch,
      [&](const io::delimited_record& r) {
        for (std::uint8_t i = 0; i < p.inputs; ++i) {
          const std::string_view field = r.fields[p.of[i].field];
          const io::exact_number number = io::parse_exact(field);
          if (field.empty() || std::ranges::find(nulls_, field) != nulls_.end()) continue;
          (number.state == io::number_state::none || number.state == io::number_state::trailing ? texts
                                                                                                : numbers) |=
              1U << i;
          if (number.state == io::number_state::ok) p.of[i].known |= known_of(number);
        }
      },
      [](const io::delimited_problem&) { return true; });
  for (std::uint8_t i = 0; i < p.inputs; ++i) {
    group_plan::input& in = p.of[i];
    in.known = group_plan::settled(in.known);
    const bool quantile =
        std::any_of(p.result_of.begin(), p.result_of.begin() + p.results,
                    [i](const auto& r) { return r.what == aggregate::quantile && r.input == i; });
    in.is_texts = !in.sums && !quantile && ((texts & ~numbers) >> i & 1) != 0;
  }
}

}  // namespace gossamer::tables
