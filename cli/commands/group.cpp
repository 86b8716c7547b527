// gossamer group: counts, sums and the like of delimited text by some of its columns.

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>
#include <variant>
#include <vector>

#include "commands/group_check.hpp"
#include "commands/job_command.hpp"
#include "commands/kernel_answer.hpp"
#include "commands/registry.hpp"
#include "commands/spill_options.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/tables/group_by.hpp"
#include "output/input_file.hpp"
#include "output/shared_row_form.hpp"
#include "parse/separator.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_group_text{
    "group", "group the rows of a table in text, and add up, count or average columns",
    "  gossamer group sales.csv --by country,year --sum amount --mean price --count -o out.csv\n"
    "  gossamer group 'logs.tsv' --no-header --by 3 --count --sort count --top 20\n"};

using type = group_value::type;

/// Formats a real number for the text: ten digits, or more to show hundredths.
std::string shown(double v) {
  constexpr int k_digits = 10, k_most_digits = 17, k_behind_point = 2;
  if (!std::isfinite(v) || v == 0) return fmt::format("{}", v);
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(v)))) + 1 + k_behind_point;
  return digits > k_most_digits ? fmt::format("{}", v)
                                : fmt::format("{:.{}g}", v, std::max(digits, k_digits));
}

/// Formats a value for the text.
std::string shown(const group_value& v) {
  switch (v.is) {
    case type::none:
      return "";
    case type::text:
      return abridged(v.text);
    case type::integer:
      return v.integer < 0 ? "-" + format_count(0 - static_cast<std::uint64_t>(v.integer))
                           : format_count(static_cast<std::uint64_t>(v.integer));
    case type::real:
      return shown(v.real);
    case type::wide:
      return fmt::format("{}", v.wide);
  }
  return "";
}

/// Formats a number as text that JSON does not have or few readers of JSON read exactly: inf, nan, and
/// integers beyond 64 bits.
std::string other_number(const group_value& v) {
  return v.is == type::wide ? fmt::format("{}", v.wide) : fmt::format("{}", v.real);
}
bool is_other_number(const group_value& v) {
  return v.is == type::wide || (v.is == type::real && !std::isfinite(v.real));
}

void append_row(row_text& text, std::span<const group_value> row) {
  for (const group_value& v : row) {
    if (is_other_number(v))
      text.text_field(other_number(v));
    else if (v.is == type::text)
      text.text_field(v.text);
    else if (v.is == type::integer)
      text.field(v.integer);
    else if (v.is == type::real)
      text.field(v.real);
    else
      text.no_value();
  }
  text.end_row();
}

/// Converts a value for JSON.
std::variant<std::monostate, std::int64_t, double, std::string> in_json(const group_value& v) {
  if (is_other_number(v)) return other_number(v);
  if (v.is == type::text) return std::string(v.text);
  if (v.is == type::integer) return v.integer;
  if (v.is == type::real) return v.real;
  return std::monostate{};
}

class group_command final : public job_command {
 public:
  group_command() : job_command(k_group_text) {}
  bool is_timed() const override { return false; }
  std::vector<std::string> files_read() const override { return query_.paths; }

  void check() override;

 private:
  void declare_own(declaration& d) override;
  void declare_output(declaration& d) override {
    d.file("-o,--output", output_,
           "a row per group: .tsv, .csv, .json or .jsonl, perhaps with .gz or .zst; - is standard output");
  }
  session_options reporting() const override {
    return {.command = name(), .json = json_, .quiet = quiet_, .output = output_};
  }
  void describe(json_object& j) const override {
    j.set("options/skip_bad", query_.skip_bad);
    if (query_.header) j.set("options/header", *query_.header);
  }
  void check_files() const override {
    if (output_.empty()) return;
    rows_format("--output", output_);
    spare_inputs(input_files_of(query_.paths), output_);
    if (output_ != "-") const machine::output_file probe(output_);  // reports problems before any work
  }
  void answer(session& s) override;
  void show(session& s, const grouped_rows& groups, grouped_rows::order by) const;
  void say_stages(session& s, const group_statistics& did) const;
  void write(session& s, const grouped_rows& groups, grouped_rows::order by) const;

