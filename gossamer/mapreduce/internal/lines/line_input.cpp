#include "gossamer/mapreduce/internal/lines/line_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {
namespace {

constexpr std::size_t k_block_text_bytes = std::size_t{4} << 20;  // of decompressed text
constexpr std::size_t k_header_prefix_bytes = std::size_t{1} << 20;
constexpr std::size_t k_sampled_bytes = 256 << 10;  // of a file, to estimate its lines
constexpr std::uint64_t k_entry_bytes = 20;  // of a line, with what is not used of chunks

/// Returns where the share of a process begins among `bytes`.
std::uint64_t share_of(unsigned number, std::uint64_t bytes) {
  return parallel::share_begin(0, bytes, number, processes());
}

}  // namespace

std::string joined_paths(const std::vector<std::string>& files) {
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

void check_same_files(std::uint64_t common_bytes) {
  const auto bytes = all_gather_processes(common_bytes);
  for (unsigned p = 1; p < bytes.size(); ++p)
    if (bytes[p] != bytes[0])
      throw error(fmt::format(
          "expected the same files in every process, found {} bytes in process 0 and {} in process {}",
          bytes[0], bytes[p], p));
}

void line_input::open(const std::string& paths) {
  for (std::size_t at = 0; at < paths.size();) {
    const std::string path = paths.substr(at, paths.find('\0', at) - at);
    at += path.size() + 1;
    file& f = files_.emplace_back();
    f.standard_input = path == "-";
    f.name = f.standard_input ? "standard input" : path;
    if (f.standard_input && process() != 0) continue;
    f.mapped = machine::mapped_file(f.standard_input ? "/dev/stdin" : path);
    f.how = io::detect_compression(f.mapped.bytes());
  }
}

std::uint64_t line_input::common_bytes() const {
  std::uint64_t sum = 0;
  for (const file& f : files_)
    if (!f.standard_input) sum += f.mapped.bytes().size();
  return sum;
}

/// Returns up to `bytes` of the text at the beginning of a file.
std::string line_input::beginning(const file& from, std::size_t bytes) const {
  if (from.how == io::compression::none) return std::string(from.mapped.text().substr(0, bytes));
  std::string text(bytes, '\0');
  text.resize(io::make_decompressor(from.how, from.mapped.bytes(), from.name)->read(text));
  return text;
}

std::string line_input::first_header(const io::delimited_format& format) const {
  for (const file& f : files_) {
    for (std::size_t bytes = k_header_prefix_bytes;; bytes *= 4) {
      machine::require_piece(bytes, f.name);
      const std::string text = beginning(f, bytes);
      if (text.empty()) break;
      const bool whole = text.size() < bytes;
      const std::size_t end = format.quotes ? io::first_record_after(text, false) : io::next_record(text, 0);
      if (end == text.size() && !whole) continue;
      std::string header = text.substr(0, io::read_header(text, format, f.name).bytes);
      if (!header.ends_with('\n')) header += '\n';
      return header;
    }
  }
  return {};
}

/// Returns the text without the header at its beginning, which it notes.
std::string_view line_input::without_header(file& from, std::string_view text, const line_rule& rule,
                                            const std::string& header) const {
  if (header.empty() || text.empty()) return text;
  const io::delimited_header own = io::read_header(text, rule.format, from.name);
  const io::delimited_header first = io::read_header(header, rule.format, from.name);
  if (own.names != first.names)
    throw error(fmt::format("{}: expected the columns of the first file's header ({}), found others ({})",
                            from.name, fmt::join(first.names, ", "), fmt::join(own.names, ", ")));
  from.header_bytes = own.bytes;
  from.header_lines = static_cast<std::size_t>(std::ranges::count(text.substr(0, own.bytes), '\n'));
  return text.substr(own.bytes);
}

/// Returns whether a file that is not divided belongs to this process; `before`: bytes of the files before it.
bool line_input::is_here(std::size_t number, std::uint64_t before) const {
  if (files_[number].standard_input) return process() == 0;
  const std::uint64_t all = common_bytes();
  const std::uint64_t end = process() + 1 == processes() ? ~std::uint64_t{0} : share_of(process() + 1, all);
  return before >= share_of(process(), all) && before < end;
}

void line_input::take_share(const line_rule& rule, const std::string& header, line_texts& texts) {
  const bool quotes = rule.has_quotes();
  const std::uint64_t all = common_bytes();
  const std::uint64_t begin = share_of(process(), all), end = share_of(process() + 1, all);
  std::uint64_t before = 0;
  std::vector<std::string_view> plain(files_.size());
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    file& f = files_[i];
    const std::string_view text = f.mapped.text();
    const std::uint64_t after = before + (f.standard_input ? 0 : text.size());
    if (f.how != io::compression::none) {
      if (is_here(i, before)) {
        const auto cuts = quotes || header.size() > 0
                              ? std::vector<std::uint64_t>()
                              : io::compressed_shares(f.how, f.mapped.bytes(), local::cores());
        if (cuts.empty()) streams_.push_back({i, 0, text.size(), 0});
        for (std::size_t s = 0; s + 1 < cuts.size(); ++s) streams_.push_back({i, cuts[s], cuts[s + 1], 0});
      }
    } else if (f.standard_input || quotes) {
      if (is_here(i, before)) plain[i] = without_header(f, text, rule, header);
    } else {
      const std::string_view rest = without_header(f, text, rule, header);
      const auto cut = [&](std::uint64_t at) {
        const std::uint64_t inside = std::clamp(at, before, after) - before;
        return std::clamp(io::record_start(text, inside, false, false), text.size() - rest.size(),
                          text.size());
      };
      const std::size_t from = cut(begin), to = process() + 1 == processes() ? text.size() : cut(end);
      plain[i] = text.substr(from, to - from);
    }
    before = after;
  }
  read_streams(quotes);
  auto next = streams_.begin();
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    texts.add(plain[i], i);
    for (; next != streams_.end() && next->file == i; ++next)
      for (std::size_t b = 0; b < next->texts.size(); ++b)
        texts.add(b == 0 && next->begin == 0 ? without_header(files_[i], next->texts[b], rule, header)
                                             : next->texts[b],
                  i);
  }
}

