#include "gossamer/sort/internal/line_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"

namespace gossamer::sorting {
namespace {

constexpr std::size_t k_scanned_bytes = std::size_t{1} << 20;  // size of a chunk
constexpr std::size_t k_least_scanned_bytes = 16 << 10;
constexpr std::size_t k_chunks_each = 16;  // for each core, of a small input
constexpr std::size_t k_most_sample_bytes = 4096;  // of a key; a splitter need not be a line
constexpr std::size_t k_shown_bytes = 40;  // shown of a field that is no number

/// Returns a part of a field for a message, with unprintable characters as dots.
std::string shown(std::string_view field) {
  std::string text(field.substr(0, k_shown_bytes));
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '.');
  return field.size() > k_shown_bytes ? text + "..." : text;
}

/// Calls f(record, key) for each record of a chunk, and problem(at, what) for one without the field, which is
/// then skipped.
template <class F, class Problem>
void for_each_record(std::string_view text, const line_rule& rule, F f, Problem problem) {
  if (rule.field == 0) {
    std::string unused;
    for (std::size_t at = 0; at < text.size();) {
      const void* const found = std::memchr(text.data() + at, '\n', text.size() - at);
      const std::size_t end = found == nullptr
                                  ? text.size()
                                  : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
      const std::string_view record = text.substr(at, end - at);
      f(record, rule.key_of(record, unused));
      at = end + 1;
    }
    return;
  }
  const std::uint32_t columns[] = {rule.field - 1};
  io::delimited_scratch scratch;
  const auto take = [&](const io::delimited_record& r) {
    std::size_t length = r.text.size();
    const std::size_t end = r.at + length;
    if (end < text.size() && text[end] == '\r') ++length;
    f(text.substr(r.at, length), r.fields[0]);
  };
  const auto skip = [&](const io::delimited_problem& p) {
    problem(p.record_at, [&] { return io::describe(p, rule.format); });
    return true;
  };
  io::read_records(text, rule.format, columns, scratch, take, skip);
}

/// Divides [0, text.size()) at the records next to multiples of `step`.
void cut_plain(const line_texts::segment& from, std::size_t step, std::vector<line_chunk>& chunks) {
  for (std::size_t begin = 0; begin < from.text.size();) {
    const std::size_t at = std::min(begin + step, from.text.size());
    const std::size_t end = io::record_start(from.text, at, false, false);
    chunks.push_back({from.text.substr(begin, end - begin), from.place + begin, from.file});
    begin = end;
  }
}

/// Does the same if quotes may enclose line ends: first counts the quotes before each position. Each step
/// searches for a record that begins in it, so that long records are scanned once.
void cut_quoted(const line_texts::segment& from, std::size_t step, std::vector<line_chunk>& chunks) {
  const std::size_t size = from.text.size(), steps = (size + step - 1) / step;
  std::vector<std::uint64_t> quotes(steps), starts(steps);
  local::forall_chunks(0, steps, 1, [&](std::uint64_t p, std::uint64_t last) {
    for (; p < last; ++p) quotes[p] = io::count_quotes(from.text.substr(p * step, step));
  });
  std::uint64_t before = 0;
  for (std::uint64_t& q : quotes) before += std::exchange(q, before);
  const auto end_of = [&](std::uint64_t p) { return std::min<std::size_t>((p + 1) * step, size); };
  local::forall_chunks(0, steps, 1, [&](std::uint64_t p, std::uint64_t last) {
    for (; p < last; ++p)
      starts[p] = io::record_start(from.text.substr(0, end_of(p)), p * step, quotes[p] % 2 != 0);
  });
  std::size_t begin = 0;
  for (std::uint64_t p = 1; p <= steps; ++p) {
    const std::size_t end = p == steps ? size : starts[p];
    if (p < steps && end == end_of(p)) continue;  // no record begins in this step
    if (end > begin) chunks.push_back({from.text.substr(begin, end - begin), from.place + begin, from.file});
    begin = end;
  }
}

/// Calls f(step, key, line, is_decided) for each line of a chunk, and problem(at, what) for a malformed one.
template <class F, class Problem>
void scan(const line_chunk& chunk, const line_rule& rule, F f, Problem problem) {
  const auto give = [&](std::string_view record, std::string_view key, std::uint64_t step, bool is_decided) {
    const auto at = static_cast<std::size_t>(record.data() - chunk.text.data());
    f(step, key, line_texts::pack(chunk.place + at, record.size()), is_decided);
  };
  if (!rule.numeric)
    return for_each_record(
        chunk.text, rule,
        [&](std::string_view record, std::string_view key) {
          give(record, key, rule.ordered(text_step(key, 0)), false);
        },
        problem);
  for_each_record(
      chunk.text, rule,
      [&](std::string_view record, std::string_view key) {
        const number_step number = read_number(key);
        if (number.is_number) [[likely]]
          return give(record, key, rule.ordered(number), number.is_decided);
        problem(static_cast<std::size_t>(record.data() - chunk.text.data()), [&] {
          const std::string where = rule.field == 0 ? "" : fmt::format(" in field {}", rule.field);
          return fmt::format("expected a number{}, found \"{}\" (--skip-bad leaves such lines out)", where,
                             shown(key));
        });
      },
      problem);
}

}  // namespace

