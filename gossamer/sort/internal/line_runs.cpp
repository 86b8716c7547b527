#include "gossamer/sort/internal/line_runs.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/sort/internal/line_scan.hpp"
#include "gossamer/sort/internal/line_sorter.hpp"
#include "gossamer/sort/internal/line_texts.hpp"

namespace gossamer::sorting {
namespace {

constexpr std::size_t k_least_block_bytes = 8 << 10, k_most_block_bytes = 256 << 10;
constexpr std::size_t k_blocks_of_core =
    256;  // blocks in a core's share of the memory, unless they would be tiny
constexpr std::size_t k_most_key_bytes = 128;  // stored part of a key
constexpr std::size_t k_chunk_bytes = std::size_t{1} << 20;  // of the output of a large range

/// Returns the first and the last bucket that may have a line. If the key is cut, only its beginning is
/// known: the line comes after a line with that key, or before it in descending order.
std::pair<std::size_t, std::size_t> buckets_of(const line_splitters& splitters, const line_sample& line,
                                               bool is_cut, bool reverse) {
  const auto of = [&](std::uint64_t origin, std::uint64_t place) {
    return splitters.bucket_of(line.step, line.key, line.is_decided, origin, place);
  };
  if (!is_cut) {
    const std::size_t bucket = of(line.origin, line.line);
    return {bucket, bucket};
  }
  constexpr std::uint64_t k_last = ~std::uint64_t{0};
  if (!reverse) return {of(k_last, k_last), of(k_last, k_last)};
  const std::size_t bucket = of(0, 0);
  return {bucket - (bucket > 0 ? 1 : 0), bucket};
}

}  // namespace

std::pair<std::size_t, std::size_t> ranges_of(const line_splitters& splitters, const run_block& block,
                                              bool reverse) {
  return {buckets_of(splitters, block.first, block.first_is_cut, reverse).first,
          buckets_of(splitters, block.last, block.last_is_cut, reverse).second};
}

line_runs::line_runs(const line_rule& rule, std::string folder, std::uint64_t memory_bytes)
    : rule_(rule),
      folder_(std::move(folder)),
      memory_bytes_(memory_bytes),
      block_bytes_(std::clamp<std::size_t>(memory_bytes / (k_blocks_of_core * local::cores()),
                                           k_least_block_bytes, k_most_block_bytes)) {
  open_files();
}

void line_runs::open_files() {
  writers_ = std::make_unique<local::scoped_per_core<writer>>();
  for (unsigned c = 0; c < local::cores(); ++c) writers_->at(c).file = machine::scratch_file::in(folder_);
}

std::uint64_t line_runs::stored_bytes() const {
  return writers_->fold(stored_before_,
                        [](std::uint64_t sum, const writer& w) { return sum + w.file.bytes(); });
}

void line_runs::append(line_run run) {
  if (run.empty()) return;
  number_run(run, runs_.size());
  runs_.push_back(std::move(run));
}

/// Sets the origins of a run's blocks, which order equal keys of several runs, then of blocks.
void line_runs::number_run(line_run& run, std::uint64_t number) {
  for (std::size_t b = 0; b < run.size(); ++b) {
    run[b].first.origin = run[b].last.origin = (number + 1) << 32 | b;
    run[b].first.line = 0;
    run[b].last.line = ~std::uint64_t{0};
  }
}

void line_runs::number(const std::vector<std::uint64_t>& numbers) {
  for (std::size_t r = 0; r < runs_.size(); ++r) number_run(runs_[r], numbers[r]);
}

void line_runs::read(const run_block& block, std::vector<std::byte>& into) const {
  here().codec.read(writers_->at(block.writer).file, block.place, into);
}

void line_runs::read_stored(const run_block& block, std::span<std::byte> into) const {
  writers_->at(block.writer).file.read(block.place.at, into);
}

void line_runs::add_stored(run_block& block, std::span<const std::byte> stored) const {
  block.place.at = here().file.append(stored);
  block.writer = local::here();
}

/// Returns the maximum number of runs merged at once. A core that merges alone can hold twice as many blocks,
/// and their text in order.
std::uint64_t line_runs::most_runs() const {
  return std::max<std::uint64_t>(2, memory_bytes_ / (4 * block_bytes_));
}

/// Returns the number of cores whose merges fit the memory at the same time.
unsigned line_runs::merges_at_once(std::size_t runs) const {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(most_runs() / std::max<std::size_t>(runs, 1), 1, local::cores()));
}