std::uint64_t line_input::text_bytes(const file& of) {
  constexpr std::uint64_t k_ratio = 5;  // of text to compressed bytes: a guess
  return (of.how == io::compression::none ? 1 : k_ratio) * of.mapped.bytes().size();
}

std::uint64_t line_input::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const file& f : files_) bytes += text_bytes(f);
  return bytes;
}

std::uint64_t line_input::memory_needed() const {
  std::uint64_t bytes = 0;
  for (const file& f : files_) {
    const bool plain = f.how == io::compression::none;
    const std::uint64_t text = text_bytes(f);
    const std::string sample = beginning(f, std::min<std::uint64_t>(k_sampled_bytes, text));
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(sample, '\n'));
    bytes +=
        text / std::max<std::uint64_t>(1, sample.size() / (lines + 1)) * k_entry_bytes + (plain ? 0 : text);
  }
  return bytes;
}

/// Appends what the portion has room for of a plain file, and returns its bytes and lines as they count.
std::uint64_t line_input::take_plain(file& from, std::uint32_t number, const line_rule& rule,
                                     const std::string& header, std::uint64_t bytes, line_texts& texts) {
  const std::string_view text = from.mapped.text();
  if (next_.at == 0) next_.at = text.size() - without_header(from, text, rule, header).size();
  const std::size_t begin = next_.at, step = std::clamp<std::uint64_t>(bytes / 128, 4 << 10, 1 << 20);
  std::size_t end = begin;
  std::uint64_t weight = 0, quotes = 0;
  while (end < text.size() && weight < bytes) {
    const std::string_view part = text.substr(end, step);
    from.mapped.populate(end, part.size());
    weight += part.size() + k_line_bytes * static_cast<std::uint64_t>(std::ranges::count(part, '\n'));
    if (rule.has_quotes()) quotes += io::count_quotes(part);
    end += part.size();
  }
  next_.at = io::record_start(text, end, quotes % 2 != 0, rule.has_quotes());
  texts.add(text.substr(begin, next_.at - begin), number);
  return weight;
}

