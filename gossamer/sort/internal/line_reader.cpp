#include "gossamer/sort/internal/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::sorting {

namespace {

constexpr std::size_t k_header_prefix_bytes = std::size_t{1} << 20;
constexpr std::size_t k_sampled_bytes = 256 << 10;  // of a file, used to estimate its lines
constexpr std::uint64_t k_entry_bytes = 20;  // per line, with the unused part of chunks
constexpr std::size_t k_text_chunk_bytes = std::size_t{4} << 20;  // of decompressed text
constexpr std::uint64_t k_any_length = ~std::uint64_t{0};  // of a line, limited by memory

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

std::uint64_t text_bytes_of(const io::text_file& f) {
  constexpr std::uint64_t k_ratio = 5;  // of text to compressed bytes: an estimate
  return (f.is_plain() ? 1 : k_ratio) * f.bytes().size();
}

}  // namespace

std::uint64_t line_reader::text_bytes() const {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < files_.size(); ++i) bytes += text_bytes_of(files_[i]);
  return bytes;
}

std::uint64_t line_reader::memory_needed() const {
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    const io::text_file& f = files_[i];
    const std::uint64_t text = text_bytes_of(f);
    const std::string sample = f.beginning(std::min<std::uint64_t>(k_sampled_bytes, text));
    bytes += text / std::max<std::uint64_t>(1, sample.size() / (lines_in(sample) + 1)) * k_entry_bytes +
             (f.is_plain() ? 0 : text);
  }
  return bytes;
}

std::string line_reader::first_header(const io::delimited_format& format) const {
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    for (std::size_t bytes = k_header_prefix_bytes;; bytes *= 4) {
      machine::require_chunk(bytes, files_[i].name());
      const std::string text = files_[i].beginning(bytes);
      const bool whole = text.size() < bytes;
      const std::string_view records = std::string_view(text).substr(io::records_begin(text));
      if (whole && records.empty()) break;
      const std::size_t end =
          format.quotes ? io::first_record_after(records, false) : io::next_record(records, 0);
      if (end == records.size() && !whole) continue;
      const std::size_t mark = io::byte_order_mark(text);
      std::string header = text.substr(mark, io::read_header(text, format, files_[i].name()).bytes - mark);
      if (!header.ends_with('\n')) header += '\n';
      return header;
    }
  }
  return {};
}

void line_reader::expect_header(const std::string& header, const io::delimited_format& format) {
  header_ = header;
  format_ = format;
}

/// Returns the text at the beginning of a file without its byte-order mark and header, and stores their
/// length.
std::string_view line_reader::without_header(std::uint32_t number, std::string_view text) {
  const std::string& name = files_[number].name();
  std::size_t bytes = 0;
  if (files_.rule().has_lines())
    bytes = header_.empty() || text.empty()
                ? io::byte_order_mark(text)
                : io::skip_header(text, format_, io::read_header(header_, format_, name).names, name);
  known_.resize(files_.size());
  known_[number].header_bytes = bytes;
  return text.substr(bytes);
}

/// Returns the block of a plain file that belongs to this process.
std::string_view line_reader::plain_block(std::uint32_t number) {
  const std::string_view text = files_[number].text();
  check_numbers(number, text.size());
  const std::string_view rest = without_header(number, text), mine = files_.records_of(number);
  if (mine.empty() || mine.data() >= rest.data()) return mine;
  return mine.substr(std::min(static_cast<std::size_t>(rest.data() - mine.data()), mine.size()));
}

/// Throws gossamer::error for a text that ends inside a number.
void line_reader::check_numbers(std::uint32_t number, std::size_t bytes) const {
  const std::size_t each = files_.rule().bytes;
  if (each != 0 && bytes % each != 0)
    throw error(fmt::format("{}: expected numbers of {} bytes each, found {} bytes more at the end",
                            files_[number].name(), each, bytes % each));
}

/// Decompresses a compressed file, or a block of it. A trial assumes that lines are records, and ends at the
/// first quote.
void line_reader::read(stream& mine) const {
  io::record_stream source(files_[mine.file], mine.begin, mine.end,
                           mine.is_trial ? io::record_rule{io::cut_at::lines} : files_.rule(), k_any_length);
  for (std::string_view text; !mine.has_quotes && !(text = source.next(k_text_chunk_bytes)).empty();) {
    mine.texts.push_back(text);
    mine.chunks.push_back(source.release());
    mine.has_quotes = mine.is_trial && io::count_quotes(text) != 0;
  }
}