/// Divides the lines of the runs from `first` on among ranges, each of which fits the memory of a core.
line_runs::range_plan line_runs::plan(std::size_t first, std::size_t last, unsigned at_once) const {
  std::vector<line_sample> samples;
  for (std::size_t r = first; r < last; ++r)
    for (const run_block& b : runs_[r]) samples.push_back(b.first);
  const std::uint64_t fit = memory_bytes_ / (2 * block_bytes_ * at_once), runs = last - first;
  const std::uint64_t each = fit > runs ? fit - runs : 1;
  range_plan planned;
  const std::uint64_t ranges = samples.size() / each + 1;
  planned.splitters = std::make_unique<line_splitters>(std::move(samples), ranges, rule_);
  planned.blocks.resize(planned.splitters->buckets());
  planned.most_blocks = std::max(fit, runs + 1);
  for (std::size_t r = first; r < last; ++r)
    for (const run_block& b : runs_[r]) {
      const auto [from, to] = ranges_of(*planned.splitters, b, rule_.reverse);
      for (std::size_t range = from; range <= to; ++range) planned.blocks[range].push_back(&b);
    }
  return planned;
}

template <class F>
std::uint64_t line_runs::merge_range(const range_plan& plan, std::size_t range, F f) const {
  const std::vector<const run_block*>& blocks = plan.blocks[range];
  const local::scoped_per_core<writer>& from = before_ ? *before_ : *writers_;
  std::uint64_t bytes = 0, lines = 0;
  for (const run_block* b : blocks) {
    bytes += b->place.raw;
    lines += b->lines;
  }
  machine::require_chunk(bytes + lines * sizeof(wide_key), "merging lines");
  std::vector<std::vector<std::byte>> loaded(blocks.size());
  std::vector<wide_key> entries;
  entries.reserve(lines);
  line_texts texts;
  bool long_numbers = false;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    here().codec.read(from.at(blocks[b]->writer).file, blocks[b]->place, loaded[b]);
    texts.add({reinterpret_cast<const char*>(loaded[b].data()), loaded[b].size()}, b);
  }
  for (const line_texts::segment& s : texts.segments()) {
    const std::uint64_t origin = blocks[s.file]->first.origin;
    scan_lines({s.text, s.place, s.file}, rule_,
               [&](std::uint64_t step, std::string_view key, std::uint64_t line, bool is_decided) {
                 if (plan.splitters->bucket_of(step, key, is_decided, origin, line) != range) return;
                 entries.push_back({line, step});
                 long_numbers |= !is_decided;
               });
  }
  const std::size_t left = line_sorter(texts, rule_).sort(entries, long_numbers);
  for (const wide_key& entry : std::span(entries).first(left)) f(texts.line(entry.low, rule_.has_quotes()));
  return left;
}

/// Iterates over the lines of a run that are in a range.
class line_runs::run_cursor {
 public:
  /// Begins with the given blocks of the run, in order.
  run_cursor(const line_runs& runs, const range_plan& plan, std::size_t range,
             std::span<const run_block* const> blocks)
      : runs_(runs), plan_(plan), range_(range), blocks_(blocks) {
    next();
  }
  bool has_line() const { return has_line_; }
  std::string_view line() const { return line_; }

