#include "gossamer/io/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::io {
namespace {

constexpr std::size_t k_counted_bytes = std::size_t{1} << 20;  // of decompressed text at a time

bool ends_word(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

/// Counts the line ends in the first `bytes` of a text.
std::uint64_t lines_in(decompressor& source, std::uint64_t bytes) {
  const machine::uninitialised_buffer<char> chunk(k_counted_bytes);
  std::uint64_t lines = 0;
  for (std::size_t got = 1; bytes > 0 && got > 0; bytes -= got) {
    got = source.read(chunk.span().first(std::min<std::uint64_t>(chunk.size(), bytes)));
    lines += lines_in({chunk.data(), got});
  }
  return lines;
}

}  // namespace

bool is_read_once(const std::string& path) {
  if (path == "-") return true;
  std::error_code unknown;  // a file that is not there is told about when it is opened
  const auto what = std::filesystem::status(path, unknown).type();
  return what == std::filesystem::file_type::fifo || what == std::filesystem::file_type::socket;
}

std::size_t record_rule::start(std::string_view text, std::size_t at, bool in_quotes) const {
  if (bytes != 0) return std::min((at + bytes - 1) / bytes * bytes, text.size());
  if (has_lines()) return record_start(text, at, in_quotes, has_quotes());
  if (at == 0) return 0;
  const auto* const blank = std::find_if(text.data() + at - 1, text.data() + text.size(), ends_word);
  return std::min(static_cast<std::size_t>(blank - text.data()) + 1, text.size());
}

std::size_t record_rule::whole(std::string_view text) const {
  if (bytes != 0) return text.size() - text.size() % bytes;
  if (has_lines()) return whole_records(text, has_quotes());
  std::size_t end = text.size();
  while (end > 0 && !ends_word(text[end - 1])) --end;
  return end;
}

text_file::text_file(const std::string& path)
    : text_file(std::make_shared<const machine::mapped_file>(path == "-" ? "/dev/stdin" : path)) {
  standard_input_ = path == "-";
  if (standard_input_) name_ = "standard input";
}

text_file::text_file(std::shared_ptr<const machine::mapped_file> file)
    : text_file(file->bytes(), file->path()) {
  mapped_ = std::move(file);
}

text_file::text_file(std::span<const std::byte> bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), how_(detect_compression(bytes)) {}

text_file text_file::standard_input_elsewhere() {
  text_file none({}, "standard input");
  none.standard_input_ = true;
  return none;
}

std::string_view text_file::all(std::string& unpacked) const {
  if (is_plain()) return text();
  record_stream source(*this, 0, bytes_.size(), {});
  for (std::string_view chunk; !(chunk = source.next(k_counted_bytes)).empty(); unpacked += chunk)
    if (const std::size_t bytes = unpacked.size() + chunk.size(); bytes > unpacked.capacity()) {
      machine::require_chunk(2 * bytes, name_);
      unpacked.reserve(2 * bytes);
    }
  return unpacked;
}

bool text_file::holds(std::string_view chunk) const {
  const std::string_view all = text();
  return mapped_ != nullptr && chunk.data() >= all.data() && chunk.data() < all.data() + all.size();
}

void text_file::populate(std::string_view chunk) const {
  if (holds(chunk)) mapped_->populate(static_cast<std::size_t>(chunk.data() - text().data()), chunk.size());
}

void text_file::discard(std::string_view chunk) const {
  if (holds(chunk)) mapped_->discard(static_cast<std::size_t>(chunk.data() - text().data()), chunk.size());
}

std::vector<std::uint64_t> text_file::blocks(unsigned most) const {
  auto places = most > 1 ? compressed_block_bounds(how_, bytes_, most) : std::vector<std::uint64_t>();
  if (places.empty()) places = {0, bytes_.size()};
  return places;
}

std::string text_file::place_of(std::uint64_t block_begin, std::uint64_t at) const {
  std::uint64_t lines = 1;
  if (is_plain()) {
    lines += lines_in(text().substr(0, at));
  } else if (block_begin == 0) {
    lines += lines_in(*make_decompressor(how_, bytes_, name_), at);
  } else {
    // A block begins with its first whole line. The partial line before it ends in this block.
    lines += 1 + lines_in(*make_decompressor(how_, bytes_.first(block_begin), name_), ~std::uint64_t{0});
    line_block block(how_, bytes_, name_, block_begin, bytes_.size());
    lines += lines_in(block, at);
  }
  return fmt::format("{}:{}", name_, lines);
}

record_stream::record_stream(const text_file& file, std::uint64_t begin, std::uint64_t end, record_rule rule,
                             std::uint64_t most_record_bytes)
    : file_(&file), rule_(rule), most_(most_record_bytes) {
  if (begin == 0 && end == file.bytes().size())
    source_ = make_decompressor(file.how(), file.bytes(), file.name());
  else
    source_ = std::make_unique<line_block>(file.how(), file.bytes(), file.name(), begin, end);
}

std::string_view record_stream::next(std::size_t bytes) {
  before_ = after_;
  size_ -= returned_;
  if (size_ != 0) std::memmove(chunk_.data(), chunk_.data() + returned_, size_);
  return fill(bytes);
}

std::string_view record_stream::extend(std::size_t bytes) { return fill(bytes); }

machine::uninitialised_buffer<char> record_stream::release() {
  const std::size_t open = size_ - returned_;
  machine::uninitialised_buffer<char> rest(ended_ ? 0 : std::max(step_, 2 * open));
  if (open != 0) std::memcpy(rest.data(), chunk_.data() + returned_, open);
  returned_ = 0;
  size_ = open;
  return std::exchange(chunk_, std::move(rest));
}

/// Reads after the current contents of the chunk, up to the end of a record. Returns all whole records of the
/// chunk.
std::string_view record_stream::fill(std::size_t bytes) {
  step_ = std::max<std::size_t>(bytes, 1);
  if (!ended_ && chunk_.size() < std::max(step_, 2 * size_)) resize(std::max(step_, 2 * size_));
  for (returned_ = 0;; resize(2 * chunk_.size())) {
    if (!ended_) size_ += source_->read(chunk_.span().subspan(size_));
    ended_ |= size_ < chunk_.size();
    returned_ = ended_ ? size_ : rule_.whole({chunk_.data(), size_});
    after_ = before_ + returned_;
    const bool is_long = !ended_ && size_ - returned_ >= most_;
    if (!is_long && (returned_ != 0 || ended_)) return {chunk_.data(), returned_};
    if (!is_long) continue;
    throw error(fmt::format("{}: expected {} of at most {} MiB, found a longer one near byte {} of the file",
                            file_->name(),
                            rule_.where == cut_at::lines     ? "lines"
                            : rule_.where == cut_at::records ? "records"
                                                             : "words",
                            most_ >> 20, consumed()));
  }
}

/// Resizes the chunk, and keeps its contents.
void record_stream::resize(std::size_t bytes) {
  machine::require_chunk(bytes, file_->name());
  machine::uninitialised_buffer<char> larger(bytes);
  if (size_ != 0) std::memcpy(larger.data(), chunk_.data(), size_);
  chunk_ = std::move(larger);
}

}  // namespace gossamer::io
