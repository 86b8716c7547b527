// Finds the columns, runs the passes over the text, and gives the groups in order.
#include "gossamer/mapreduce/group_by.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/mapreduce/internal/group_plan.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/mapreduce/skipped_rows.hpp"

namespace gossamer {

std::string_view name_of(aggregate what) {
  constexpr std::array<std::string_view, 6> k_names{"count", "sum", "min", "max", "mean", "distinct"};
  return k_names[static_cast<std::size_t>(what)];
}

namespace mapreduce {

struct group_reader;

/// Groups whose rows have a known number of words.
struct group_rows {
  virtual ~group_rows() = default;
  virtual std::uint64_t size() const = 0;
  /// Makes one pass over the text. Returns false where it was in vain.
  virtual bool run(const opened_text& text, const group_reader& reader, const map_reduce_options& o) = 0;
  /// Counts the different fields of result `r` in each group: makes another pass over the text.
  virtual void count_distinct(const opened_text& text, const group_reader& reader, std::uint8_t r,
                              const map_reduce_options& o) = 0;
  /// Calls f(key, row) for the first k groups in an order.
  virtual void first(std::uint64_t k, grouped_rows::order by, std::uint32_t numeric_keys,
                     function_ref<void(std::string_view, const std::uint64_t*)> f) const = 0;
  /// Returns a bit for each column of the key: all its fields are numbers.
  virtual std::uint32_t numeric_keys() const = 0;
  group_plan plan;
};

namespace {

constexpr std::size_t k_head_bytes = 64 << 10;  // of the first file: looked at before anything else

/// Returns whether a field is a number that has an order.
bool is_finite(std::string_view field) {
  const auto number = io::parse_double(field);
  return number.state == io::number_state::ok && std::isfinite(number.value);
}

}  // namespace

/// What a process knows of a query beside the plan, and what its cores found out about the text.
struct group_state {
  std::string head;  // up to and with the header; process 0's comes to all
  std::vector<std::string> names;  // empty: no header
  std::atomic<std::uint32_t> real_inputs{0};  // bits: columns of numbers that hold others than integers
  std::atomic<bool> quoted_lines{false};  // a piece was cut inside of quotes, or may have been
  bool again() const {
    return real_inputs.load(std::memory_order_relaxed) != 0 || quoted_lines.load(std::memory_order_relaxed);
  }
};

void row_combiner::overflow(std::uint8_t word) const {
  const std::vector<std::string>& names = state_.here().names;
  const std::uint32_t column = columns[word];
  throw error(fmt::format("the sum of column {} exceeds 64 bits in a group",
                          column < names.size() ? names[column] : std::to_string(column + 1)));
}

/// What a core needs to read records.
struct group_scratch {
  io::delimited_scratch records = io::delimited_scratch();
  std::string key;
  std::uint64_t taken = 0;
  skipped_rows skipped;
};

/// How records are read: trivially copyable.
struct group_reader {
  group_plan plan;
  io::delimited_format format;
  row_combiner how;
  per_process<group_state> state;
  per_core<group_scratch> scratch;
  bool header, skip_bad, by_records;

  /// Calls give(key, row, fields) for each record of a piece.
  template <class Give>
  void read(const text_piece& piece, Give give) const;