  /// Advances to the next line of the range.
  void next() {
    const line_rule& rule = runs_.rule_;
    for (has_line_ = false; !has_line_;) {
      if (rest_.empty()) {
        if (blocks_.empty()) return;
        const run_block& block = *blocks_.front();
        blocks_ = blocks_.subspan(1);
        const local::scoped_per_core<writer>& from = runs_.before_ ? *runs_.before_ : *runs_.writers_;
        runs_.here().codec.read(from.at(block.writer).file, block.place, loaded_);
        rest_ = {reinterpret_cast<const char*>(loaded_.data()), loaded_.size()};
        origin_ = block.first.origin;
        continue;
      }
      line_ = rest_.substr(0, record_length(rest_, rule.has_quotes()));
      rest_.remove_prefix(line_.size() + 1);
      key_ = rule.key_of(line_, scratch_);
      const number_step number = rule.numeric ? read_number(key_) : number_step{};
      step_ = rule.numeric ? rule.ordered(number) : rule.ordered(text_step(key_, 0));
      is_decided_ = number.is_decided;
      has_line_ = plan_.splitters->bucket_of(step_, key_, is_decided_, origin_, 0) == range_;
    }
  }
  /// Compares the keys of two lines.
  int compare(const run_cursor& b) const {
    if (step_ != b.step_) return step_ < b.step_ ? -1 : 1;
    return is_decided_ && b.is_decided_ ? 0 : runs_.rule_.compare(key_, b.key_);
  }
  /// Returns whether the key equals `before`, and stores it there.
  bool repeats(std::string& before, bool& is_first) const {
    const bool repeated = !is_first && runs_.rule_.compare(before, key_) == 0;
    is_first = false;
    before.assign(key_);
    return repeated;
  }

 private:
  const line_runs& runs_;
  const range_plan& plan_;
  const std::size_t range_;
  std::span<const run_block* const> blocks_;  // the next ones
  std::vector<std::byte> loaded_;
  std::string_view rest_, line_, key_;
  std::string scratch_;
  std::uint64_t step_ = 0, origin_ = 0;
  bool has_line_ = false, is_decided_ = false;
};

template <class F>
std::uint64_t line_runs::merge_large_range(const range_plan& plan, std::size_t range, F f) const {
  const std::span<const run_block* const> blocks = plan.blocks[range];
  std::vector<std::unique_ptr<run_cursor>> runs;
  std::vector<std::size_t> heap;  // of runs that have a line; its front has the smallest one
  for (std::size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
    constexpr unsigned k_run_shift = 32;  // number_run()
    const std::uint64_t run = blocks[begin]->first.origin >> k_run_shift;
    while (end < blocks.size() && blocks[end]->first.origin >> k_run_shift == run) ++end;
    runs.push_back(std::make_unique<run_cursor>(*this, plan, range, blocks.subspan(begin, end - begin)));
    if (runs.back()->has_line()) heap.push_back(runs.size() - 1);
  }
  const auto later = [&](std::size_t a, std::size_t b) {
    const int sign = runs[a]->compare(*runs[b]);
    return sign != 0 ? sign > 0 : a > b;
  };
  std::ranges::make_heap(heap, later);
  std::string before;
  bool is_first = true;
  std::uint64_t lines = 0;
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, later);
    run_cursor& next = *runs[heap.back()];
    if (!rule_.unique || !next.repeats(before, is_first)) {
      f(next.line());
      ++lines;
    }
    next.next();
    if (next.has_line())
      std::ranges::push_heap(heap, later);
    else
      heap.pop_back();
  }
  return lines;
}

std::uint64_t line_runs::merge(function_ref<std::string(std::string text)> make,
                               function_ref<void(const std::string& chunk)> take,
                               function_ref<void(std::uint64_t done, std::uint64_t total)> progress) {
  const unsigned at_once = merges_at_once(runs_.size());
  const range_plan planned = plan(0, runs_.size(), at_once);
  const std::size_t ranges = planned.blocks.size();
  std::vector<std::uint64_t> lines(ranges);
  for (std::size_t begin = 0; begin < ranges;) {
    if (planned.is_large(begin)) {
      std::string text;
      lines[begin] = merge_large_range(planned, begin, [&](std::string_view line) {
        text.append(line) += '\n';
        if (text.size() >= k_chunk_bytes) take(make(std::exchange(text, {})));
      });
      if (!text.empty()) take(make(std::move(text)));
      progress(++begin, ranges);
      continue;
    }
    std::size_t end_of_group = begin + 1;
    while (end_of_group < std::min<std::size_t>(begin + at_once, ranges) && !planned.is_large(end_of_group))
      ++end_of_group;
    std::vector<std::string> chunks(end_of_group - begin);
    local::forall_chunks(0, chunks.size(), 1, [&](std::uint64_t p, std::uint64_t end) {
      for (; p < end; ++p) {
        std::string text;
        lines[begin + p] =
            merge_range(planned, begin + p, [&](std::string_view line) { text.append(line) += '\n'; });
        chunks[p] = make(std::move(text));
      }
    });
    for (const std::string& chunk : chunks) take(chunk);
    begin = end_of_group;
    progress(begin, ranges);
  }
  std::uint64_t all = 0;
  for (const std::uint64_t n : lines) all += n;
  return all;
}