/// Decompresses the compressed files of this process on all of its cores, divisible ones on several. If
/// quotes may enclose line ends, this is a trial: one core reads a file with quotes again.
std::vector<line_reader::stream> line_reader::read_streams() const {
  const io::record_rule& rule = files_.rule();
  std::vector<stream> streams;
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    if (files_[i].is_plain() || !files_.is_here(i)) continue;
    const auto places = files_[i].blocks(rule.has_lines() && header_.empty() ? local::cores() : 1);
    for (std::size_t s = 0; s + 1 < places.size(); ++s)
      streams.push_back({i, places[s], places[s + 1], rule.has_quotes() && places.size() > 2});
  }
  const auto read_all = [this, &streams] {
    local::forall_chunks(0, streams.size(), 1, [this, &streams](std::uint64_t s, std::uint64_t last) {
      for (; s < last; ++s)
        if (streams[s].texts.empty()) read(streams[s]);
    });
  };
  read_all();
  std::vector<bool> quoted(files_.size());
  for (const stream& s : streams) quoted[s.file] = quoted[s.file] || s.has_quotes;
  std::erase_if(streams, [&](const stream& s) { return quoted[s.file] && s.begin != 0; });
  for (stream& s : streams)
    if (quoted[s.file]) s = {s.file, 0, files_[s.file].bytes().size()};
  if (std::ranges::find(quoted, true) != quoted.end()) read_all();
  return streams;
}

void line_reader::take_all(line_texts& texts) {
  std::vector<stream> streams = read_streams();
  auto next = streams.begin();
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    if (files_[i].is_plain()) texts.add(plain_block(i), i);
    for (; next != streams.end() && next->file == i; ++next) {
      for (std::size_t b = 0; b < next->texts.size(); ++b) {
        check_numbers(i, next->texts[b].size());
        texts.add(b == 0 && next->begin == 0 ? without_header(i, next->texts[b]) : next->texts[b], i);
      }
      std::ranges::move(next->chunks, std::back_inserter(held_));
    }
  }
}

/// Returns the weight of a text and its lines in a batch, in bytes.
std::uint64_t line_reader::weight_of(std::string_view text) const {
  return text.size() + (files_.rule().has_lines() ? k_line_bytes * lines_in(text) : 0);
}

/// Appends the part of a plain file that fits the batch. Returns whether the file has more.
bool line_reader::take_plain(std::uint64_t bytes, std::uint64_t& weight, line_texts& texts) {
  const std::string_view text = plain_block(file_);
  const std::size_t begin = at_;
  std::size_t end = begin;
  std::uint64_t quotes = 0;
  while (end < text.size() && weight < bytes) {
    // Empty lines weigh most: the rest of the batch could consist of them.
    const std::string_view chunk =
        text.substr(end, std::clamp<std::uint64_t>((bytes - weight) / (1 + k_line_bytes), 4 << 10, 1 << 20));
    files_[file_].populate(chunk);
    weight += weight_of(chunk);
    if (files_.rule().has_quotes()) quotes += io::count_quotes(chunk);
    end += chunk.size();
  }
  at_ = files_.rule().start(text, end, quotes % 2 != 0);
  texts.add(text.substr(begin, at_ - begin), file_);
  return at_ != text.size();
}

/// Does the same for a compressed file.
bool line_reader::take_stream(std::uint64_t bytes, std::uint64_t& weight, line_texts& texts) {
  if (!files_.is_here(file_)) return false;
  const io::text_file& f = files_[file_];
  if (!stream_) stream_.emplace(f, 0, f.bytes().size(), files_.rule(), k_any_length);
  const std::size_t chunk = std::clamp<std::uint64_t>((bytes - weight) / 8, 64 << 10, k_text_chunk_bytes);
  while (weight < bytes) {
    const std::string_view text = stream_->next(chunk);
    held_.push_back(stream_->release());
    check_numbers(file_, text.size());
    weight += weight_of(text);
    texts.add(stream_->before() == 0 ? without_header(file_, text) : text, file_);
    if (stream_->ended()) return false;
  }
  return true;
}

/// Frees the texts of a batch.
void line_reader::free_batch(line_texts& texts) {
  known_.resize(files_.size());
  for (const line_texts::segment& s : texts.segments()) {
    files_[s.file].discard(s.text);
    known_[s.file].bytes_before += s.text.size();
  }
  texts.clear();
  held_.clear();
}

bool line_reader::take(std::uint64_t bytes, line_texts& texts) {
  free_batch(texts);
  for (std::uint64_t weight = 0; file_ < files_.size() && weight < bytes;) {
    const bool is_alone = processes() > 1 && files_[file_].is_standard_input();
    if (is_alone && at_ == 0 && !stream_ && !texts.segments().empty()) return true;
    if (files_[file_].is_plain() ? take_plain(bytes, weight, texts) : take_stream(bytes, weight, texts))
      continue;
    ++file_;
    at_ = 0;
    stream_.reset();
    if (is_alone) break;
  }
  return file_ < files_.size();
}

void line_reader::clear() {
  stream_.reset();
  held_.clear();
}

std::string line_reader::place_of(const line_texts& texts, std::uint64_t place) const {
  const auto& segments = texts.segments();
  const auto at = std::ranges::upper_bound(segments, place, {}, &line_texts::segment::place) - 1;
  const io::text_file& f = files_[at->file];
  std::uint64_t before = place - at->place;
  if (f.is_plain())
    return f.place_of(0, before + static_cast<std::uint64_t>(at->text.data() - f.text().data()));
  before += known_[at->file].header_bytes + known_[at->file].bytes_before;
  for (auto segment = segments.begin(); segment != at; ++segment)
    if (segment->file == at->file) before += segment->text.size();
  return f.place_of(0, before);
}

}  // namespace gossamer::sorting