 private:
  enum class outcome : std::uint8_t { ok, bad, again };
  outcome fill(std::uint64_t* row, std::span<const std::string_view> fields, std::uint8_t& bad) const;
  std::size_t beginning(const text_piece& piece) const;
};

/// Returns where the records of a piece begin: behind mark and header, at the beginning of a file.
std::size_t group_reader::beginning(const text_piece& piece) const {
  if (piece.begin != 0 || piece.share_begin != 0) return 0;
  if (!header) return io::byte_order_mark(piece.text);
  const io::delimited_header found = io::read_header(piece.text, format, *piece.path);
  const std::vector<std::string>& names = state.here().names;
  if (found.names != names)
    throw error(fmt::format("{}: expected the header of the first file, \"{}\", found \"{}\"", *piece.path,
                            fmt::join(names, ","), fmt::join(found.names, ",")));
  return found.bytes;
}

/// Fills a neutral row from the fields of a record. `bad`: the field that is no number.
group_reader::outcome group_reader::fill(std::uint64_t* row, std::span<const std::string_view> fields,
                                         std::uint8_t& bad) const {
  row[0] = 1;
  for (std::uint8_t i = 0; i < plan.inputs; ++i) {
    const group_plan::input& in = plan.of[i];
    const std::string_view field = fields[in.field];
    if (field.empty()) continue;
    std::uint64_t word;
    if (in.real) {
      const auto number = io::parse_double(field);
      bad = in.field;
      if (number.state != io::number_state::ok) return outcome::bad;
      word = std::bit_cast<std::uint64_t>(number.value);
    } else {
      const auto number = io::parse_integer(field);
      if (number.state != io::number_state::ok) [[unlikely]] {
        bad = in.field;
        if (io::parse_double(field).state != io::number_state::ok) return outcome::bad;
        state.here().real_inputs.fetch_or(1U << i, std::memory_order_relaxed);
        return outcome::again;
      }
      word = static_cast<std::uint64_t>(number.value);
    }
    row[in.count] = 1;
    if (in.sum != group_plan::k_none) row[in.sum] = word;
    if (in.minimum != group_plan::k_none) row[in.minimum] = word;
    if (in.maximum != group_plan::k_none) row[in.maximum] = word;
  }
  return outcome::ok;
}

template <class Give>
void group_reader::read(const text_piece& piece, Give give) const {
  group_state& known = state.here();
  if (known.again()) return;  // this pass is in vain
  group_scratch& mine = scratch.here();
  const std::size_t begin = beginning(piece);
  const auto refuse = [&](std::size_t at, const std::string& what) {
    if (!skip_bad) fail_at(piece, at, what);
    mine.skipped.add(piece, at, what);
  };
  std::array<std::uint64_t, group_plan::k_most_words> empty, row;
  how.neutral(empty.data());
  const auto take = [&](const io::delimited_record& r) {
    std::memcpy(row.data(), empty.data(), plan.words * sizeof row[0]);
    std::uint8_t bad = 0;
    if (const outcome came = fill(row.data(), r.fields, bad); came != outcome::ok) [[unlikely]] {
      if (came == outcome::bad)
        refuse(begin + r.at, fmt::format("expected a number in column {}, found \"{}\"",
                                         known.names.empty() ? std::to_string(plan.columns[bad] + 1)
                                                             : known.names[plan.columns[bad]],
                                         r.fields[bad].substr(0, 40)));
      return;
    }
    ++mine.taken;
    if (plan.keys == 1) return give(r.fields[plan.key[0]], row.data(), r.fields);
    mine.key.clear();
    for (std::uint8_t k = 0; k < plan.keys; ++k)
      append_key_field(mine.key, r.fields[plan.key[k]], k + 1 == plan.keys);
    give(std::string_view(mine.key), row.data(), r.fields);
  };
  const auto skip = [&](const io::delimited_problem& p) {
    // A piece that was cut inside of quotes has an odd number of them, or the one before it has.
    if (format.quotes && !by_records && io::count_quotes(piece.text) != 0) {
      known.quoted_lines.store(true, std::memory_order_relaxed);
      return false;
    }
    refuse(begin + p.record_at, io::describe(p));
    return true;
  };
  io::read_records(piece.text.substr(begin), format, std::span(plan.columns).first(plan.fields), mine.records,
                   take, skip);
}

namespace {

/// A group and a field: its length, the key, the field. Lies with the core that has the group.
struct distinct_hash {
  static std::string_view group_of(std::string_view key) {
    std::uint32_t n;
    std::memcpy(&n, key.data(), sizeof n);
    return key.substr(sizeof n, n);
  }
  std::uint64_t operator()(std::string_view key) const {
    constexpr std::uint64_t k_low = (std::uint64_t{1} << k_partition_shift) - 1;
    return (text_key::of(group_of(key)).hash() & ~k_low) | (hash_bytes(key.data(), key.size()) & k_low);
  }
};

/// Compares rows by a column, then by the key. Trivially copyable.
struct group_order {
  group_plan plan;
  grouped_rows::order by;
  std::uint32_t numeric_keys;

  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    if (by.column >= plan.keys) {
      const int c = compare_results(a.value.words.data(), b.value.words.data());
      if (c != 0) return c < 0;
    } else if (plan.keys == 1 && numeric_keys == 0 && !by.descending) {
      return key_order{}(a.key, b.key);
    } else {
      const int c = compare_fields(a.key.text(), b.key.text(), by.column);
      if (c != 0) return by.descending ? c > 0 : c < 0;
    }
    for (std::uint8_t k = 0; k < plan.keys; ++k)
      if (const int c = compare_fields(a.key.text(), b.key.text(), k); c != 0) return c < 0;
    return false;
  }

