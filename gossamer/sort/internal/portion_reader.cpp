#include "gossamer/sort/internal/portion_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::sorting {

namespace {

constexpr std::size_t k_portion_block_bytes = std::size_t{4} << 20;  // of decompressed text

}  // namespace

/// Appends what the portion has room for of a plain file, and returns its bytes and lines as they count.
std::uint64_t portion_reader::take_plain(line_files& files, const line_rule& rule, const std::string& header,
                                         std::uint64_t bytes, line_texts& texts) {
  const std::string_view text = files.lines_here(file_, rule, header);
  const std::size_t begin = at_, step = std::clamp<std::uint64_t>(bytes / 128, 4 << 10, 1 << 20);
  std::size_t end = begin;
  std::uint64_t weight = 0, quotes = 0;
  while (end < text.size() && weight < bytes) {
    const std::string_view part = text.substr(end, step);
    files.populate(part, file_);
    weight += part.size() + k_line_bytes * static_cast<std::uint64_t>(std::ranges::count(part, '\n'));
    if (rule.has_quotes()) quotes += io::count_quotes(part);
    end += part.size();
  }
  at_ = io::record_start(text, end, quotes % 2 != 0, rule.has_quotes());
  texts.add(text.substr(begin, at_ - begin), file_);
  if (at_ == text.size()) {
    ++file_;
    at_ = 0;
  }
  return weight;
}

/// Does the same for a compressed file.
std::uint64_t portion_reader::take_stream(line_files& files, const line_rule& rule, const std::string& header,
                                          std::uint64_t bytes, line_texts& texts) {
  line_file& from = files[file_];
  const auto room = [&from](std::size_t size) {
    machine::require_piece(size, fmt::format("sorting the text of {}", from.name));
    return sort_buffer<char>(size);
  };
  const std::size_t block_bytes = std::clamp<std::uint64_t>(bytes / 8, 64 << 10, k_portion_block_bytes);
  bool is_first = false;
  if (source_ == nullptr) {
    source_ = io::make_decompressor(from.how, from.mapped.bytes(), from.name);
    block_ = room(block_bytes);
    open_ = 0;
    is_first = true;
  }
  for (std::uint64_t weight = 0;;) {
    const std::size_t got = source_->read(block_.span().subspan(open_));
    const std::string_view all(block_.data(), open_ + got);
    const bool ended = all.size() < block_.size();
    const std::size_t whole = ended ? all.size() : io::whole_records(all, rule.has_quotes());
    sort_buffer<char> rest;
    open_ = all.size() - whole;
    if (!ended) {
      rest = room(std::max(block_bytes, 2 * open_));
      std::memcpy(rest.data(), all.data() + whole, open_);
    }
    if (whole != 0) {
      const std::string_view text = all.substr(0, whole);
      texts.add(is_first ? files.without_header(from, text, rule, header) : text, file_);
      is_first = false;
      weight += whole + k_line_bytes * static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
      held_.push_back(std::move(block_));
    }
    block_ = std::move(rest);
    if (ended) {
      source_.reset();
      ++file_;
    }
    if (ended || weight >= bytes) return weight;
  }
}

/// Forgets the texts of a portion.
void portion_reader::free_portion(line_files& files, line_texts& texts) {
  for (const line_texts::segment& s : texts.segments()) {
    line_file& f = files[s.file];
    if (f.is_plain())
      f.mapped.discard(static_cast<std::size_t>(s.text.data() - f.mapped.text().data()), s.text.size());
    else
      f.lines_before += static_cast<std::uint64_t>(std::ranges::count(s.text, '\n'));
  }
  texts.clear();
  held_.clear();
}

bool portion_reader::take(line_files& files, const line_rule& rule, const std::string& header,
                          std::uint64_t bytes, line_texts& texts) {
  free_portion(files, texts);
  for (std::uint64_t weight = 0; file_ < files.size() && weight < bytes;) {
    const bool is_alone = processes() > 1 && files[file_].standard_input;
    if (is_alone && at_ == 0 && source_ == nullptr && !texts.segments().empty()) return true;
    const std::uint32_t before = file_;
    if (files[file_].is_plain())
      weight += take_plain(files, rule, header, bytes - weight, texts);
    else if (files.is_here(file_))
      weight += take_stream(files, rule, header, bytes - weight, texts);
    else
      ++file_;
    if (is_alone && file_ != before) break;
  }
  return file_ < files.size();
}

/// Appends what the portion has room for of a file of numbers, and returns its bytes.
std::uint64_t portion_reader::take_numbers_of(line_files& files, std::size_t number_bytes,
                                              std::uint64_t bytes, line_texts& texts) {
  line_file& from = files[file_];
  const auto whole_numbers = [number_bytes](std::uint64_t most) {
    return std::max<std::uint64_t>(most / number_bytes, 1) * number_bytes;
  };
  if (from.is_plain()) {
    const std::string_view mine = files.numbers_here(file_, number_bytes);
    const std::string_view text = mine.substr(at_, whole_numbers(bytes));
    at_ += text.size();
    texts.add(text, file_);
    if (at_ == mine.size()) {
      ++file_;
      at_ = 0;
    }
    return text.size();
  }
  if (!files.is_here(file_)) {
    ++file_;
    return 0;
  }
  if (source_ == nullptr) source_ = io::make_decompressor(from.how, from.mapped.bytes(), from.name);
  const std::uint64_t whole = whole_numbers(std::min<std::uint64_t>(bytes, k_portion_block_bytes));
  machine::require_piece(whole, fmt::format("sorting the numbers of {}", from.name));
  sort_buffer<char> block(whole);
  const std::size_t got = source_->read(block.span());
  line_files::check_numbers(from, got, number_bytes);
  texts.add({block.data(), got}, file_);
  held_.push_back(std::move(block));
  if (got < whole) {
    source_.reset();
    ++file_;
  }
  return got;
}

bool portion_reader::take_numbers(line_files& files, std::size_t number_bytes, std::uint64_t bytes,
                                  line_texts& texts) {
  free_portion(files, texts);
  for (std::uint64_t taken = 0; file_ < files.size() && taken < bytes;)
    taken += take_numbers_of(files, number_bytes, bytes - taken, texts);
  return file_ < files.size();
}

}  // namespace gossamer::sorting
