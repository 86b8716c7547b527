#include "gossamer/sort/internal/line_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/files/shared_files.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/text_format.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/any_process.hpp"

namespace gossamer::sorting {

namespace {

constexpr std::size_t k_header_prefix_bytes = std::size_t{1} << 20;
constexpr std::size_t k_counted_bytes = std::size_t{1} << 20;  // a piece whose quotes a core counts
constexpr std::size_t k_sampled_bytes = 256 << 10;  // of a file, to estimate its lines
constexpr std::uint64_t k_entry_bytes = 20;  // of a line, with what is not used of chunks

/// Returns where the share of a process begins among `bytes`.
std::uint64_t share_of(unsigned number, std::uint64_t bytes) {
  return parallel::share_begin(0, bytes, number, processes());
}

}  // namespace

std::string joined_paths(const std::vector<std::string>& files) {
  files::check_read_by_all(files);
  std::string all;
  bool has_input = false;
  for (const std::string& path : files) {
    if (path == "-" && std::exchange(has_input, true)) throw error("-: standard input can be read once only");
    if (path.empty() || path.find('\0') != path.npos)
      throw error("expected the name of a file, found an empty one");
    all.append(path).push_back('\0');
  }
  return all;
}

void line_files::open(const std::string& paths) {
  std::uint64_t before = 0;
  for (std::size_t at = 0; at < paths.size();) {
    const std::string path = paths.substr(at, paths.find('\0', at) - at);
    at += path.size() + 1;
    line_file& f = files_.emplace_back();
    f.standard_input = path == "-";
    f.name = f.standard_input ? "standard input" : path;
    if (f.standard_input && process() != 0) continue;
    f.before = before;
    f.mapped = machine::mapped_file(f.standard_input ? "/dev/stdin" : path);
    f.how = io::detect_compression(f.mapped.bytes());
    if (!f.standard_input) before += f.mapped.bytes().size();
  }
}

void line_files::check_text() const {
  for (const line_file& f : files_) {
    io::check_text(f.mapped.bytes(), f.name, io::k_tables_as_text);
    io::check_line_ends(f.mapped.bytes(), f.name);
  }
}

std::uint64_t line_files::common_bytes() const {
  std::uint64_t sum = 0;
  for (const line_file& f : files_)
    if (!f.standard_input) sum += f.mapped.bytes().size();
  return sum;
}

/// Returns up to `bytes` of the text at the beginning of a file.
std::string line_files::beginning(const line_file& from, std::size_t bytes) {
  return io::text_beginning(from.mapped.bytes(), from.name, bytes);
}

std::string line_files::first_header(const io::delimited_format& format) const {
  for (const line_file& f : files_) {
    for (std::size_t bytes = k_header_prefix_bytes;; bytes *= 4) {
      machine::require_piece(bytes, f.name);
      const std::string text = beginning(f, bytes);
      if (text.empty()) break;
      const bool whole = text.size() < bytes;
      const std::size_t end = format.quotes ? io::first_record_after(text, false) : io::next_record(text, 0);
      if (end == text.size() && !whole) continue;
      const std::size_t mark = io::byte_order_mark(text);
      std::string header = text.substr(mark, io::read_header(text, format, f.name).bytes - mark);
      if (!header.ends_with('\n')) header += '\n';
      return header;
    }
  }
  return {};
}

std::string_view line_files::without_header(line_file& from, std::string_view text, const line_rule& rule,
                                            const std::string& header) const {
  if (header.empty() || text.empty()) {
    from.header_bytes = io::byte_order_mark(text);
    return text.substr(from.header_bytes);
  }
  const io::delimited_header first = io::read_header(header, rule.format, from.name);
  from.header_bytes = io::skip_header(text, rule.format, first.names, from.name);
  from.header_lines = static_cast<std::size_t>(std::ranges::count(text.substr(0, from.header_bytes), '\n'));
  return text.substr(from.header_bytes);
}

bool line_files::find_quotes() {
  const std::uint64_t all = common_bytes();
  const auto place = [&](const line_file& f, unsigned of_process) -> std::size_t {
    if (of_process == processes()) return f.mapped.text().size();
    return std::clamp(share_of(of_process, all), f.before, f.before + f.mapped.text().size()) - f.before;
  };
  bool any = false;
  std::vector<std::uint64_t> mine;
  for (const line_file& f : files_) {
    std::atomic<std::uint64_t> quotes{0};  // relaxed: a sum
    any |= !f.is_plain();
    const std::size_t begin = f.standard_input ? 0 : place(f, process()),
                      end = place(f, f.standard_input ? processes() : process() + 1);
    const std::size_t pieces = f.is_plain() ? (end - begin + k_counted_bytes - 1) / k_counted_bytes : 0;
    local::forall_chunks(0, pieces, 1, [&](std::uint64_t p, std::uint64_t last) {
      for (; p < last; ++p) {
        const std::size_t at = begin + p * k_counted_bytes, bytes = std::min(k_counted_bytes, end - at);
        f.mapped.populate(at, bytes);
        quotes.fetch_add(io::count_quotes(f.mapped.text().substr(at, bytes)), std::memory_order_relaxed);
        f.mapped.discard(at, bytes);
      }
    });
    any |= quotes.load(std::memory_order_relaxed) != 0;
    mine.push_back(quotes.load(std::memory_order_relaxed));
  }
  const auto of_all = exchange(std::vector<std::vector<std::uint64_t>>(processes(), mine));
  for (std::size_t i = 0; i < files_.size(); ++i) {
    files_[i].quotes_here = mine[i];
    for (unsigned p = 0; p < process(); ++p) files_[i].quotes_before += of_all[p][i];
  }
  return any_process(any);
}

bool line_files::is_here(std::size_t number) const {
  if (files_[number].standard_input) return process() == 0;
  const std::uint64_t all = common_bytes(), before = files_[number].before;
  const std::uint64_t end = process() + 1 == processes() ? ~std::uint64_t{0} : share_of(process() + 1, all);
  return before >= share_of(process(), all) && before < end;
}

std::string_view line_files::lines_here(std::size_t number, const line_rule& rule,
                                        const std::string& header) {
  line_file& f = files_[number];
  if (f.standard_input)
    return is_here(number) ? without_header(f, f.mapped.text(), rule, header) : std::string_view();
  const std::string_view text = f.mapped.text(), rest = without_header(f, text, rule, header);
  const bool quotes = rule.has_quotes();
  const auto cut = [&](std::uint64_t at, std::uint64_t quotes_before) {
    const std::uint64_t inside = std::clamp(at, f.before, f.before + text.size()) - f.before;
    return std::clamp(io::record_start(text, inside, quotes && quotes_before % 2 != 0, quotes),
                      text.size() - rest.size(), text.size());
  };
  const std::uint64_t all = common_bytes();
  const std::size_t from = cut(share_of(process(), all), f.quotes_before);
  const std::size_t to = process() + 1 == processes()
                             ? text.size()
                             : cut(share_of(process() + 1, all), f.quotes_before + f.quotes_here);
  return text.substr(from, to - from);
}

std::string_view line_files::numbers_here(std::size_t number, std::size_t number_bytes) const {
  const line_file& f = files_[number];
  const std::string_view text = f.mapped.text();
  check_numbers(f, text.size(), number_bytes);
  if (f.standard_input) return text;
  const auto cut = [&](std::uint64_t at) {
    return (std::clamp(at, f.before, f.before + text.size()) - f.before) / number_bytes * number_bytes;
  };
  const std::uint64_t all = common_bytes();
  const std::size_t from = cut(share_of(process(), all)), to = cut(share_of(process() + 1, all));
  return text.substr(from, to - from);
}

void line_files::check_numbers(const line_file& of, std::size_t bytes, std::size_t number_bytes) {
  if (bytes % number_bytes != 0)
    throw error(fmt::format("{}: expected numbers of {} bytes each, found {} bytes more at the end", of.name,
                            number_bytes, bytes % number_bytes));
}

std::uint64_t line_files::text_bytes(const line_file& of) {
  constexpr std::uint64_t k_ratio = 5;  // of text to compressed bytes: a guess
  return (of.is_plain() ? 1 : k_ratio) * of.mapped.bytes().size();
}

std::uint64_t line_files::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const line_file& f : files_) bytes += text_bytes(f);
  return bytes;
}

