#pragma once
// Delimited text read slowly and obviously, and compared with the reader of gossamer/io: whole, in chunks of several
// sizes, and cut into chunks. What either side gives becomes a list of lines, one for each record or problem.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_cuts.hpp"

namespace gossamer::test {

using delimited_events = std::vector<std::string>;
using delimited_columns = std::vector<std::uint32_t>;

inline std::string record_event(std::size_t at, std::string_view text, std::size_t count,
                                const std::vector<std::string>& fields) {
  return fmt::format("record at {} <{}> of {} fields: <{}>", at, text, count, fmt::join(fields, "><"));
}

inline std::string problem_event(const io::delimited_problem& p, std::size_t offset) {
  return fmt::format("{} at {} in the record at {} <{}>", io::describe(p), p.at + offset,
                     p.record_at + offset, p.record);
}

/// The place of each record in the text: its first byte, and the first one after its line feed.
struct record_extent {
  std::size_t begin, end;
  bool line_feed;
};

inline std::vector<record_extent> oracle_extents(std::string_view text, bool quotes) {
  std::vector<record_extent> extents;
  std::size_t begin = 0, seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quotes && text[i] == '"') ++seen;
    if (text[i] != '\n' || seen % 2 != 0) continue;
    extents.push_back({begin, i + 1, true});
    begin = i + 1;
  }
  if (begin < text.size()) extents.push_back({begin, text.size(), false});
  return extents;
}

/// The fields of one record, without its line end.
struct oracle_fields {
  std::vector<std::string> values;
  std::vector<std::size_t> begins;
  std::optional<io::delimited_fault> fault;
  std::size_t fault_at = 0;
};

inline oracle_fields split_slowly(std::string_view body, const io::delimited_format& format) {
  oracle_fields fields;
  const auto separates = [&](std::size_t i) {
    return format.blanks ? body[i] == ' ' || body[i] == '\t' : body[i] == format.separator;
  };
  const auto is_around = [&](std::size_t i) {  // a blank around a field
    return format.trims && i < body.size() && (body[i] == ' ' || body[i] == '\t') && !separates(i);
  };
  const auto fault = [&](io::delimited_fault what, std::size_t at) {
    fields.fault = what;
    fields.fault_at = at;
    return fields;
  };
  std::size_t i = 0;
  for (;;) {
    while (format.blanks && i < body.size() && separates(i)) ++i;
    if (format.blanks && i == body.size()) return fields;
    while (is_around(i)) ++i;
    const std::size_t begin = i;
    std::string value;
    if (format.quotes && i < body.size() && body[i] == '"') {
      for (++i;; ++i) {
        if (i == body.size()) return fault(io::delimited_fault::open_quote, begin);
        if (body[i] == '"') {
          if (i + 1 == body.size() || body[i + 1] != '"') break;
          ++i;
        }
        value += body[i];
      }
      ++i;
      while (is_around(i)) ++i;
      if (i < body.size() && !separates(i)) return fault(io::delimited_fault::text_after_quote, i);
    }
    const bool quoted = i > begin;
    for (; i < body.size() && !separates(i); ++i) {
      if (format.quotes && body[i] == '"') return fault(io::delimited_fault::quote_in_field, i);
      value += body[i];
    }
    while (format.trims && !quoted && !value.empty() && (value.back() == ' ' || value.back() == '\t'))
      value.pop_back();
    fields.values.push_back(value);
    fields.begins.push_back(begin);
    if (i == body.size()) return fields;
    ++i;
  }
}

inline delimited_events oracle_events(std::string_view text, const io::delimited_format& format,
                                      const delimited_columns& columns) {
  delimited_events events;
  for (const record_extent& extent : oracle_extents(text, format.quotes)) {
    std::string_view body = text.substr(extent.begin, extent.end - extent.begin - extent.line_feed);
    if (body.ends_with('\r')) body.remove_suffix(1);
    const oracle_fields all = split_slowly(body, format);
    const bool empty = format.blanks ? all.values.empty() : body.empty();
    if (!all.fault && empty && !format.empty_lines) continue;
    const auto found = static_cast<std::uint32_t>(all.values.size());
    const std::uint32_t needed = columns.empty() ? 0 : columns.back() + 1;
    io::delimited_problem problem{io::delimited_fault::few_fields, extent.begin + body.size(), extent.begin,
                                  body};
    problem.expected = format.fields != 0 ? format.fields : needed;
    problem.at_least = format.fields == 0;
    problem.found = found;
    if (all.fault) {
      problem.fault = *all.fault;
      problem.at = extent.begin + all.fault_at;
      events.push_back(problem_event(problem, 0));
    } else if (format.fields != 0 && found > format.fields) {
      problem.fault = io::delimited_fault::many_fields;
      problem.at = extent.begin + all.begins[format.fields];
      events.push_back(problem_event(problem, 0));
    } else if (found < problem.expected) {
      events.push_back(problem_event(problem, 0));
    } else {
      std::vector<std::string> wanted;
      for (const std::uint32_t c : columns) wanted.push_back(all.values[c]);
      events.push_back(record_event(extent.begin, body, found, wanted));
    }
  }
  return events;
}

/// Appends what the reader gives for text[begin, end).
inline void read_events(std::string_view text, std::size_t begin, std::size_t end,
                        const io::delimited_format& format, const delimited_columns& columns,
                        io::delimited_scratch& scratch, delimited_events& events) {
  io::read_records(
      text.substr(begin, end - begin), format, columns, scratch,
      [&](const io::delimited_record& r) {
        events.push_back(record_event(r.at + begin, r.text, r.count, {r.fields.begin(), r.fields.end()}));
      },
      [&](const io::delimited_problem& p) {
        events.push_back(problem_event(p, begin));
        return true;
      });
}

/// Reads the text in chunks that begin about at the places given, in ascending order, as several cores do.
inline delimited_events cut_events(std::string_view text, const std::vector<std::size_t>& cuts,
                                   const io::delimited_format& format, const delimited_columns& columns,
                                   io::delimited_scratch& scratch) {
  delimited_events events;
  std::uint64_t quotes = 0;
  std::size_t start = 0, counted = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    std::size_t next = text.size();
    if (i < cuts.size()) {
      if (format.quotes) quotes += io::count_quotes(text.substr(counted, cuts[i] - counted));
      counted = cuts[i];
      next = io::record_start(text, cuts[i], quotes % 2 != 0, format.quotes);
    }
    read_events(text, start, next, format, columns, scratch, events);
    start = next;
  }
  return events;
}

/// Returns the first difference between the two lists; empty where there is none.
inline std::string difference(const delimited_events& got, const delimited_events& expected) {
  for (std::size_t i = 0; i < got.size() || i < expected.size(); ++i) {
    const std::string left = i < got.size() ? got[i] : "nothing",
                      right = i < expected.size() ? expected[i] : "nothing";
    if (left != right) return fmt::format("event {}: got {}\nexpected {}", i, left, right);
  }
  return {};
}

}  // namespace gossamer::test