/// Does the same for a compressed file.
std::uint64_t line_input::take_stream(file& from, std::uint32_t number, const line_rule& rule,
                                      const std::string& header, std::uint64_t bytes, line_texts& texts) {
  const auto room = [&from](std::size_t size) {
    machine::require_piece(size, fmt::format("sorting the text of {}", from.name));
    return sort_buffer<char>(size);
  };
  const std::size_t block_bytes = std::clamp<std::uint64_t>(bytes / 8, 64 << 10, k_block_text_bytes);
  bool is_first = false;
  if (next_.source == nullptr) {
    next_.source = io::make_decompressor(from.how, from.mapped.bytes(), from.name);
    next_.block = room(block_bytes);
    next_.open = 0;
    is_first = true;
  }
  for (std::uint64_t weight = 0;;) {
    const std::size_t got = next_.source->read(next_.block.span().subspan(next_.open));
    const std::string_view all(next_.block.data(), next_.open + got);
    const bool ended = all.size() < next_.block.size();
    const std::size_t whole = ended ? all.size() : io::whole_records(all, rule.has_quotes());
    sort_buffer<char> rest;
    next_.open = all.size() - whole;
    if (!ended) {
      rest = room(std::max(block_bytes, 2 * next_.open));
      std::memcpy(rest.data(), all.data() + whole, next_.open);
    }
    if (whole != 0) {
      const std::string_view text = all.substr(0, whole);
      texts.add(is_first ? without_header(from, text, rule, header) : text, number);
      is_first = false;
      weight += whole + k_line_bytes * static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
      next_.held.push_back(std::move(next_.block));
    }
    next_.block = std::move(rest);
    if (ended) next_.source.reset();
    if (ended || weight >= bytes) return weight;
  }
}

/// Forgets the texts of a portion.
void line_input::free_portion(line_texts& texts) {
  for (const line_texts::segment& s : texts.segments()) {
    file& f = files_[s.file];
    if (f.how == io::compression::none)
      f.mapped.discard(static_cast<std::size_t>(s.text.data() - f.mapped.text().data()), s.text.size());
    else
      f.lines_before += static_cast<std::uint64_t>(std::ranges::count(s.text, '\n'));
  }
  texts.clear();
  next_.held.clear();
}

bool line_input::take_portion(const line_rule& rule, const std::string& header, std::uint64_t bytes,
                              line_texts& texts) {
  free_portion(texts);
  for (std::uint64_t weight = 0; next_.file < files_.size() && weight < bytes;) {
    file& f = files_[next_.file];
    const bool plain = f.how == io::compression::none;
    weight += plain ? take_plain(f, next_.file, rule, header, bytes - weight, texts)
                    : take_stream(f, next_.file, rule, header, bytes - weight, texts);
    if (plain ? next_.at < f.mapped.text().size() : next_.source != nullptr) continue;
    ++next_.file;
    next_.at = 0;
  }
  return next_.file < files_.size();
}

/// Appends what the portion has room for of a file of numbers, and returns its bytes.
std::uint64_t line_input::take_numbers(file& from, std::uint32_t number, std::size_t number_bytes,
                                       std::uint64_t bytes, line_texts& texts) {
  const auto check = [&](std::size_t size) {
    if (size % number_bytes != 0)
      throw error(fmt::format("{}: expected numbers of {} bytes each, found {} bytes more at the end",
                              from.name, number_bytes, size % number_bytes));
  };
  const std::uint64_t whole = std::max<std::uint64_t>(bytes / number_bytes, 1) * number_bytes;
  if (from.how == io::compression::none) {
    check(from.mapped.text().size());
    const std::string_view text = from.mapped.text().substr(next_.at, whole);
    next_.at += text.size();
    texts.add(text, number);
    return text.size();
  }
  if (next_.source == nullptr) next_.source = io::make_decompressor(from.how, from.mapped.bytes(), from.name);
  machine::require_piece(whole, fmt::format("sorting the numbers of {}", from.name));
  sort_buffer<char> block(whole);
  const std::size_t got = next_.source->read(block.span());
  check(got);
  if (got < whole) next_.source.reset();
  texts.add({block.data(), got}, number);
  next_.held.push_back(std::move(block));
  return got;
}