  group_query query_;
  spill_options spill_;
  double share_ = -1;  // of the quantiles that follow
  std::uint64_t top_ = 20;
  field_separator separator_;
  std::string sort_, output_;
  bool reverse_ = false, no_quotes_ = false;
};

void group_command::declare_own(declaration& d) {
  d.arguments("FILE", query_.paths,
              "a table in text, plain or compressed (gzip, zstd, bzip2, xz); - is standard input",
              k_missing_file);
  const auto columns = [&d](const std::string& names, const std::string& help, const auto& take,
                            const char* placeholder = "COLUMNS") {
    d.values(names, placeholder, help, [take](const std::string& option, const std::string& text) {
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        if (end == at)
          throw error(fmt::format("{}: expected columns with commas between them, found \"{}\"", option,
                                  printable(text)));
        take(text.substr(at, end - at));
        at = end + 1;
      }
    });
  };
  const auto result = [&](const char* names, aggregate what, const char* help) {
    columns(names, help, [this, what](const std::string& column) {
      query_.results.push_back({.what = what, .column = column});
    });
  };
  d.values("--null", "TEXTS", "fields that are missing values, besides the empty one: NA,-",
           [this](const std::string&, const std::string& text) {
             for (const auto part : std::views::split(text, ','))
               if (!part.empty()) query_.nulls.emplace_back(part.begin(), part.end());
           });
  columns("--by", "the columns that make a group, by name or number from 1",
          [this](const std::string& column) { query_.by.push_back(column); });
  d.flag(
      "--count",
      [this] {
        if (std::ranges::count(query_.results, aggregate::count, &group_result::what) == 0)
          query_.results.push_back({});
      },
      "how many rows (the default where nothing else is asked)");
  result("--sum", aggregate::sum, "the sum of these columns: exact for integers");
  result("--mean", aggregate::mean, "the mean of these columns: of fields that are not empty");
  result("--min", aggregate::minimum, "the smallest number, text or date of these columns");
  result("--max", aggregate::maximum, "the largest number, text or date of these columns");
  columns("--median", "the median of these columns", [this](const std::string& column) {
    query_.results.push_back({aggregate::quantile, column, 0.5});
  });
  columns(
      "--quantile", "quantiles from 0 to 1 of these columns: 0.9:price,size,0.1:price",
      [this](const std::string& text) {
        const std::size_t colon = text.find(':');
        const auto number = io::parse_double(std::string_view(text).substr(0, colon));
        const bool has_share = colon != text.npos && number.state == io::number_state::ok;
        if (has_share) share_ = number.value;
        if (!(share_ >= 0 && share_ <= 1) || colon + 1 == text.size())
          throw error(fmt::format(
              "--quantile: expected a number from 0 to 1, a colon and columns, as in 0.9:price, found \"{}\"",
              printable(text)));
        query_.results.push_back({aggregate::quantile, has_share ? text.substr(colon + 1) : text, share_});
      },
      "Q:COLUMNS");
  result("--distinct", aggregate::distinct, "how many different fields these columns hold");
  d.text("--sort", "COLUMN", sort_,
         "order by this column of the answer: results from the largest down, keys upwards (default: by the "
         "key)");
  d.flag("--reverse", reverse_, "the other way round");
  d.number("--top", top_, "how many groups to show (default 20); --output has all of them");
  spill_.declare(d, "groups");
  spill_.declare_resume(d);
  d.section("Form of the text");
  d.either(query_.header, "--header", "the first line of each file names the columns", "--no-header",
           "it does not (default: recognised)");
  separator_.declare(d, "what the first line suggests");
  d.flag("--no-quotes", no_quotes_, "a quote is a character like others");
  d.flag("--skip-bad", query_.skip_bad, "leave out rows with a problem, and count them");
}

void group_command::check() {
  job_command::check();
  if (query_.by.empty()) throw error("group: missing --by COLUMNS");
  query_.blanks = separator_.blanks;
  query_.separator = separator_.character;
  query_.quotes = !no_quotes_;
  if (query_.results.empty()) query_.results.push_back({});
  check_read_again();
}

/// Returns the order that the options mean.
grouped_rows::order order_of(const grouped_rows& groups, const std::string& sort, bool reverse) {
  if (sort.empty()) return {0, reverse};
  const std::size_t at = io::find_column(sort, groups.columns(), "group: --sort");
  return {at, (at >= groups.key_columns()) != reverse};
}