/// Merges the runs from `first` on into one.
line_run line_runs::merged(std::size_t first, std::size_t last) {
  const range_plan planned = plan(first, last, merges_at_once(last - first));
  std::vector<line_run> of_ranges(planned.blocks.size());
  const std::size_t at_once = merges_at_once(last - first);
  for (std::size_t begin = 0; begin < of_ranges.size(); begin += at_once)
    local::forall_chunks(
        begin, std::min(begin + at_once, of_ranges.size()), 1, [&](std::uint64_t p, std::uint64_t end) {
          for (; p < end; ++p) {
            line_run_writer out(*this);
            const auto add = [&](std::string_view line) { out.add(line); };
            planned.is_large(p) ? merge_large_range(planned, p, add) : merge_range(planned, p, add);
            of_ranges[p] = out.finish();
          }
        });
  line_run all;
  for (line_run& one : of_ranges) std::ranges::move(one, std::back_inserter(all));
  return all;
}

void line_runs::shorten() {
  const std::size_t most = most_runs();
  while (runs_.size() > most) {
    stored_before_ = stored_bytes();
    before_ = std::move(writers_);
    open_files();
    std::vector<line_run> longer;
    for (std::size_t first = 0; first < runs_.size(); first += most)
      longer.push_back(merged(first, std::min(first + most, runs_.size())));
    runs_.clear();
    before_.reset();
    for (line_run& run : longer) append(std::move(run));
    ++passes_;
  }
}

line_run_writer::line_run_writer(const line_runs& runs) : runs_(runs), to_(runs.here()) {
  block_.reserve(runs.block_bytes());
}

void line_run_writer::add(std::string_view line) {
  const std::size_t weight = line.size() + 1 + sizeof(wide_key);
  if (!block_.empty() && weight_ + weight > runs_.block_bytes()) flush();
  weight_ += weight;
  ++lines_;
  last_ = block_.size();
  block_.insert(block_.end(), line.begin(), line.end());
  block_.push_back('\n');
}

line_sample line_run_writer::sample_of(std::string_view line, bool& is_cut) {
  const line_rule& rule = runs_.rule();
  std::string_view key = rule.key_of(line, scratch_);
  if (rule.numeric) {
    const number_step number = read_number(key);
    return {rule.ordered(number), 0, 0, std::string(key), number.is_decided};
  }
  is_cut = key.size() > k_most_key_bytes;
  return {rule.ordered(text_step(key, 0)), 0, 0, std::string(key.substr(0, k_most_key_bytes))};
}

void line_run_writer::flush() {
  if (block_.empty()) return;
  const std::string_view text(block_.data(), block_.size());
  run_block& done = done_.emplace_back();
  done.place = to_.codec.write(to_.file, std::as_bytes(std::span(text)));
  done.writer = local::here();
  done.lines = lines_;
  done.first = sample_of(text.substr(0, record_length(text, runs_.rule().has_quotes())), done.first_is_cut);
  done.last = sample_of(text.substr(last_, text.size() - last_ - 1), done.last_is_cut);
  block_.clear();
  weight_ = lines_ = 0;
}

line_run line_run_writer::finish() {
  flush();
  return std::move(done_);
}

}  // namespace gossamer::sorting
