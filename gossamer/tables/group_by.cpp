// Finds the columns, runs the passes over the text, and returns the groups in order.
#include "gossamer/tables/group_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/map_stage.hpp"
#include "gossamer/tables/internal/group_order.hpp"
#include "gossamer/tables/internal/group_reader.hpp"
#include "gossamer/tables/internal/group_rows.hpp"

namespace gossamer {

std::string_view name_of(aggregate what) {
  constexpr std::array<std::string_view, 7> k_names{"count", "sum",      "min",     "max",
                                                    "mean",  "distinct", "quantile"};
  return k_names[static_cast<std::size_t>(what)];
}

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
  check_order(by);
  tables::group_values row(rows_->plan);
  rows_->first(k, by, rows_->numeric_keys(),
               [&](std::string_view key, const std::uint64_t* words) { f(row.of(key, words)); });
}

void grouped_rows::write(order by, const row_output& to, per_process<group_format> format) const {
  check_order(by);
  rows_->write(by, rows_->numeric_keys(), to, format);
}

void grouped_rows::check_order(order by) const {
  if (by.column < columns_.size()) return;
  throw error(fmt::format("expected the number of one of {} columns to order by, found {}", columns_.size(),
                          by.column));
}

void grouped_rows::forget_work() {
  // An earlier start may have made other passes: it may have learned facts in another order.
  constexpr std::string_view k_job = "-job";
  std::error_code failure;
  if (!resume_.empty())
    for (const auto& file : std::filesystem::directory_iterator(resume_, failure))
      if (const std::string name = file.path().filename(); name.starts_with("pass-") && name.ends_with(k_job))
        resume_parts_.push_back(name.substr(0, name.size() - k_job.size()));
  for (const std::string& part : std::exchange(resume_parts_, {})) gossamer::forget_work(resume_, part);
}

namespace {

using tables::group_plan;

/// Describes a pass over the text. The description identifies its work.
std::string job_of(const group_query& q, const group_plan& plan, bool by_records) {
  std::string job = fmt::format("group separator {} blanks {} quotes {} records {} skip {} header {}\nby",
                                unsigned{static_cast<unsigned char>(q.separator)}, q.blanks, q.quotes,
                                by_records, q.skip_bad, q.header ? int{*q.header} : -1);
  for (const std::string& name : q.by) job += fmt::format(" {}:{}", name.size(), name);
  for (const std::string& null : q.nulls) job += fmt::format("\nnull {}:{}", null.size(), null);
  for (const group_result& r : q.results)
    job += fmt::format("\n{} {}:{}", name_of(r.what), r.column.size(), r.column);
  for (std::uint8_t i = 0; i < plan.inputs; ++i)
    job += fmt::format("\ninput {} {}{}", unsigned{plan.of[i].field}, unsigned{plan.of[i].known},
                       plan.of[i].is_texts ? " texts" : "");
  return job;
}

/// Names a plan and its division. Only a pass with the same name can continue the work, in whatever order
/// facts were learned.
std::string signature_of(const group_plan& plan, bool by_records) {
  std::string name = by_records ? "records-" : "lines-";
  for (std::uint8_t i = 0; i < plan.inputs; ++i) name += fmt::format("{:x}", unsigned{plan.of[i].known});
  return name;
}

/// The facts learned in a failed pass, over all processes. Trivially copyable.
struct found_out {
  std::uint64_t learnt = 0, guessed = 0, doubted = 0;
};

/// Collects them.
found_out collect_found(per_core<tables::group_scratch> cores, per_process<tables::group_state> state) {
  found_out all;
  for (const found_out& f : collect(cores, [state](tables::group_scratch&) {
         const tables::group_state& s = state.here();
         return found_out{s.learnt.load(), s.guessed.load(), s.doubted.load() ? 1U : 0U};
       })) {
    all.learnt |= f.learnt;
    all.guessed |= f.guessed;
    all.doubted |= f.doubted;
  }
  on_all_processes([state] { state.here().begin_pass(); });
  return all;
}

/// Returns the name of the column of a result: "sum_amount", "median_amount", "quantile_0.9_amount".
std::string title_of(const group_result& r, const io::schema& found) {
  if (r.what == aggregate::count) return "count";
  const std::string column = found.name_of_column(r.column);
  if (r.what != aggregate::quantile) return fmt::format("{}_{}", name_of(r.what), column);
  return r.share == 0.5 ? "median_" + column : fmt::format("quantile_{}_{}", r.share, column);
}

/// Adds a name of a column, made distinct from those before.
void add_name(std::vector<std::string>& names, std::string name) {
  const std::string base = name;
  for (unsigned n = 2; std::ranges::find(names, name) != names.end(); ++n)
    name = fmt::format("{}_{}", base, n);
  names.push_back(std::move(name));
}

/// Throws gossamer::error for a query that no text can answer.
void check(const group_query& q) {
  if (q.paths.empty()) throw error("group_by: expected files, found none");
  if (q.by.empty() || q.by.size() > group_plan::k_most_keys)
    throw error(
        fmt::format("expected 1 to {} columns to group by, found {}", group_plan::k_most_keys, q.by.size()));
  if (q.results.size() > group_plan::k_most_results)
    throw error(
        fmt::format("expected at most {} results, found {}", group_plan::k_most_results, q.results.size()));
  if (!q.blanks) io::check_separator(q.separator);
  for (const group_result& r : q.results) {
    if (r.what != aggregate::quantile) continue;
    if (!(r.share >= 0 && r.share <= 1))
      throw error(fmt::format("expected a quantile from 0 to 1, found {}", r.share));
  }
}

/// Returns the options for the passes of a query; `statistics` receives those of each pass.
map_reduce_options options_of(const group_query& q, map_reduce_statistics& statistics) {
  map_reduce_options o;
  o.progress = q.progress;
  o.statistics = &statistics;
  o.scratch = q.scratch;
  o.resume = q.resume;
  return o;
}

}  // namespace