 private:
  template <class T>
  static int compare(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
  }
  int compare_fields(std::string_view a, std::string_view b, std::size_t k) const {
    const std::string_view x = key_field(a, k, plan.keys), y = key_field(b, k, plan.keys);
    if ((numeric_keys >> k & 1) != 0)
      if (const int c = compare(io::parse_double(x).value, io::parse_double(y).value); c != 0) return c;
    return x.compare(y);
  }
  int compare_results(const std::uint64_t* a, const std::uint64_t* b) const;
};

/// Returns result `r` of a row.
group_value result_in(const group_plan& p, std::size_t r, const std::uint64_t* row) {
  using type = group_value::type;
  const group_plan::result& result = p.result_of[r];
  if (result.what == aggregate::count) return {type::integer, {}, static_cast<std::int64_t>(row[0]), 0};
  if (result.what == aggregate::distinct)
    return {type::integer, {}, static_cast<std::int64_t>(row[result.word]), 0};
  const group_plan::input& in = p.of[result.input];
  const std::uint64_t count = row[in.count];
  if (count == 0) return {};
  if (result.what == aggregate::mean) {
    // More digits than a double, so that the quotient is rounded once, nearly always.
    const long double sum = in.real ? static_cast<long double>(std::bit_cast<double>(row[in.sum])) +
                                          static_cast<long double>(std::bit_cast<double>(row[in.sum + 1]))
                                    : static_cast<long double>(static_cast<std::int64_t>(row[in.sum]));
    return {type::real, {}, 0, static_cast<double>(sum / static_cast<long double>(count))};
  }
  const std::uint64_t word = row[result.what == aggregate::sum       ? in.sum
                                 : result.what == aggregate::minimum ? in.minimum
                                                                     : in.maximum];
  if (in.real) return {type::real, {}, 0, std::bit_cast<double>(word)};
  return {type::integer, {}, static_cast<std::int64_t>(word), 0};
}

int group_order::compare_results(const std::uint64_t* a, const std::uint64_t* b) const {
  const group_value x = result_in(plan, by.column - plan.keys, a);
  const group_value y = result_in(plan, by.column - plan.keys, b);
  const auto none = [](const group_value& v) {
    return v.is == group_value::type::none || std::isnan(v.real);
  };
  const bool no_x = none(x), no_y = none(y);
  if (no_x || no_y) return compare(no_x, no_y);
  const int c = x.is == group_value::type::integer ? compare(x.integer, y.integer) : compare(x.real, y.real);
  return by.descending ? -c : c;
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

  std::uint32_t numeric_keys() const override {
    std::uint32_t all = (1U << plan.keys) - 1;
    for (const std::uint32_t part : collect(pairs.parts(), [p = plan](auto& mine) {
           std::uint32_t numeric = (1U << p.keys) - 1;
           mine.for_each_slot([&](const auto& s) {
             for (std::uint8_t k = 0; numeric != 0 && k < p.keys; ++k)
               if (!is_finite(key_field(s.key.text(), k, p.keys))) numeric &= ~(1U << k);
           });
           return numeric;
         }))
      all &= part;
    return all;
  }

  bool run(const opened_text& text, const group_reader& reader, const map_reduce_options& o) override {
    plan = reader.plan;
    pairs = map_reduce<std::string_view, row>(
        text,
        [reader](const text_piece& piece, auto& out) {
          reader.read(piece, [&](std::string_view key, const std::uint64_t* words, const auto&) {
            row r;
            std::memcpy(r.words.data(), words, reader.plan.words * sizeof words[0]);
            out.emit(key, r);
          });
        },
        combine_rows<Words>{reader.how}, o);
    return !in_vain(reader);
  }

  void count_distinct(const opened_text& text, const group_reader& reader, std::uint8_t r,
                      const map_reduce_options& o) override {
    if (pairs.is_stored())
      throw error("distinct needs all groups in memory: allow more memory, or leave distinct out");
    const group_plan::result result = plan.result_of[r];
    struct present {
      char yes;
    };
    struct either {
      present operator()(present a, present) const { return a; }
    };
    const auto found = map_reduce<std::string_view, present>(
        text,
        [reader, field = result.input](const text_piece& piece, auto& out) {
          std::string pair;
          reader.read(piece, [&](std::string_view key, const std::uint64_t*, const auto& fields) {
            if (fields[field].empty()) return;
            const auto n = static_cast<std::uint32_t>(key.size());
            pair.assign(reinterpret_cast<const char*>(&n), sizeof n).append(key).append(fields[field]);
            out.emit(std::string_view(pair), present{1});
          });
        },
        either{}, o, distinct_hash{});
    on_all_cores([reader, word = result.word, all = pairs.parts(), found = found.parts()] {
      row one;
      reader.how.neutral(one.words.data());
      one.words[word] = 1;
      combine_rows<Words> combine{reader.how};
      auto& mine = all.here().pairs;
      found.here().for_each_slot([&](const auto& s) {
        const text_key group = text_key::of(distinct_hash::group_of(s.key.text()));
        mine.add(group, mine.hash_of(group), one, combine);
      });
    });
  }

 private:
  static bool in_vain(const group_reader& reader) {
    bool again = false;
    for (const char of_core : collect(reader.scratch, [state = reader.state](group_scratch&) {
           return static_cast<char>(state.here().again());
         }))
      again |= of_core != 0;
    return again;
  }
};

std::unique_ptr<group_rows> make_rows(std::size_t words) {
  if (words <= 1) return std::make_unique<rows_of<1>>();
  if (words <= 4) return std::make_unique<rows_of<4>>();
  if (words <= 8) return std::make_unique<rows_of<8>>();
  if (words <= 16) return std::make_unique<rows_of<16>>();
  return std::make_unique<rows_of<group_plan::k_most_words>>();
}

/// Returns the head of the first file: whole records, or as much as there is.
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

/// What the first records say of the columns.
class first_look {
 public:
  first_look(const group_query& q, const std::string& head) : path_(q.paths.front()) {
    format_.blanks = q.blanks;
    format_.quotes = q.quotes && !q.blanks;
    const std::size_t mark = io::byte_order_mark(head);
    format_.separator =
        q.separator != 0 || q.blanks ? q.separator : io::guess_separator(std::string_view(head).substr(mark));
    if (head.size() == mark) throw error(fmt::format("{}: expected records, found an empty file", path_));
    const io::delimited_header first = io::read_header(head, format_, path_);
    width_ = static_cast<std::uint32_t>(first.names.size());
    header_ = q.header.value_or(names_columns(q, first.names));
    if (header_) names_ = first.names;
    records_ = std::string_view(head).substr(header_ ? first.bytes : mark);
    if (!q.blanks) format_.fields = width_;
  }

