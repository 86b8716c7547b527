#include "gossamer/sort/internal/line_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/sort/internal/any_process.hpp"
#include "gossamer/sort/internal/line_sorter.hpp"
#include "gossamer/sort/internal/stored_chunks.hpp"
#include "gossamer/sort/internal/travelling_samples.hpp"

namespace gossamer::sorting {
namespace {

constexpr std::uint64_t k_bucket_lines = 32 << 10;  // their entries stay in a core's cache
constexpr std::uint64_t k_most_buckets = 1024;
constexpr std::uint64_t k_samples_each = 16;  // for each bucket
constexpr std::uint64_t k_samples_of_processes = 256;  // for each process
constexpr std::uint64_t k_length_samples = 256;
constexpr std::uint64_t k_least_bucket_lines = 1024;
constexpr std::size_t k_lines_ahead = 16;

void append_bytes(std::vector<char>& to, const void* data, std::size_t bytes) {
  const auto* const p = static_cast<const char*>(data);
  to.insert(to.end(), p, p + bytes);
}

/// The header of a file's lines in a message.
struct travelling_lines {
  std::uint64_t file, bytes;
};

/// Estimates the number of lines from the lengths of samples; a line is sampled in proportion to its length.
double lines_by(const std::vector<line_sample>& samples, std::uint64_t bytes, const line_texts& texts,
                bool quotes) {
  double inverse = 0;
  for (const line_sample& s : samples)
    inverse += 1.0 / static_cast<double>(texts.line(s.line, quotes).size() + 1);
  return samples.empty() ? 0 : inverse / static_cast<double>(samples.size()) * static_cast<double>(bytes);
}

/// Returns the number of buckets for so many lines: several for each core, unless they would be tiny.
std::uint64_t buckets_for(std::uint64_t lines) {
  const std::uint64_t cores = local::cores(), small = lines / k_bucket_lines + 1;
  if (cores == 1) return std::min(small, k_most_buckets);
  const std::uint64_t most = std::max<std::uint64_t>(lines / k_least_bucket_lines, 1);
  return std::min(std::clamp(small, 4 * cores, std::max(k_most_buckets, 4 * cores)), most);
}

/// Sets an atomic value to the minimum of it and `to`.
void lower_to(std::atomic<std::uint64_t>& value, std::uint64_t to) {
  std::uint64_t now = value.load(std::memory_order_relaxed);
  while (to < now && !value.compare_exchange_weak(now, to, std::memory_order_relaxed)) continue;
}

}  // namespace

/// Calls f(task) for all tasks, on all cores of the process; stops soon after an error.
template <class F>
void line_job::over(std::uint64_t tasks, F f) {
  done_ = 0;
  local::forall_chunks(0, tasks, 1, [this, tasks, &f](std::uint64_t task, std::uint64_t end) {
    for (; task < end && !failed_.load(std::memory_order_relaxed); ++task) {
      try {
        f(task);
      } catch (...) {
        failed_.store(true, std::memory_order_relaxed);
        throw;
      }
      const std::uint64_t done = done_.fetch_add(1, std::memory_order_relaxed) + 1;
      if (progress && local::here() == 0) progress(done, tasks);
    }
  });
}

/// Closes the files after their lines were copied.
void line_job::close_files() {
  reader_.clear();
  input = {};
}

void line_job::read(const line_rule& rule) {
  rule_ = rule;
  reader_.expect_header(header, rule_.format);
  reader_.take_all(texts_);
  scanned_ = cut_lines(texts_, rule_.has_quotes());
}

/// Returns the origin that orders equal keys of several processes: the file, then the process.
std::uint64_t line_job::origin_of(std::uint32_t number) const {
  return std::uint64_t{number} << 32 | process();
}

void line_job::deal_to(core_buckets& buckets, const line_splitters& splitters, bool by_origin) {
  for (unsigned c = 0; c < local::cores(); ++c) buckets.at(c).prepare(splitters.buckets());
  const bool from_files = received_.empty();
  const local::scoped_per_core<skipped_lines> left_out;
  std::atomic<std::uint64_t> refused{~std::uint64_t{0}};  // position of the first line that ends the job
  over(scanned_.size(), [&, buckets = buckets.handle(), left_out = left_out.handle()](std::uint64_t task) {
    if (scanned_[task].place > refused.load(std::memory_order_relaxed)) return;
    deal_lines(scanned_[task], rule_, splitters, buckets.here(),
               {[&](const line_chunk& from) {
                  if (from_files) input[from.file].populate(from.text);
                },
                [&](std::uint32_t number) { return by_origin ? origin_of(number) : 0; },
                [&](std::uint64_t place, function_ref<std::string()> what) {
                  left_out.here().add(place, what);
                  if (!rule_.skip_bad) lower_to(refused, place);
                }});
  });
  note_skipped(left_out);
}

/// Adds up the lines that the cores have skipped, or throws the error of the first. Malformed lines are never
/// sent, so they occur only in files.
void line_job::note_skipped(const local::scoped_per_core<skipped_lines>& by_core) {
  skipped_lines all;
  for (unsigned c = 0; c < local::cores(); ++c) all.add(by_core.at(c));
  if (all.lines == 0) return;
  skipped_.lines += all.lines;
  if (!skipped_.first.empty()) return;  // set by an earlier batch
  skipped_ = {skipped_.lines, texts_.file_of(line_texts::pack(all.place, 0)),
              fmt::format("{}: {}", reader_.place_of(texts_, all.place), all.what)};
  if (!rule_.skip_bad) throw error(skipped_.first);
}

/// Draws samples in proportion to this process's text, and returns those of all processes, in the same order everywhere.
std::vector<line_sample> line_job::samples_of_all() {
  std::uint64_t bytes = 0;
  for (const std::uint64_t n : all_gather_processes(texts_.bytes())) bytes += n;
  const std::uint64_t wanted = k_samples_of_processes * processes();
  const auto mine =
      static_cast<std::uint64_t>(static_cast<double>(wanted) * static_cast<double>(texts_.bytes()) /
                                 static_cast<double>(std::max<std::uint64_t>(bytes, 1)));
  return exchange_samples(
      draw_lines(scanned_, rule_, mine, [this](std::uint32_t number) { return origin_of(number); }));
}

/// Returns lines as text, those of each file preceded by a travelling_lines.
std::vector<char> line_job::text_for(const std::vector<std::uint64_t>& lines) const {
  std::vector<char> text;
  std::size_t open = 0;  // offset of the file's travelling_lines
  std::uint64_t number = ~std::uint64_t{0};  // index of the file
  const auto close = [&] {
    if (text.empty()) return;
    const travelling_lines head{number, text.size() - open - sizeof(travelling_lines)};
    std::memcpy(text.data() + open, &head, sizeof head);
  };
  for (const std::uint64_t line : lines) {
    if (const std::uint64_t next = texts_.file_of(line); next != number) {
      close();
      number = next;
      open = text.size();
      text.resize(open + sizeof(travelling_lines));
    }
    const std::string_view record = texts_.line(line, rule_.has_quotes());
    append_bytes(text, record.data(), record.size());
    text.push_back('\n');
  }
  close();
  return text;
}

void line_job::choose_ranges() {
  ranges_ = std::make_unique<line_splitters>(samples_of_all(), processes(), rule_);
}

void line_job::deal_to_processes() {
  outgoing_.resize(processes());
  core_buckets buckets;
  deal_to(buckets, *ranges_, true);
  machine::require_chunk(2 * texts_.bytes(), "exchanging lines");  // sent and received text
  over(ranges_->buckets(), [&, buckets = buckets.handle()](std::uint64_t p) {
    std::vector<std::uint64_t> lines;
    for (unsigned c = 0; c < local::cores(); ++c) {
      const sort_buffer<wide_key> entries(buckets.at(c).size(p));
      buckets.at(c).take(p, entries.data());
      for (const wide_key& entry : entries.span()) lines.push_back(entry.low);
    }
    sort_keys(std::span(lines));
    outgoing_[p] = text_for(lines);
  });
}

void line_job::exchange() {
  texts_.clear();
  received_ = gossamer::exchange(std::move(outgoing_));
  close_files();
  struct received_text {
    std::uint32_t file;
    unsigned sender;
    std::string_view text;
  };
  std::vector<received_text> all;
  for (unsigned p = 0; p < received_.size(); ++p) {
    const std::vector<char>& bytes = received_[p];
    for (std::size_t at = 0; at < bytes.size();) {
      travelling_lines head{};
      std::memcpy(&head, bytes.data() + at, sizeof head);
      at += sizeof head;
      all.push_back({static_cast<std::uint32_t>(head.file), p, {bytes.data() + at, head.bytes}});
      at += head.bytes;
    }
  }
  std::ranges::sort(all, {}, [](const received_text& p) { return std::pair(p.file, p.sender); });
  for (const received_text& p : all) texts_.add(p.text, p.file);
  scanned_ = cut_lines(texts_, rule_.has_quotes());
}

void line_job::deal() {
  const auto here = [](std::uint32_t) { return std::uint64_t{0}; };
  const double lines = lines_by(draw_lines(scanned_, rule_, k_length_samples, here), texts_.bytes(), texts_,
                                rule_.has_quotes());
  const std::uint64_t buckets = buckets_for(static_cast<std::uint64_t>(lines));
  const line_splitters splitters(
      buckets == 1 ? std::vector<line_sample>() : draw_lines(scanned_, rule_, buckets * k_samples_each, here),
      buckets, rule_);
  dealt_ = std::make_unique<core_buckets>();
  deal_to(*dealt_, splitters, false);
  sorted_ = std::vector<sorted_bucket>(splitters.buckets());
}

void line_job::sort_bucket(std::size_t number, std::uint64_t chunk_bytes) {
  sorted_bucket& mine = sorted_[number];
  std::size_t lines = 0;
  for (unsigned c = 0; c < local::cores(); ++c) lines += dealt_->at(c).size(number);
  machine::require_chunk(lines * sizeof(wide_key), "sorting lines");
  mine.entries = sort_buffer<wide_key>(lines);
  wide_key* end = mine.entries.data();
  bool long_numbers = false;
  for (unsigned c = 0; c < local::cores(); ++c) {
    long_numbers |= dealt_->at(c).has_long_numbers(number);
    end = dealt_->at(c).take(number, end);
  }
  mine.lines = line_sorter(texts_, rule_).sort(mine.entries.span(), long_numbers);

  std::uint64_t bytes = 0;
  for (std::size_t begin = 0, i = 0; i < mine.lines;) {
    bytes += texts_.line(mine.entries.data()[i].low, rule_.has_quotes()).size() + 1;
    if (++i < mine.lines && bytes < chunk_bytes) continue;
    mine.chunks.push_back({static_cast<std::uint32_t>(number), begin, i});
    mine.chunk_bytes.push_back(bytes);
    begin = i;
    bytes = 0;
  }
}

void line_job::sort(io::compression how) {
  for (std::size_t b = 0; b < sorted_.size(); ++b)
    for (unsigned c = 0; c < local::cores(); ++c) lines_read_ += dealt_->at(c).size(b);
  over(sorted_.size(), [&](std::uint64_t b) { sort_bucket(b, files::good_chunk_bytes(how)); });
  dealt_.reset();
}

std::uint64_t line_job::lines_written() const {
  std::uint64_t lines = merged_lines_;
  for (const sorted_bucket& b : sorted_) lines += b.lines;
  return lines;
}

void line_job::read_batch(const line_rule& rule, std::uint64_t bytes) {
  rule_ = rule;
  reader_.expect_header(header, rule_.format);
  has_more_ = reader_.take(bytes, texts_);
  scanned_ = cut_lines(texts_, rule_.has_quotes());
}

void line_job::agree() { in_runs_ = any_process(has_more_); }

void line_job::make_runs(std::uint64_t memory_bytes) {
  runs_ = std::make_unique<line_runs>(rule_, scratch.empty() ? machine::usual_scratch_folder() : scratch,
                                      memory_bytes);
  std::vector<std::uint32_t> first_files;
  std::uint64_t began = machine::now_ns();
  const auto next_stage = [&](const char* name, double& seconds) {
    const std::uint64_t now = machine::now_ns();
    seconds += static_cast<double>(now - std::exchange(began, now)) * 1e-9;
    if (begin_stage) begin_stage(name);
  };
  for (;;) {
    const std::uint32_t first_file = texts_.segments().empty() ? 0 : texts_.segments().front().file;
    deal();
    next_stage("sorting", times_.deal);
    sort(io::compression::none);
    next_stage("storing", times_.sort);
    store(*runs_);
    if (runs_->size() > first_files.size()) first_files.push_back(first_file);
    next_stage("reading", times_.store);
    if (!has_more_) break;
    read_batch(rule_, memory_bytes);
    next_stage("reading", times_.read);
  }
  texts_.clear();
  close_files();
  runs_made_ = runs_->size();
  exchange_ = std::make_unique<run_exchange>(*runs_, std::move(first_files), memory_bytes);
}

/// Writes the sorted lines as a run and frees them.
void line_job::store(line_runs& runs) {
  std::vector<line_run> of_buckets(sorted_.size());
  over(sorted_.size(), [&](std::uint64_t b) {
    line_run_writer out(runs);
    for (const wide_key& entry : sorted_[b].entries.span().first(sorted_[b].lines))
      out.add(texts_.line(entry.low, rule_.has_quotes()));
    of_buckets[b] = out.finish();
    sorted_[b] = {};
  });
  line_run run;
  for (line_run& one : of_buckets) std::ranges::move(one, std::back_inserter(run));
  runs.append(std::move(run));
  sorted_.clear();
}

void line_job::merge(io::compression how) {
  exchange_.reset();
  const auto merge_to = [&](function_ref<void(const std::string& stored)> take) {
    merged_lines_ = runs_->merge([&](std::string text) { return io::compress(how, std::move(text)); }, take,
                                 [&](std::uint64_t done, std::uint64_t total) {
                                   if (progress) progress(done, total);
                                 });
  };
  write_merged(file, how, header, scratch.empty() ? machine::usual_scratch_folder() : scratch, merge_to);
}

/// Copies the lines of a chunk, prefetched, because they are scattered over the text.
void line_job::fill(const chunk& from, char* to) const {
  const wide_key* const entries = sorted_[from.bucket].entries.data();
  for (std::size_t i = from.begin; i < from.end; ++i) {
    if (i + k_lines_ahead < from.end) {
      const char* const next = texts_.begin_of(entries[i + k_lines_ahead].low);
      __builtin_prefetch(next);
      __builtin_prefetch(next + 64);
    }
    const std::string_view line = texts_.line(entries[i].low, rule_.has_quotes());
    std::memcpy(to, line.data(), line.size());
    to += line.size();
    *to++ = '\n';
  }
}

void line_job::write(io::compression how) {
  std::vector<chunk> chunks;
  std::vector<std::uint64_t> bytes;
  for (const sorted_bucket& b : sorted_) {
    chunks.insert(chunks.end(), b.chunks.begin(), b.chunks.end());
    bytes.insert(bytes.end(), b.chunk_bytes.begin(), b.chunk_bytes.end());
  }
  done_ = 0;
  const auto fill_one = [&](std::size_t p, char* to) { fill(chunks[p], to); };
  const auto written = [&] {
    const std::uint64_t done = done_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (progress && local::here() == 0) progress(done, chunks.size());
  };
  const files::output_chunks all{bytes, fill_one, written};
  if (process() != 0) return files::send_chunks(all, how);
  files::chunk_output out(*file, how);
  out.write(header);
  out.write(all);
  for (unsigned p = 1; p < processes(); ++p) out.receive(p);
  out.finish();
}

}  // namespace gossamer::sorting