/// The passes over the text that answer a query. By one fiber; suspends.
class tables::group_job {
 public:
  /// Opens the files, and finds the columns in their head.
  explicit group_job(const group_query& q)
      : q_(q),
        begin_(machine::now_ns()),
        text_(q.paths, cut_at::lines),
        head_(whole_head(text_, q.quotes && !q.blanks)),
        schema_(schema_of(q, head_.text, head_.path)),
        plan_(plan_groups(q, schema_, text_)),
        options_(options_of(q, stages_)) {
    share_head();
    learn(0);
  }

  grouped_rows run() {
    grouped_rows groups;
    groups.resume_ = q_.resume;
    groups.keys_ = plan_.keys;
    for (const std::string& name : q_.by) add_name(groups.columns_, schema_.name_of_column(name));
    for (const group_result& r : q_.results) add_name(groups.columns_, title_of(r, schema_));
    statistics_.header = schema_.has_header();
    statistics_.schema = fmt::format("{} ({})", schema_.describe(), schema_.options());
    statistics_.bytes = text_.bytes();
    statistics_.open_seconds = machine::seconds_since(begin_);
    while (!pass(groups)) add_findings();
    groups.statistics_ = statistics_;
    return groups;
  }

 private:
  /// Copies the head and the texts for missing values to all processes.
  void share_head() {
    if (schema_.has_header()) {
      state_.here().head = head_.text;
      share_text(state_.handle(), &group_state::head);
      on_all_processes([state = state_.handle(), format = schema_.format()] {
        state.here().names = io::read_header(state.here().head, format, "header").names;
      });
    }
    for (const std::string& null : q_.nulls) state_.here().nulls.append(null).push_back('\0');
    share_text(state_.handle(), &group_state::nulls);
  }

  /// Adds learned facts about the columns. In resumable work all sums have the additional word: otherwise
  /// rows written before an overflow would count as valid.
  void learn(std::uint64_t learnt) {
    const unsigned always = q_.resume.empty() ? 0U : unsigned{group_plan::k_long_sums};
    for (std::uint8_t i = 0; i < plan_.inputs; ++i) {
      const auto of_input = static_cast<std::uint8_t>(learnt >> (i * group_plan::k_known_bits)) &
                            ((1U << group_plan::k_known_bits) - 1);
      plan_.of[i].known =
          group_plan::settled(static_cast<std::uint8_t>(plan_.of[i].known | of_input | always));
    }
  }

  /// Adds the facts learned in a failed pass.
  void add_findings() {
    const found_out news = collect_found(scratch_->handle(), state_.handle());
    std::uint64_t learnt = news.learnt;
    if (news.doubted) {
      if (!by_records_) text_.cut(cut_at::records);
      by_records_ = true;
      if (!text_.has_quotes()) learnt |= news.guessed;  // then no chunk began inside of quotes
    }
    learn(learnt);
  }