  bool header() const { return header_; }
  const io::delimited_format& format() const { return format_; }
  const std::vector<std::string>& names() const { return names_; }

  /// Lays out what the query asks for.
  group_plan plan(const group_query& q) const {
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
      constexpr std::uint8_t k_asked = 0;  // until lay_out()
      if (r.what == aggregate::sum || r.what == aggregate::mean) in.sum = k_asked;
      if (r.what == aggregate::minimum) in.minimum = k_asked;
      if (r.what == aggregate::maximum) in.maximum = k_asked;
    }
    mark_reals(p);
    return p;
  }

  /// Returns the name of a result or a column of the key.
  std::string name_of_column(const std::string& wanted) const {
    const std::uint32_t c = find(wanted);
    return header_ ? names_[c] : fmt::format("column_{}", c + 1);
  }

 private:
  std::uint32_t find(const std::string& name) const {
    const std::uint32_t column = io::find_column(name, names_, path_);
    if (column >= width_ && format_.fields != 0)
      throw error(fmt::format("{}: expected at least {} columns, found {}", path_, column + 1, width_));
    return column;
  }

  static std::uint8_t input_of(group_plan& p, std::uint8_t field) {
    for (std::uint8_t i = 0; i < p.inputs; ++i)
      if (p.of[i].field == field) return i;
    if (p.inputs == group_plan::k_most_inputs)
      throw error(fmt::format("expected results of at most {} columns of numbers, found more",
                              group_plan::k_most_inputs));
    p.of[p.inputs].field = field;
    return p.inputs++;
  }

