// Finds the columns, runs the passes over the text, and gives the groups in order.
#include "gossamer/tables/group_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

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
  // An earlier start may have made passes that this one has not: it may have found out another thing first.
  constexpr std::string_view k_job = "-job";
  std::error_code failure;
  if (!resume_.empty())
    for (const auto& file : std::filesystem::directory_iterator(resume_, failure))
      if (const std::string name = file.path().filename(); name.starts_with("pass-") && name.ends_with(k_job))
        resume_parts_.push_back(name.substr(0, name.size() - k_job.size()));
  for (const std::string& part : std::exchange(resume_parts_, {})) gossamer::forget_work(resume_, part);
}

namespace {

/// Says what a pass over the text is to do, so that its work is told from other work.
std::string job_of(const group_query& q, const tables::group_plan& plan, bool by_records) {
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

/// Names a plan and its cuts: a pass over the text is continued with these only, in whatever order they were found out.
std::string signature_of(const tables::group_plan& plan, bool by_records) {
  std::string name = by_records ? "records-" : "lines-";
  for (std::uint8_t i = 0; i < plan.inputs; ++i) name += fmt::format("{:x}", unsigned{plan.of[i].known});
  return name;
}

/// What a pass in vain found out, on all processes. Words.
struct found_out {
  std::uint64_t learnt = 0, guessed = 0, doubted = 0;
};

/// Takes it.
found_out collect_news(per_core<tables::group_scratch> cores, per_process<tables::group_state> state) {
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

/// Adds a name of a column, made different from those before.
void add_name(std::vector<std::string>& names, std::string name) {
  const std::string base = name;
  for (unsigned n = 2; std::ranges::find(names, name) != names.end(); ++n)
    name = fmt::format("{}_{}", base, n);
  names.push_back(std::move(name));
}

}  // namespace

grouped_rows group_by(const group_query& q) {
  using tables::group_plan;
  if (q.paths.empty()) throw error("group_by: expected files, found none");
  if (q.by.empty() || q.by.size() > group_plan::k_most_keys)
    throw error(
        fmt::format("expected 1 to {} columns to group by, found {}", group_plan::k_most_keys, q.by.size()));
  if (q.results.size() > group_plan::k_most_results)
    throw error(
        fmt::format("expected at most {} results, found {}", group_plan::k_most_results, q.results.size()));
  for (const group_result& r : q.results) {
    if (r.what != aggregate::quantile) continue;
    if (!(r.share >= 0 && r.share <= 1))
      throw error(fmt::format("expected a quantile from 0 to 1, found {}", r.share));
    if (q.memory_bytes != 0 || !q.resume.empty())
      throw error(
          "quantiles keep all numbers in memory: leave out the bound of memory, and the work to resume");
  }
  grouped_rows groups;
  group_statistics& did = groups.statistics_;
  const std::uint64_t begin = machine::now_ns();
  opened_text text(q.paths, cut_at::lines);
  const std::string head = tables::whole_head(text, q.quotes && !q.blanks);
  const io::schema found = tables::schema_of(q, head);
  group_plan plan = tables::plan_groups(q, found);
  did.header = found.has_header();
  did.schema = fmt::format("{} ({})", found.describe(), found.options());
  did.bytes = text.bytes();
  groups.keys_ = plan.keys;
  for (const std::string& name : q.by) add_name(groups.columns_, found.name_of_column(name));
  for (const group_result& r : q.results) add_name(groups.columns_, title_of(r, found));

  const scoped_per_process<tables::group_state> state;
  if (found.has_header()) {
    state.here().head = head;
    share_text(state.handle(), &tables::group_state::head);
    on_all_processes([state = state.handle(), format = found.format()] {
      state.here().names = io::read_header(state.here().head, format, "header").names;
    });
  }
  for (const std::string& null : q.nulls) state.here().nulls.append(null).push_back('\0');
  share_text(state.handle(), &tables::group_state::nulls);
  did.open_seconds = machine::seconds_since(begin);

  map_reduce_statistics stages;
  map_reduce_options o;
  o.progress = q.progress;
  o.statistics = &stages;
  const bool counts_fields =
      std::ranges::any_of(q.results, [](const group_result& r) { return r.what == aggregate::distinct; });
  o.memory_bytes = counts_fields ? q.memory_bytes / 2 : q.memory_bytes;
  o.scratch = q.scratch;
  o.resume = groups.resume_ = q.resume;
  const auto note_spills = [&] {
    did.spills += stages.spills;
    did.spilled_pairs += stages.spilled_pairs;
    did.spilled_bytes += stages.spilled_bytes;
    did.tasks_before += stages.tasks_before;
  };
  // Another pass is other work: it finds other columns, or other records.
  const auto begin_part = [&](std::string part, bool by_records) {
    o.resume_part = part;
    o.resume_job = job_of(q, plan, by_records);
    groups.resume_parts_.push_back(std::move(part));
  };
  // Of work that may be continued no sum may exceed its word: what was written before that is seen would be taken for right.
  const auto learn = [&](std::uint64_t learnt) {
    for (std::uint8_t i = 0; i < plan.inputs; ++i) {
      const auto of_input = static_cast<std::uint8_t>(learnt >> (i * group_plan::k_known_bits)) &
                            ((1U << group_plan::k_known_bits) - 1);
      plan.of[i].known = group_plan::settled(static_cast<std::uint8_t>(
          plan.of[i].known | of_input | (q.resume.empty() ? 0U : unsigned{group_plan::k_long_sums})));
    }
  };
  learn(0);
  for (bool by_records = false, done = false; !done;) {
    plan.lay_out();
    if (plan.words > group_plan::k_most_words)
      throw error(fmt::format("expected results of at most {} words, found {}: ask for fewer",
                              group_plan::k_most_words, plan.words));
    const scoped_per_core<tables::group_scratch> scratch;
    const scoped_per_core<skipped_rows> left_out;
    o.skipped = left_out.handle();
    const tables::group_reader reader{plan,
                                      found.format(),
                                      tables::row_combiner(plan, state.handle()),
                                      state.handle(),
                                      scratch.handle(),
                                      left_out.handle(),
                                      found.has_header(),
                                      q.skip_bad,
                                      by_records,
                                      !q.nulls.empty()};
    groups.rows_ = tables::make_rows(plan.words);
    begin_part(did.passes == 0 ? "pass-1" : "pass-" + signature_of(plan, by_records), by_records);
    done = groups.rows_->run(text, reader, o);
    ++did.passes;
    note_spills();
    if (!done) {
      const found_out news = collect_news(scratch.handle(), state.handle());
      std::uint64_t learnt = news.learnt;
      if (news.doubted) {
        if (!by_records) text.cut(cut_at::records);
        by_records = true;
        if (!text.has_quotes()) learnt |= news.guessed;  // so no piece began inside of any
      }
      learn(learnt);
      continue;
    }
    const all_skipped_rows skipped =
        collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; });
    if (!q.skip_bad && skipped.rows != 0) throw error(skipped.first);
    did.map_seconds = stages.map_seconds;
    did.reduce_seconds = stages.reduce_seconds;
    did.exchange_seconds = stages.exchange_seconds;
    did.container_bytes = stages.container_bytes;
    did.records = stages.emitted;  // a pair for each
    did.skipped = skipped.rows;
    did.first_skipped = skipped.first;
    o.skipped.reset();
    const std::uint64_t before = machine::now_ns();
    for (std::uint8_t r = 0; r < plan.results; ++r)
      if (plan.result_of[r].what == aggregate::distinct) {
        begin_part(fmt::format("distinct-{}-{}", r, signature_of(plan, by_records)), by_records);
        groups.rows_->count_distinct(text, reader, r, o);
        ++did.passes;
        note_spills();
      } else if (plan.result_of[r].what == aggregate::quantile) {
        groups.rows_->find_quantile(text, reader, r, q.results[r].share, o);
        ++did.passes;
      }
    did.distinct_seconds = machine::seconds_since(before);
  }
  return groups;
}

}  // namespace gossamer
