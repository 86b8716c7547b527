#include "gossamer/mapreduce/sort_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/mapreduce/internal/lines/line_job.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer {
namespace {

using mapreduce::line_job;
using mapreduce::line_rule;

line_rule rule_of(const line_order& order, bool skip_bad) {
  line_rule rule{.field = order.field,
                 .numeric = order.numeric,
                 .reverse = order.reverse,
                 .unique = order.unique,
                 .skip_bad = skip_bad};
  rule.format.separator = order.separator;
  rule.format.blanks = order.separator == 0;
  rule.format.quotes = order.quotes;
  return rule;
}

void check_order(const line_order& order) {
  if (order.quotes && order.separator == 0)
    throw error("sorting lines: quotes need a separator that is no blank");
  if (!order.column.empty() && !order.header)
    throw error("sorting lines: the name of a column needs a header");
  if (order.quotes && (order.separator == '"' || order.separator == '\r' || order.separator == '\n'))
    throw error("sorting lines: expected a separator that is neither a quote nor a line end");
}

/// Takes the header of the files and finds the column that the order names.
void take_header(line_job& job, const line_order& order, line_rule& rule) {
  if (!order.header) return;
  job.header = job.files().first_header(rule.format);
  if (order.column.empty() || job.header.empty()) return;
  const auto header = io::read_header(job.header, rule.format, "header");
  rule.field = io::find_column(order.column, header.names, "header") + 1;
}

/// Adds up what the processes have read, written and left out. By the main fiber; suspends.
void count_lines(per_process<line_job> jobs, sort_lines_statistics& what) {
  const scoped_per_process<sort_lines_statistics> sums;
  on_all_processes([jobs, sums = sums.handle()] {
    struct counts {
      std::uint64_t read = 0, written = 0, skipped = 0;
      std::uint32_t file = 0;
    };
    const line_job::skipped& mine = jobs.here().left_out();
    const auto all = all_gather_processes(
        counts{jobs.here().lines_read(), jobs.here().lines_written(), mine.lines, mine.file});
    std::vector<std::vector<char>> texts(processes());
    texts[0].assign(mine.first.begin(), mine.first.end());
    texts = exchange(std::move(texts));
    sort_lines_statistics& sum = sums.here();
    std::uint32_t file = ~std::uint32_t{0};
    for (unsigned p = 0; p < processes(); ++p) {
      sum.lines_read += all[p].read;
      sum.lines_written += all[p].written;
      sum.skipped += all[p].skipped;
      if (all[p].skipped == 0 || all[p].file >= file) continue;
      file = all[p].file;
      sum.first_skipped.assign(texts[p].begin(), texts[p].end());
    }
  });
  what.lines_read = sums.here().lines_read;
  what.lines_written = sums.here().lines_written;
  what.skipped = sums.here().skipped;
  what.first_skipped = sums.here().first_skipped;
}

/// Returns how many bytes the lines in memory may take; 0: as many as they need.
std::uint64_t memory_bound(const line_job& job, const sort_lines_options& options) {
  if (processes() > 1) return 0;
  if (options.memory_bytes != 0) return std::max(options.memory_bytes, sort_lines_options::k_least_memory);
  const std::uint64_t available = machine::available_memory();
  return job.files().memory_needed() <= available
             ? 0
             : std::max(available / 2, sort_lines_options::k_least_memory);
}

/// Sorts the portion that was read, and all that follow, to runs, and merges these to the output. In a process alone.
void sort_by_runs(line_job& job, const line_rule& rule, std::uint64_t bound, io::compression how,
                  const sort_lines_options& options, const std::function<double(const char*)>& begin_stage,
                  sort_lines_statistics& what) {
  mapreduce::line_runs runs(rule, options.scratch.empty() ? machine::usual_scratch_folder() : options.scratch,
                            bound);
  for (bool more = true;;) {
    job.deal();
    what.deal_seconds += begin_stage("sorting");
    job.sort(io::compression::none);
    what.sort_seconds += begin_stage("storing");
    job.store(runs);
    what.run_seconds += begin_stage("reading");
    if (!more) break;
    more = job.read_portion(rule, bound);
    what.open_seconds += begin_stage("reading");
  }
  what.runs = runs.size();
  begin_stage("storing");
  runs.shorten();
  what.run_seconds += begin_stage("writing");
  job.merge(runs, how);
  what.run_bytes = runs.stored_bytes();
  what.passes = runs.passes();
}

}  // namespace

void sort_lines(const std::vector<std::string>& files, const line_order& order, const std::string& output,
                const sort_lines_options& options) {
  check_order(order);
  const io::compression how = io::compression_for(output);
  machine::output_file file(output == "-" ? "/dev/stdout" : output);
  const scoped_per_process<line_job> owned;
  const per_process<line_job> jobs = owned.handle();
  line_job& mine = jobs.here();
  mine.paths = mapreduce::joined_paths(files);
  mine.file = &file;

  const char* stage = "reading";
  std::uint64_t began = machine::now_ns();
  const auto begin_stage = [&](const char* name) {
    stage = name;
    if (options.progress) options.progress(name, 0, 0);
    const std::uint64_t now = machine::now_ns();
    return static_cast<double>(now - std::exchange(began, now)) * 1e-9;
  };
  if (options.progress)
    mine.progress = [&](std::uint64_t done, std::uint64_t total) { options.progress(stage, done, total); };
  sort_lines_statistics what;

  line_rule rule = rule_of(order, options.skip_bad);
  const auto tell = [&] {
    if (options.statistics == nullptr) return;
    count_lines(jobs, what);
    what.buckets = mine.buckets();
    what.field = rule.field;
    *options.statistics = what;
  };
  if (options.memory_bytes != 0 && processes() > 1)
    throw error(
        "sorting lines: a bound of the memory needs one process, found more: each holds its lines in memory");

  begin_stage("reading");
  share_text(jobs, &line_job::paths);
  on_all_processes([jobs] { jobs.here().open(); });
  on_all_processes([jobs] { mapreduce::check_same_files(jobs.here().files().common_bytes()); });
  take_header(mine, order, rule);
  share_text(jobs, &line_job::header);
  const std::uint64_t bound = memory_bound(mine, options);
  bool in_runs = false;
  if (bound == 0)
    on_all_processes([jobs, rule] { jobs.here().read(rule); });
  else
    in_runs = mine.read_portion(rule, bound);
  what.open_seconds = begin_stage(in_runs ? "reading" : "exchanging");
  if (in_runs) {
    sort_by_runs(mine, rule, bound, how, options, begin_stage, what);
    file.commit();
    what.write_seconds = begin_stage("writing");
    return tell();
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

  tell();
}

}  // namespace gossamer