std::uint64_t line_files::memory_needed() const {
  std::uint64_t bytes = 0;
  for (const line_file& f : files_) {
    const bool plain = f.is_plain();
    const std::uint64_t text = text_bytes(f);
    const std::string sample = beginning(f, std::min<std::uint64_t>(k_sampled_bytes, text));
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(sample, '\n'));
    bytes +=
        text / std::max<std::uint64_t>(1, sample.size() / (lines + 1)) * k_entry_bytes + (plain ? 0 : text);
  }
  return bytes;
}

void line_files::populate(std::string_view text, std::uint32_t number) const {
  const line_file& f = files_[number];
  if (f.is_plain())
    f.mapped.populate(static_cast<std::size_t>(text.data() - f.mapped.text().data()), text.size());
}

std::string line_files::place_of(const line_texts& texts, std::uint64_t place) const {
  const auto& parts = texts.segments();
  const auto at = std::ranges::upper_bound(parts, place, {}, &line_texts::segment::place) - 1;
  const line_file& f = files_[at->file];
  std::uint64_t lines = 1 + f.header_lines + f.lines_before;
  if (f.is_plain()) {
    const auto* const end = at->text.data() + (place - at->place);
    lines += static_cast<std::uint64_t>(std::count(f.mapped.text().data() + f.header_bytes, end, '\n'));
  } else {
    for (auto before = parts.begin(); before != at; ++before)
      if (before->file == at->file)
        lines += static_cast<std::uint64_t>(std::ranges::count(before->text, '\n'));
    lines += static_cast<std::uint64_t>(std::ranges::count(at->text.substr(0, place - at->place), '\n'));
  }
  return fmt::format("{}:{}", f.name, lines);
}

}  // namespace gossamer::sorting
