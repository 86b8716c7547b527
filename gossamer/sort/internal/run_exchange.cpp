#include "gossamer/sort/internal/run_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/any_process.hpp"
#include "gossamer/sort/internal/line_scan.hpp"
#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/internal/travelling_samples.hpp"

namespace gossamer::sorting {
namespace {

constexpr std::uint64_t k_samples_of_runs = 256;  // for each process

/// The header of a block under way. The keys of its first and last line, and its stored bytes follow.
struct travelling_block {
  std::uint64_t run, lines, stored, raw, sum, first_step, last_step, first_bytes, last_bytes, first_is_cut,
      last_is_cut;
};

std::uint64_t size_of(const run_block& block) {
  return sizeof(travelling_block) + block.first.key.size() + block.last.key.size() + block.place.stored;
}

}  // namespace

run_exchange::run_exchange(line_runs& runs, std::vector<std::uint32_t> first_files,
                           std::uint64_t memory_bytes)
    : runs_(runs),
      first_files_(std::move(first_files)),
      round_bytes_(memory_bytes / 8 / processes()),
      parts_(processes()),
      next_(processes()),
      packed_(processes()) {}

void run_exchange::choose_ranges() {
  struct name {
    std::uint32_t file, process;
    std::uint64_t number;
    bool operator<(const name& b) const {
      return std::tie(file, process, number) < std::tie(b.file, b.process, b.number);
    }
  };
  std::vector<name> mine;
  for (std::size_t r = 0; r < first_files_.size(); ++r) mine.push_back({first_files_[r], process(), r});
  std::vector<name> all;
  for (const auto& chunk : gossamer::exchange(std::vector<std::vector<name>>(processes(), mine)))
    all.insert(all.end(), chunk.begin(), chunk.end());
  std::ranges::sort(all, [](const name& a, const name& b) { return a < b; });
  for (const name& n : mine)
    numbers_.push_back(static_cast<std::uint64_t>(
        std::ranges::lower_bound(all, n, [](const name& a, const name& b) { return a < b; }) - all.begin()));
  runs_.number(numbers_);
  ranges_ = std::make_unique<line_splitters>(samples_of_all(), processes(), runs_.rule());
}

/// Samples the first lines of blocks of all processes, with the same stride everywhere, because blocks have
/// about equal size.
std::vector<line_sample> run_exchange::samples_of_all() const {
  std::uint64_t mine = 0, blocks = 0;
  for (const line_run& run : runs_.runs()) mine += run.size();
  for (const std::uint64_t n : all_gather_processes(mine)) blocks += n;
  const std::uint64_t distance = blocks / (k_samples_of_runs * processes()) + 1;
  std::vector<line_sample> drawn;
  std::uint64_t at = 0;
  for (const line_run& run : runs_.runs())
    for (const run_block& block : run)
      if (at++ % distance == 0) drawn.push_back(block.first);
  return exchange_samples(drawn);
}

void run_exchange::cut() {
  struct place {
    numbered_block whole;
    std::size_t first, last;
    std::vector<numbered_block> chunks = {};
    std::vector<std::size_t> ranges = {};
  };
  std::vector<place> places;
  std::vector<std::size_t> divided;
  const std::vector<line_run> runs = runs_.take();
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const run_block& block : runs[r]) {
      const auto [first, last] = ranges_of(*ranges_, block, runs_.rule().reverse);
      if (first != last) divided.push_back(places.size());
      places.push_back({{numbers_[r], block}, first, last});
    }
  local::forall_chunks(0, divided.size(), 1, [&](std::uint64_t d, std::uint64_t end) {
    for (; d < end; ++d) {
      place& p = places[divided[d]];
      p.chunks = chunks_of(p.whole, p.first, p.ranges);
    }
  });
  for (place& p : places) {
    if (p.first == p.last) parts_[p.first].push_back(std::move(p.whole));
    for (std::size_t i = 0; i < p.chunks.size(); ++i) parts_[p.ranges[i]].push_back(std::move(p.chunks[i]));
  }
  for (numbered_block& b : parts_[process()]) mine_[b.run].push_back(std::move(b.block));
  parts_[process()].clear();
}

