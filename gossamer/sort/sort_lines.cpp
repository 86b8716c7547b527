#include "gossamer/sort/sort_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/line_job.hpp"
#include "gossamer/sort/internal/memory_to_sort.hpp"

namespace gossamer {
namespace {

using sorting::line_job;
using sorting::line_rule;

line_rule rule_of(const line_order& order, bool skip_bad) {
  line_rule rule{.field = order.field,
                 .numeric = order.numeric,
                 .reverse = order.reverse,
                 .unique = order.unique,
                 .skip_bad = skip_bad};
  rule.format.separator = order.separator;
  rule.format.blanks = order.separator == 0;
  rule.format.quotes = order.quotes && !rule.format.blanks && (order.field != 0 || !order.column.empty());
  return rule;
}

void check_order(const line_order& order) {
  if (!order.column.empty() && !order.header)
    throw error("sorting lines: the name of a column needs a header");
  io::check_separator(order.separator);
}

/// Reads the header of the files and finds the column that the order names. Records have as many fields as
/// the header.
void take_header(line_job& job, const line_order& order, line_rule& rule) {
  if (!order.header) return;
  job.header = job.reader().first_header(rule.format);
  if (job.header.empty() || (order.column.empty() && order.field == 0)) return;
  const std::string wanted = order.column.empty() ? std::to_string(order.field) : order.column;
  const io::delimited_format& format = rule.format;
  const io::schema found(
      job.header,
      {.separator = format.separator, .blanks = format.blanks, .quotes = format.quotes, .header = true},
      "header");
  rule.field = found.find(wanted) + 1;
  rule.format.fields = found.format().fields;
}

/// Adds up the lines that the processes have read, written and skipped. By the main fiber; suspends.
void count_lines(per_process<line_job> jobs, sort_lines_statistics& what) {
  const scoped_per_process<sort_lines_statistics> sums;
  on_all_processes([jobs, sums = sums.handle()] {
    struct counts {
      std::uint64_t read = 0, written = 0, skipped = 0, runs = 0, run_bytes = 0;
      std::uint32_t file = 0;
      unsigned passes = 0;
    };
    const line_job::skipped& mine = jobs.here().left_out();
    const bool in_runs = jobs.here().in_runs();
    const auto all =
        all_gather_processes(counts{jobs.here().lines_read(), jobs.here().lines_written(), mine.lines,
                                    jobs.here().runs_made(), in_runs ? jobs.here().runs().stored_bytes() : 0,
                                    mine.file, in_runs ? jobs.here().runs().passes() : 0});
    std::vector<std::vector<char>> texts(processes());
    texts[0].assign(mine.first.begin(), mine.first.end());
    texts = exchange(std::move(texts));
    sort_lines_statistics& sum = sums.here();
    std::uint32_t file = ~std::uint32_t{0};
    for (unsigned p = 0; p < processes(); ++p) {
      sum.lines_read += all[p].read;
      sum.lines_written += all[p].written;
      sum.skipped += all[p].skipped;
      sum.runs += all[p].runs;
      sum.run_bytes += all[p].run_bytes;
      sum.passes = std::max(sum.passes, all[p].passes);
      if (all[p].skipped == 0 || all[p].file >= file) continue;
      file = all[p].file;
      sum.first_skipped.assign(texts[p].begin(), texts[p].end());
    }
  });
  what.lines_read = sums.here().lines_read;
  what.lines_written = sums.here().lines_written;
  what.skipped = sums.here().skipped;
  what.runs = sums.here().runs;
  what.run_bytes = sums.here().run_bytes;
  what.passes = sums.here().passes;
  what.first_skipped = sums.here().first_skipped;
}

/// Estimates the bytes that a process takes to sort in memory: an entry for each line. With several
/// processes, also sent and received text.
std::uint64_t memory_needed(const line_job& job) {
  const sorting::line_reader& reader = job.reader();
  if (processes() == 1) return reader.memory_needed();
  return (reader.memory_needed() + 2 * reader.text_bytes()) / processes();
}

/// Reads the first batch in all processes. Returns whether lines go to runs.
bool begin_batches(per_process<line_job> jobs, const line_rule& rule, std::uint64_t bound) {
  // If all processes have a single batch, they exchange it in memory, which also takes sent and received
  // text.
  const std::uint64_t bytes = processes() == 1 ? bound : bound / 4;
  on_all_processes([jobs, rule, bytes] { jobs.here().read_batch(rule, bytes); });
  on_all_processes([jobs] { jobs.here().agree(); });
  return jobs.here().in_runs();
}

/// Sorts the current batch and all later ones into runs, and merges these to the output.
void sort_by_runs(per_process<line_job> jobs, std::uint64_t bound, io::compression how,
                  const std::function<double(const char*)>& begin_stage, sort_lines_statistics& what) {
  on_all_processes([jobs, bound] { jobs.here().make_runs(bound); });
  line_job& mine = jobs.here();
  what.open_seconds += mine.times().read;
  what.deal_seconds = mine.times().deal;
  what.sort_seconds = mine.times().sort;
  begin_stage(processes() > 1 ? "exchanging" : "storing");
  if (processes() > 1) {
    on_all_processes([jobs] { jobs.here().exchange_of_runs().choose_ranges(); });
    on_all_processes([jobs] { jobs.here().exchange_of_runs().cut(); });
    while (mine.exchange_of_runs().has_more()) {
      on_all_processes([jobs] { jobs.here().exchange_of_runs().pack(); });
      on_all_processes([jobs] { jobs.here().exchange_of_runs().swap(); });
    }
    on_all_processes([jobs] { jobs.here().exchange_of_runs().finish(); });
    what.exchange_seconds = begin_stage("storing");
  }
  on_all_processes([jobs] { jobs.here().runs().shorten(); });
  what.run_seconds = mine.times().store + begin_stage("writing");
  on_all_processes([jobs, how] { jobs.here().merge(how); });
}

}  // namespace

void sort_lines(const std::vector<std::string>& paths, const line_order& order, const std::string& output,
                const sort_lines_options& options) {
  check_order(order);
  const io::compression how = io::compression_for(output);
  machine::output_file file(output == "-" ? "/dev/stdout" : output);
  const scoped_per_process<line_job> owned;
  const per_process<line_job> jobs = owned.handle();
  line_job& mine = jobs.here();
  mine.file = &file;

  const char* stage = "reading";
  std::uint64_t began = machine::now_ns();
  const auto begin_stage = [&](const char* name) {
    stage = name;
    if (options.progress) options.progress(name, 0, 0);
    const std::uint64_t now = machine::now_ns();
    return static_cast<double>(now - std::exchange(began, now)) * 1e-9;
  };
  mine.begin_stage = [&](const char* name) {
    stage = name;
    if (options.progress) options.progress(name, 0, 0);
  };
  if (options.progress)
    mine.progress = [&](std::uint64_t done, std::uint64_t total) { options.progress(stage, done, total); };
  sort_lines_statistics what;

  line_rule rule = rule_of(order, options.skip_bad);
  const auto fill_statistics = [&] {
    if (options.statistics == nullptr) return;
    count_lines(jobs, what);
    what.buckets = mine.buckets();
    what.field = rule.field;
    *options.statistics = what;
  };
  begin_stage("reading");
  const auto divide = [&](io::cut_at where) { files::divide_files(jobs, &line_job::input, {where}, true); };
  files::open_files(jobs, &line_job::input, paths, files::file_contents::text);
  divide(io::cut_at::lines);
  mine.scratch = options.scratch;
  share_text(jobs, &line_job::scratch);
  take_header(mine, order, rule);
  share_text(jobs, &line_job::header);
  if (rule.has_quotes()) {  // text without quotes is read faster
    divide(io::cut_at::records);
    rule.format.quotes = mine.input.has_quotes();
    if (!rule.has_quotes()) divide(io::cut_at::lines);
  }
  const std::uint64_t bound = sorting::memory_to_sort(options, memory_needed(mine));
  const bool in_runs = bound != 0 && begin_batches(jobs, rule, bound);
  if (bound == 0) on_all_processes([jobs, rule] { jobs.here().read(rule); });
  what.open_seconds = begin_stage(in_runs || processes() == 1 ? "reading" : "exchanging");
  if (in_runs) {
    sort_by_runs(jobs, bound, how, begin_stage, what);
    file.commit();
    what.write_seconds = begin_stage("writing");
    return fill_statistics();
  }
  if (processes() > 1) {
    on_all_processes([jobs] { jobs.here().choose_ranges(); });
    on_all_processes([jobs] { jobs.here().deal_to_processes(); });
    on_all_processes([jobs] { jobs.here().exchange(); });
  }
  what.exchange_seconds = begin_stage("reading");
  on_all_processes([jobs] { jobs.here().deal(); });
  what.deal_seconds = begin_stage("sorting");
  on_all_processes([jobs, how] { jobs.here().sort(how); });
  what.sort_seconds = begin_stage("writing");
  on_all_processes([jobs, how] { jobs.here().write(how); });
  file.commit();
  what.write_seconds = begin_stage("writing");

  fill_statistics();
}

}  // namespace gossamer