  /// Returns whether the first record names the columns: one that is asked for has its name, or holds no number where
  /// numbers are wanted and the second record does.
  bool names_columns(const group_query& q, const std::vector<std::string>& first) const {
    const auto is_name = [&](const std::string& name) {
      return std::ranges::find(first, name) != first.end();
    };
    const auto is_number = [](std::string_view field) {
      return io::parse_double(field).state == io::number_state::ok;
    };
    for (const std::string& name : q.by)
      if (is_name(name) && !is_number(name)) return true;
    for (const group_result& r : q.results) {
      if (r.what == aggregate::count) continue;
      if (is_name(r.column) && !is_number(r.column)) return true;
      const auto number = io::parse_unsigned(r.column);
      if (r.what == aggregate::distinct || number.state != io::number_state::ok || number.value < 1 ||
          number.value > first.size())
        continue;
      const std::string& field = first[number.value - 1];
      if (!field.empty() && !is_number(field)) return true;
    }
    return false;
  }

  /// Notes which columns of numbers hold others than integers.
  void mark_reals(group_plan& p) const {
    io::delimited_scratch scratch(k_head_bytes);
    io::delimited_format any = format_;
    any.fields = 0;
    io::read_records(
        records_, any, std::span(p.columns).first(p.fields), scratch,
        [&](const io::delimited_record& r) {
          for (std::uint8_t i = 0; i < p.inputs; ++i) {
            const std::string_view field = r.fields[p.of[i].field];
            if (io::parse_integer(field).state != io::number_state::ok &&
                io::parse_double(field).state == io::number_state::ok)
              p.of[i].real = true;
          }
        },
        [](const io::delimited_problem&) { return true; });
  }

  std::string path_;
  io::delimited_format format_;
  std::vector<std::string> names_;
  std::uint32_t width_ = 0;
  bool header_ = false;
  std::string_view records_;
};

}  // namespace

}  // namespace mapreduce

grouped_rows::grouped_rows() = default;
grouped_rows::grouped_rows(grouped_rows&&) noexcept = default;
grouped_rows& grouped_rows::operator=(grouped_rows&&) noexcept = default;
grouped_rows::~grouped_rows() = default;

std::uint64_t grouped_rows::size() const { return rows_->size(); }

void grouped_rows::for_each(order by, function_ref<void(std::span<const group_value>)> f) const {
  first(~std::uint64_t{0}, by, f);
}

void grouped_rows::first(std::uint64_t k, order by,
                         function_ref<void(std::span<const group_value>)> f) const {
  if (by.column >= columns_.size())
    throw error(fmt::format("expected the number of one of {} columns to order by, found {}", columns_.size(),
                            by.column));
  const mapreduce::group_plan& p = rows_->plan;
  std::vector<group_value> row(columns_.size());
  rows_->first(k, by, rows_->numeric_keys(), [&](std::string_view key, const std::uint64_t* words) {
    for (std::size_t c = 0; c < p.keys; ++c)
      row[c] = {group_value::type::text, mapreduce::key_field(key, c, p.keys), 0, 0};
    for (std::size_t r = 0; r < p.results; ++r) row[p.keys + r] = mapreduce::result_in(p, r, words);
    f(row);
  });
}