bool line_input::take_binary_portion(std::size_t number_bytes, std::uint64_t bytes, line_texts& texts) {
  free_portion(texts);
  for (std::uint64_t taken = 0; next_.file < files_.size() && taken < bytes;) {
    file& f = files_[next_.file];
    taken += take_numbers(f, next_.file, number_bytes, bytes - taken, texts);
    if (f.how == io::compression::none ? next_.at < f.mapped.text().size() : next_.source != nullptr)
      continue;
    ++next_.file;
    next_.at = 0;
  }
  return next_.file < files_.size();
}

void line_input::take_binary_share(std::size_t number_bytes, line_texts& texts) {
  const std::uint64_t all = common_bytes();
  std::uint64_t before = 0;
  std::vector<std::string_view> plain(files_.size());
  const auto check = [&](const file& f, std::size_t bytes) {
    if (bytes % number_bytes != 0)
      throw error(fmt::format("{}: expected numbers of {} bytes each, found {} bytes more at the end", f.name,
                              number_bytes, bytes % number_bytes));
  };
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    const file& f = files_[i];
    const std::string_view text = f.mapped.text();
    const std::uint64_t after = before + (f.standard_input ? 0 : text.size());
    if (f.how != io::compression::none) {
      if (is_here(i, before)) streams_.push_back({i, 0, text.size(), number_bytes});
    } else {
      check(f, text.size());
      const auto cut = [&](std::uint64_t at) {
        return (std::clamp(at, before, after) - before) / number_bytes * number_bytes;
      };
      const std::size_t from = cut(share_of(process(), all)), to = cut(share_of(process() + 1, all));
      plain[i] = f.standard_input ? text : text.substr(from, to - from);
    }
    before = after;
  }
  read_streams(false);
  auto next = streams_.begin();
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    texts.add(plain[i], i);
    for (; next != streams_.end() && next->file == i; ++next)
      for (const std::string_view text : next->texts) {
        check(files_[i], text.size());
        texts.add(text, i);
      }
  }
}

void line_input::read_streams(bool quotes) {
  local::forall_chunks(0, streams_.size(), 1, [this, quotes](std::uint64_t s, std::uint64_t last) {
    for (; s < last; ++s) read(streams_[s], quotes);
  });
}

/// Decompresses to blocks of whole records, or whole numbers.
void line_input::read(stream& from, bool quotes) const {
  const file& f = files_[from.file];
  const auto bytes = f.mapped.bytes();
  const std::unique_ptr<io::decompressor> source =
      from.begin == 0 && from.end == bytes.size()
          ? io::make_decompressor(f.how, bytes, f.name)
          : std::make_unique<io::line_share>(f.how, bytes, f.name, from.begin, from.end);
  const auto room = [&f](std::size_t size) {
    machine::require_piece(size, fmt::format("sorting the text of {}", f.name));
    return sort_buffer<char>(size);
  };
  sort_buffer<char> block = room(k_block_text_bytes);
  std::size_t open = 0;
  while (true) {
    const std::size_t got = source->read(block.span().subspan(open));
    const std::string_view all(block.data(), open + got);
    const bool ended = all.size() < block.size();
    const std::size_t numbers = from.unit == 0 ? 0 : all.size() - all.size() % from.unit;
    const std::size_t whole = ended ? all.size() : from.unit != 0 ? numbers : io::whole_records(all, quotes);
    sort_buffer<char> next;
    if (!ended) {
      next = room(std::max(k_block_text_bytes, 2 * (all.size() - whole)));
      std::memcpy(next.data(), all.data() + whole, all.size() - whole);
    }
    open = all.size() - whole;
    if (whole != 0) {
      from.texts.push_back(all.substr(0, whole));
      from.blocks.push_back(std::move(block));
    }
    if (ended) return;
    block = std::move(next);
  }
}

void line_input::populate(std::string_view text, std::uint32_t number) const {
  const file& f = files_[number];
  if (f.how == io::compression::none)
    f.mapped.populate(static_cast<std::size_t>(text.data() - f.mapped.text().data()), text.size());
}

std::string line_input::place_of(const line_texts& texts, std::uint64_t place) const {
  const auto& parts = texts.segments();
  const auto at = std::ranges::upper_bound(parts, place, {}, &line_texts::segment::place) - 1;
  const file& f = files_[at->file];
  std::uint64_t lines = 1 + f.header_lines + f.lines_before;
  if (f.how == io::compression::none) {
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

}  // namespace gossamer::mapreduce