std::vector<line_chunk> cut_lines(const line_texts& texts, bool quotes) {
  const std::size_t step = std::clamp<std::size_t>(texts.bytes() / (k_chunks_each * local::cores()),
                                                   k_least_scanned_bytes, k_scanned_bytes);
  std::vector<line_chunk> chunks;
  for (const line_texts::segment& s : texts.segments())
    quotes ? cut_quoted(s, step, chunks) : cut_plain(s, step, chunks);
  return chunks;
}

std::vector<line_sample> draw_lines(const std::vector<line_chunk>& chunks, const line_rule& rule,
                                    std::uint64_t wanted,
                                    function_ref<std::uint64_t(std::uint32_t file)> origin) {
  std::uint64_t bytes = 0;
  for (const line_chunk& p : chunks) bytes += p.text.size();
  const std::uint64_t stride = std::max<std::uint64_t>(1, bytes / std::max<std::uint64_t>(1, wanted));
  std::vector<line_sample> samples;
  std::string scratch;
  std::uint64_t before = 0, next = hash64(0) % stride;
  for (const line_chunk& p : chunks) {
    const std::uint64_t end = before + p.text.size();
    std::string_view record;  // the last one searched for, at its place
    std::size_t at = 0;
    bool is_last = false;  // no further record begins in the chunk
    bool is_sampled = false;  // the record is the last of the samples
    for (; next < end; next += 1 + stride / 2 + hash64(next) % stride) {
      const std::size_t inside = next - before;
      if (record.data() == nullptr || (!is_last && (rule.has_quotes() || inside >= at))) {
        // With quotes, a record is only known to begin at the start of a chunk, and after another record.
        at = rule.has_quotes() ? (record.data() == nullptr ? 0 : at + record.size() + 1)
                               : io::next_record(p.text, inside);
        is_last = at >= p.text.size();
        if (is_last) at = 0;
        record = p.text.substr(at, record_length(p.text.substr(at), rule.has_quotes()));
        is_sampled = false;
      } else if (is_sampled) {  // a long record, which is not read again
        samples.push_back(samples.back());
        continue;
      } else {
        continue;
      }
      const std::string_view key = rule.key_of(record, scratch);
      std::uint64_t step = rule.ordered(text_step(key, 0));
      if (rule.numeric) {
        const number_step number = read_number(key);
        if (!number.is_number || key.size() > k_most_sample_bytes) continue;
        step = rule.ordered(number);
      }
      samples.push_back({step, origin(p.file), line_texts::pack(p.place + at, record.size()),
                         std::string(key.substr(0, k_most_sample_bytes))});
      is_sampled = true;
    }
    before = end;
  }
  return samples;
}

void line_buckets::grow(bucket& b) {
  constexpr std::size_t k_bytes = k_region_entries * sizeof(wide_key);
  machine::require_chunk(k_bytes, "sorting lines");
  machine::memory_region region(k_bytes, "entries of lines");
  b.next = reinterpret_cast<wide_key*>(region.data());
  b.end = b.next + k_region_entries;
  b.regions.push_back(std::move(region));
}

wide_key* line_buckets::take(std::size_t from, wide_key* to) {
  bucket& b = all_[from];
  std::size_t left = size(from);
  for (machine::memory_region& region : b.regions) {
    const std::size_t n = std::min(left, k_region_entries);
    std::memcpy(to, region.data(), n * sizeof(wide_key));
    to += n;
    left -= n;
    region = {};
  }
  b = {};
  return to;
}

void deal_lines(const line_chunk& chunk, const line_rule& rule, const line_splitters& splitters,
                line_buckets& into, const scan_calls& calls) {
  calls.before(chunk);
  const std::uint64_t origin = calls.origin(chunk.file);
  scan(
      chunk, rule,
      [&](std::uint64_t step, std::string_view key, std::uint64_t line, bool is_decided) {
        const std::size_t bucket = splitters.bucket_of(step, key, is_decided, origin, line);
        into.add(bucket, step, line);
        if (rule.numeric && !is_decided) [[unlikely]]
          into.has_long_numbers(bucket) = true;
      },
      [&](std::size_t at, function_ref<std::string()> what) { calls.problem(chunk.place + at, what); });
}

void scan_lines(
    const line_chunk& chunk, const line_rule& rule,
    function_ref<void(std::uint64_t step, std::string_view key, std::uint64_t line, bool is_decided)> f) {
  scan(chunk, rule, f, [](std::size_t, function_ref<std::string()> what) {
    throw error(fmt::format("a scratch file has a line with a problem: {}", what()));
  });
}

}  // namespace gossamer::sorting