/// Rewrites the lines of a block, as one block or more for each range. On one core.
std::vector<run_exchange::numbered_block> run_exchange::chunks_of(const numbered_block& whole,
                                                                  std::size_t first_range,
                                                                  std::vector<std::size_t>& ranges) const {
  std::vector<std::byte> bytes;
  runs_.read(whole.block, bytes);
  line_texts texts;
  texts.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, 0);
  std::vector<numbered_block> chunks;
  std::size_t range = first_range;
  std::optional<line_run_writer> out;
  const auto close = [&] {
    if (!out) return;
    for (run_block& block : out->finish()) {
      chunks.push_back({whole.run, std::move(block)});
      ranges.push_back(range);
    }
    out.reset();
  };
  for (const line_texts::segment& s : texts.segments())
    scan_lines({s.text, s.place, s.file}, runs_.rule(),
               [&](std::uint64_t step, std::string_view key, std::uint64_t line, bool is_decided) {
                 const std::size_t to =
                     ranges_->bucket_of(step, key, is_decided, whole.block.first.origin, line);
                 if (to != range) close();
                 range = to;
                 if (!out) out.emplace(runs_);
                 out->add(texts.line(line, runs_.rule().has_quotes()));
               });
  close();
  return chunks;
}

void run_exchange::pack() {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<char>& bytes = packed_[p];
    bytes.clear();
    for (; next_[p] < parts_[p].size(); ++next_[p]) {
      const auto& [run, block] = parts_[p][next_[p]];
      const std::size_t at = bytes.size();
      if (at != 0 && at + size_of(block) > round_bytes_) break;
      bytes.resize(at + size_of(block));
      const travelling_block head{run,
                                  block.lines,
                                  block.place.stored,
                                  block.place.raw,
                                  block.place.sum,
                                  block.first.step,
                                  block.last.step,
                                  block.first.key.size(),
                                  block.last.key.size(),
                                  block.first_is_cut,
                                  block.last_is_cut};
      char* to = bytes.data() + at;
      std::memcpy(to, &head, sizeof head);
      to = std::ranges::copy(block.first.key, to + sizeof head).out;
      to = std::ranges::copy(block.last.key, to).out;
      runs_.read_stored(block, std::as_writable_bytes(std::span(to, block.place.stored)));
    }
  }
}

void run_exchange::swap() {
  const auto got = gossamer::exchange(std::exchange(packed_, std::vector<std::vector<char>>(processes())));
  bool unsent = false;
  for (std::size_t p = 0; p < parts_.size(); ++p) unsent |= next_[p] < parts_[p].size();
  has_more_ = any_process(unsent);
  for (const std::vector<char>& bytes : got) take(bytes);
}

/// Stores the blocks received from another process.
void run_exchange::take(std::span<const char> bytes) {
  while (!bytes.empty()) {
    travelling_block head;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes = bytes.subspan(sizeof head);
    const auto text = [&](std::uint64_t n) {
      const std::string key(bytes.data(), n);
      bytes = bytes.subspan(n);
      return key;
    };
    run_block block;
    block.lines = head.lines;
    block.first = {head.first_step, 0, 0, text(head.first_bytes)};
    block.last = {head.last_step, 0, 0, text(head.last_bytes)};
    block.first_is_cut = head.first_is_cut != 0;
    block.last_is_cut = head.last_is_cut != 0;
    block.place = {0, head.stored, head.raw, head.sum};
    runs_.add_stored(block, std::as_bytes(bytes.first(head.stored)));
    mine_[head.run].push_back(std::move(block));
    bytes = bytes.subspan(head.stored);
  }
}

void run_exchange::finish() {
  parts_.clear();
  for (auto& [number, run] : mine_) runs_.append(std::move(run));
  mine_.clear();
}

}  // namespace gossamer::sorting