grouped_rows group_by(const group_query& q) {
  using mapreduce::group_plan;
  if (q.paths.empty()) throw error("group_by: expected files, found none");
  if (q.by.empty() || q.by.size() > group_plan::k_most_keys)
    throw error(
        fmt::format("expected 1 to {} columns to group by, found {}", group_plan::k_most_keys, q.by.size()));
  if (q.results.size() > group_plan::k_most_results)
    throw error(
        fmt::format("expected at most {} results, found {}", group_plan::k_most_results, q.results.size()));
  grouped_rows groups;
  group_statistics& did = groups.statistics_;
  const double begin = mapreduce::seconds_now();
  opened_text text(q.paths, cut_at::lines);
  const std::string head = mapreduce::whole_head(text, q.quotes && !q.blanks);
  const mapreduce::first_look look(q, head);
  group_plan plan = look.plan(q);
  did.header = look.header();
  did.bytes = text.bytes();
  groups.keys_ = plan.keys;
  for (const std::string& name : q.by) groups.columns_.push_back(look.name_of_column(name));
  for (const group_result& r : q.results)
    groups.columns_.push_back(r.what == aggregate::count
                                  ? std::string("count")
                                  : fmt::format("{}_{}", name_of(r.what), look.name_of_column(r.column)));

  const scoped_per_process<mapreduce::group_state> state;
  if (look.header()) {
    state.here().head = head;
    share_text(state.handle(), &mapreduce::group_state::head);
    on_all_processes([state = state.handle(), format = look.format()] {
      state.here().names = io::read_header(state.here().head, format, "header").names;
    });
  }
  did.open_seconds = mapreduce::seconds_now() - begin;

  map_reduce_statistics stages;
  map_reduce_options o;
  o.progress = q.progress;
  o.statistics = &stages;
  o.memory_bytes = q.memory_bytes;
  o.scratch = q.scratch;
  const auto note_spills = [&] {
    did.spills += stages.spills;
    did.spilled_pairs += stages.spilled_pairs;
    did.spilled_bytes += stages.spilled_bytes;
  };
  for (bool by_records = false, done = false; !done;) {
    plan.lay_out();
    if (plan.words > group_plan::k_most_words)
      throw error(fmt::format("expected results of at most {} words, found {}: ask for fewer",
                              group_plan::k_most_words, plan.words));
    const scoped_per_core<mapreduce::group_scratch> scratch;
    const mapreduce::group_reader reader{
        plan,           look.format(),    mapreduce::row_combiner(plan, state.handle()),
        state.handle(), scratch.handle(), look.header(),
        q.skip_bad,     by_records};
    groups.rows_ = mapreduce::make_rows(plan.words);
    done = groups.rows_->run(text, reader, o);
    ++did.passes;
    note_spills();
    if (!done) {
      struct found {
        std::uint32_t real;
        bool quoted;
      };
      std::uint32_t real = 0;
      bool quoted = false;
      for (const found& f : collect(scratch.handle(), [state = state.handle()](auto&) {
             return found{state.here().real_inputs.load(), state.here().quoted_lines.load()};
           })) {
        real |= f.real;
        quoted |= f.quoted;
      }
      for (std::uint8_t i = 0; i < plan.inputs; ++i) plan.of[i].real |= (real >> i & 1) != 0;
      if (quoted && !by_records) {
        by_records = true;
        text.cut(cut_at::records);
      }
      on_all_processes([state = state.handle()] {
        state.here().real_inputs = 0;
        state.here().quoted_lines = false;
      });
      continue;
    }
    did.map_seconds = stages.map_seconds;
    did.reduce_seconds = stages.reduce_seconds;
    did.exchange_seconds = stages.exchange_seconds;
    did.container_bytes = stages.container_bytes;
    for (const std::uint64_t taken :
         collect(scratch.handle(), [](mapreduce::group_scratch& s) { return s.taken; }))
      did.records += taken;
    const all_skipped_rows skipped = collect_skipped(
        scratch.handle(), [](mapreduce::group_scratch& s) -> const skipped_rows& { return s.skipped; });
    did.skipped = skipped.rows;
    did.first_skipped = skipped.first;
    const double before = mapreduce::seconds_now();
    for (std::uint8_t r = 0; r < plan.results; ++r)
      if (plan.result_of[r].what == aggregate::distinct) {
        groups.rows_->count_distinct(text, reader, r, o);
        ++did.passes;
        note_spills();
      }
    did.distinct_seconds = mapreduce::seconds_now() - before;
  }
  return groups;
}

}  // namespace gossamer