void group_command::answer(session& s) {
  s.step("grouping", input_bytes(query_.paths));
  group_query query = query_;
  query.memory_bytes = spill_.bound();
  query.scratch = spill_.scratch;
  query.resume = spill_.resume;
  query.progress = [&s](std::uint64_t done, std::uint64_t total) { s.steps().at(done, total); };
  const std::uint64_t begin = machine::now_ns();
  grouped_rows groups = group_by(query);
  const std::uint64_t size = groups.size();
  const grouped_rows::order by = order_of(groups, sort_, reverse_);
  const group_statistics& did = groups.statistics();
  s.say("{}  {} in {}{}", s.colours().bold(name()), plural(did.records, "row", "rows"),
        plural(size, "group", "groups"), did.header ? "; the first line names the columns" : "");
  s.json().set("rows", did.records);
  s.json().set("groups", size);
  s.json().set("header", did.header);
  s.json().set("schema", did.schema);
  s.json().set("skipped", did.skipped);
  if (!quiet_ || !json_) warn_of_skipped(did.skipped, "row", did.first_skipped);
  show(s, groups, by);
  const double seconds = machine::seconds_since(begin);
  set_run(s, seconds);
  s.say("\n{}", time_and_place(seconds));
  if (stats_) say_stages(s, did);
  if (!output_.empty()) {
    s.step("writing " + output_);
    write(s, groups, by);
  }
  if (verify_) {
    s.step("verifying");
    s.verified(check_groups(query_, groups), "groups by std::map, records by another reader");
  }
  if (spill_.resume.empty()) return;
  s.commit_rows();
  if (!s.is_wrong()) groups.forget_work();
}

void group_command::show(session& s, const grouped_rows& groups, grouped_rows::order by) const {
  s.json().set_array("top");
  std::vector<table::column> titles;
  for (std::size_t c = 0; c < groups.columns().size(); ++c)
    titles.push_back({printable(groups.columns()[c]),
                      c < groups.key_columns() ? table::align::left : table::align::right});
  table rows(titles);
  groups.first(top_, by, [&](std::span<const group_value> row) {
    std::vector<std::string> cells;
    json_object one;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(shown(row[c]));
      one.set_key(groups.columns()[c], in_json(row[c]));
    }
    rows.row(std::move(cells));
    s.json().append("top", std::move(one));
  });
  if (rows.empty()) return;
  s.say("");
  s.say(rows);
}

void group_command::write(session& s, const grouped_rows& groups, grouped_rows::order by) const {
  s.open_rows(groups.columns());
  const shared_row_form form(s.rows()->form());
  const scoped_per_process<group_format> format;
  on_all_processes([form = form.handle(), format = format.handle()] {
    format.here() = [form](std::uint64_t rank, group_range range) {
      row_text text(form.here(), rank);
      range([&](std::span<const group_value> row) { append_row(text, row); });
      return text.take();
    };
  });
  s.rows()->write_by_all(groups.size(), [&](const row_output& to) { groups.write(by, to, format.handle()); });
}

void group_command::say_stages(session& s, const group_statistics& did) const {
  const std::pair<const char*, double> stages[] = {{"open", did.open_seconds},
                                                   {"map", did.map_seconds},
                                                   {"reduce", did.reduce_seconds},
                                                   {"exchange", did.exchange_seconds},
                                                   {"distinct", did.distinct_seconds}};
  say_stage_times(s, stages);
  s.json().set("passes", std::uint64_t{did.passes});
  s.json().set("container_bytes", did.container_bytes);
  s.say("{}", printable(did.schema));
  s.say("{} read in {}; containers after the map stage: {}", format_bytes(did.bytes),
        plural(did.passes, "pass", "passes"), format_bytes(did.container_bytes));
  say_spills(s, did.spills, did.spilled_pairs, did.spilled_bytes);
  if (!spill_.resume.empty()) say_tasks_before(s, did.tasks_before);
}

}  // namespace

std::unique_ptr<command> make_group() { return std::make_unique<group_command>(); }

}  // namespace gossamer::cli
