// Finds the columns, runs the passes over the text, and gives the groups in order.
#include "gossamer/mapreduce/group_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/mapreduce/internal/engines/map_stage.hpp"
#include "gossamer/mapreduce/internal/groups/first_look.hpp"
#include "gossamer/mapreduce/internal/groups/group_order.hpp"
#include "gossamer/mapreduce/internal/groups/group_reader.hpp"
#include "gossamer/mapreduce/internal/groups/group_rows.hpp"
#include "gossamer/mapreduce/skipped_rows.hpp"

namespace gossamer {

std::string_view name_of(aggregate what) {
  constexpr std::array<std::string_view, 6> k_names{"count", "sum", "min", "max", "mean", "distinct"};
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
  mapreduce::group_values row(rows_->plan);
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
  for (const std::string& part : std::exchange(resume_parts_, {})) gossamer::forget_work(resume_, part);
}

namespace {

/// Says what a pass over the text is to do, so that its work is told from other work.
std::string job_of(const group_query& q, const mapreduce::group_plan& plan, bool by_records) {
  std::string job = fmt::format("group separator {} blanks {} quotes {} records {} skip {} header {}\nby",
                                unsigned{static_cast<unsigned char>(q.separator)}, q.blanks, q.quotes,
                                by_records, q.skip_bad, q.header ? int{*q.header} : -1);
  for (const std::string& name : q.by) job += fmt::format(" {}:{}", name.size(), name);
  for (const group_result& r : q.results)
    job += fmt::format("\n{} {}:{}", name_of(r.what), r.column.size(), r.column);
  for (std::uint8_t i = 0; i < plan.inputs; ++i)
    job += fmt::format("\ninput {} {}", unsigned{plan.of[i].field}, plan.of[i].real ? "real" : "integer");
  return job;
}

}  // namespace

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
  const std::uint64_t begin = machine::now_ns();
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
  for (bool by_records = false, done = false; !done;) {
    plan.lay_out();
    if (plan.words > group_plan::k_most_words)
      throw error(fmt::format("expected results of at most {} words, found {}: ask for fewer",
                              group_plan::k_most_words, plan.words));
    const scoped_per_core<mapreduce::group_scratch> scratch;
    const scoped_per_core<skipped_rows> left_out;
    o.skipped = left_out.handle();
    const mapreduce::group_reader reader{
        plan,           look.format(),    mapreduce::row_combiner(plan, state.handle()),
        state.handle(), scratch.handle(), left_out.handle(),
        look.header(),  q.skip_bad,       by_records};
    groups.rows_ = mapreduce::make_rows(plan.words);
    begin_part(fmt::format("pass-{}", did.passes + 1), by_records);
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
    did.records = stages.emitted;  // a pair for each
    const all_skipped_rows skipped =
        collect_skipped(left_out.handle(), [](skipped_rows& rows) -> const skipped_rows& { return rows; });
    did.skipped = skipped.rows;
    did.first_skipped = skipped.first;
    o.skipped.reset();
    const std::uint64_t before = machine::now_ns();
    for (std::uint8_t r = 0; r < plan.results; ++r)
      if (plan.result_of[r].what == aggregate::distinct) {
        begin_part(fmt::format("distinct-{}", r), by_records);
        groups.rows_->count_distinct(text, reader, r, o);
        ++did.passes;
        note_spills();
      }
    did.distinct_seconds = machine::seconds_since(before);
  }
  return groups;
}

}  // namespace gossamer