  /// Prepares the options of a pass. Other passes are separate work: they find other columns, or other
  /// records.
  void begin_part(std::string part, grouped_rows& groups) {
    options_.resume_part = part;
    options_.resume_job = job_of(q_, plan_, by_records_);
    groups.resume_parts_.push_back(std::move(part));
  }
  void end_part() {
    ++statistics_.passes;
    statistics_.spills += stages_.spills;
    statistics_.spilled_pairs += stages_.spilled_pairs;
    statistics_.spilled_bytes += stages_.spilled_bytes;
    statistics_.tasks_before += stages_.tasks_before;
  }

  /// Groups all rows. Returns false if the plan was wrong: collect_found() returns the reason.
  bool pass(grouped_rows& groups) {
    plan_.lay_out();
    GOSSAMER_ASSERT(plan_.words <= group_plan::k_most_words);
    options_.memory_bytes = q_.memory_bytes;
    options_.memory_shares = plan_.is_one_pass() ? 1 : 2;
    scratch_.emplace();
    const scoped_per_core<skipped_rows> left_out;
    options_.skipped = left_out.handle();
    const group_reader reader{plan_,
                              schema_.format(),
                              state_.handle(),
                              scratch_->handle(),
                              left_out.handle(),
                              schema_.has_header(),
                              q_.skip_bad,
                              by_records_,
                              !q_.nulls.empty()};
    groups.rows_ = make_rows(plan_.words);
    begin_part(statistics_.passes == 0 ? "pass-1" : "pass-" + signature_of(plan_, by_records_), groups);
    const bool done = groups.rows_->run(text_, reader, options_);
    end_part();
    if (!done) return false;
    take_statistics(
        collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; }));
    options_.skipped.reset();
    find_fields(groups, reader);
    return true;
  }

  void take_statistics(const all_skipped_rows& skipped) {
    if (!q_.skip_bad && skipped.rows != 0) throw error(skipped.first);
    statistics_.map_seconds = stages_.map_seconds;
    statistics_.reduce_seconds = stages_.reduce_seconds;
    statistics_.exchange_seconds = stages_.exchange_seconds;
    statistics_.container_bytes = stages_.container_bytes;
    statistics_.records = stages_.emitted;  // one pair for each
    statistics_.skipped = skipped.rows;
    statistics_.first_skipped = skipped.first;
  }

  /// Computes the results that need separate passes: distinct fields, quantiles, and texts of any length.
  void find_fields(grouped_rows& groups, const group_reader& reader) {
    const std::uint64_t begin = machine::now_ns();
    for (std::uint8_t r = 0; r < plan_.results; ++r)
      if (plan_.result_of[r].what == aggregate::distinct) {
        begin_part(fmt::format("distinct-{}-{}", r, signature_of(plan_, by_records_)), groups);
        groups.rows_->count_distinct(text_, reader, r, options_);
        end_part();
      } else if (plan_.result_of[r].what == aggregate::quantile) {
        begin_part(fmt::format("quantile-{}-{}", r, signature_of(plan_, by_records_)), groups);
        groups.rows_->find_quantile(text_, reader, r, q_.results[r].share, options_);
        end_part();
      }
    for (std::uint8_t i = 0; i < plan_.inputs; ++i)
      if (plan_.of[i].has_long_texts()) {
        begin_part(fmt::format("texts-{}-{}", i, signature_of(plan_, by_records_)), groups);
        groups.rows_->find_texts(text_, reader, i, options_);
        end_part();
      }
    statistics_.distinct_seconds = machine::seconds_since(begin);
  }

  const group_query& q_;
  const std::uint64_t begin_;
  opened_text text_;
  const opened_text::beginning head_;
  const io::schema schema_;
  group_plan plan_;
  map_reduce_statistics stages_;
  map_reduce_options options_;
  const scoped_per_process<group_state> state_;
  std::optional<scoped_per_core<group_scratch>> scratch_;
  bool by_records_ = false;
  group_statistics statistics_;
};

grouped_rows group_by(const group_query& query) {
  check(query);
  return tables::group_job(query).run();
}

}  // namespace gossamer
