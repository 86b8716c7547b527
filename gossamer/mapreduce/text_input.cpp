// Opens files of text, deals tasks to processes, cuts pieces and streams.
#include "gossamer/mapreduce/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/mapreduce/internal/shared_files.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

namespace mapreduce {

namespace {

constexpr std::uint64_t k_piece_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t k_least_piece_bytes = 16 << 10;
constexpr std::uint64_t k_pieces_per_core = 16;  // of a small input, so that all cores have some
constexpr std::size_t k_stream_bytes = std::size_t{1} << 20;  // of text at a time
constexpr std::size_t k_most_open_bytes = std::size_t{1} << 30;  // of a word or line in a stream

bool separates(cut_at where, char c) {
  return c == '\n' || (where == cut_at::blanks && (c == ' ' || (c >= '\t' && c <= '\r')));
}

/// Returns the first place at or behind `at` where a piece may begin.
std::size_t next_cut(std::string_view text, std::size_t at, cut_at where) {
  if (at == 0 || at >= text.size()) return std::min(at, text.size());
  std::size_t i = at - 1;
  if (where == cut_at::lines) {
    const std::size_t end = text.find('\n', i);
    return end == text.npos ? text.size() : end + 1;
  }
  while (i < text.size() && !separates(where, text[i])) ++i;
  return std::min(i + 1, text.size());
}

/// Returns one past the last separator; 0: there is none.
std::size_t last_cut(std::string_view text, cut_at where) {
  std::size_t end = text.size();
  while (end > 0 && !separates(where, text[end - 1])) --end;
  return end;
}

}  // namespace

struct text_share::implementation {
  struct task {
    std::uint32_t file;
    std::uint64_t begin, end;  // bytes of the file
    bool stream;
  };

  cut_at where = cut_at::blanks;
  std::vector<machine::mapped_file> files;
  std::vector<io::compression> how;
  std::vector<task> tasks;
  std::uint64_t bytes = 0, common_bytes = 0;

  void stream(const task& t, function_ref<void(const text_piece&)> f) const;
};

text_share::text_share() = default;
text_share::~text_share() = default;
text_share::text_share(text_share&&) noexcept = default;
text_share& text_share::operator=(text_share&&) noexcept = default;

std::uint64_t text_share::tasks() const { return it_->tasks.size(); }
std::uint64_t text_share::bytes() const { return it_->bytes; }
std::uint64_t text_share::common_bytes() const { return it_->common_bytes; }

void text_share::run(std::uint64_t number, function_ref<void(const text_piece&)> f) const {
  const implementation::task& t = it_->tasks[number];
  if (t.stream) return it_->stream(t, f);
  const machine::mapped_file& file = it_->files[t.file];
  const std::size_t begin = next_cut(file.text(), t.begin, it_->where);
  const std::size_t end = next_cut(file.text(), t.end, it_->where);
  if (begin >= end) return;
  file.populate(begin, end - begin);
  f({file.text().substr(begin, end - begin), &file.path(), begin, 0});
  file.discard(begin, end - begin);
}

void text_share::implementation::stream(const task& t, function_ref<void(const text_piece&)> f) const {
  const auto file = files[t.file].bytes();
  const bool whole = t.begin == 0 && t.end == file.size();
  // A share of a compressed file begins with its first whole line, so words are whole as well.
  const std::unique_ptr<io::decompressor> source =
      whole ? io::make_decompressor(how[t.file], file, files[t.file].path())
            : std::make_unique<io::line_share>(how[t.file], file, files[t.file].path(), t.begin, t.end);
  std::vector<char> text(k_stream_bytes);
  std::size_t open = 0;  // bytes at the beginning that belong to the piece that is not ended
  std::uint64_t before = 0;  // bytes of the stream that were given to f
  const auto give = [&](std::string_view piece) {
    f({piece, &files[t.file].path(), before, t.begin});
    before += piece.size();
  };
  while (true) {
    if (text.size() - open < k_stream_bytes / 2) {
      if (open > k_most_open_bytes)
        throw error(fmt::format("{}: expected {} of at most {}, found a longer one", files[t.file].path(),
                                where == cut_at::lines ? "lines" : "words", format_bytes(k_most_open_bytes)));
      machine::require_piece(text.size(), files[t.file].path());
      text.resize(2 * text.size());
    }
    const std::size_t got = source->read(std::span(text).subspan(open));
    const std::string_view all(text.data(), open + got);
    if (got < text.size() - open) {
      if (!all.empty()) give(all);
      return;
    }
    const std::size_t end = last_cut(all, where);
    if (end != 0) give(all.substr(0, end));
    open = all.size() - end;
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(end),
              text.begin() + static_cast<std::ptrdiff_t>(all.size()), text.begin());
  }
}

/// Opens the files in this process and takes its share of them.
void open_share(text_share& share, const std::vector<std::string>& paths, cut_at where) {
  auto it = std::make_unique<text_share::implementation>();
  it->where = where;
  std::vector<text_share::implementation::task> streams, pieces;
  for (const std::string& path : paths) {
    const bool standard_input = path == "-";
    if (standard_input && process() != 0) continue;  // process 0 has it
    const auto file = static_cast<std::uint32_t>(it->files.size());
    it->files.emplace_back(standard_input ? "/dev/stdin" : path);
    const std::span<const std::byte> bytes = it->files.back().bytes();
    it->how.push_back(io::detect_compression(bytes));
    it->bytes += bytes.size();
    if (!standard_input) it->common_bytes += bytes.size();
    const unsigned parts = standard_input ? cores_per_process() : cores();
    if (it->how.back() != io::compression::none) {
      const auto bounds = io::compressed_shares(it->how.back(), bytes, parts);
      if (bounds.empty()) {
        streams.push_back({file, 0, bytes.size(), true});
      } else {
        for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
          streams.push_back({file, bounds[s], bounds[s + 1], true});
      }
      continue;
    }
    const std::uint64_t step = std::clamp<std::uint64_t>(bytes.size() / (k_pieces_per_core * parts),
                                                         k_least_piece_bytes, k_piece_bytes);
    for (std::uint64_t b = 0; b < bytes.size(); b += step)
      pieces.push_back({file, b, std::min<std::uint64_t>(b + step, bytes.size()), false});
  }
  // Streams are long, so they come first. Processes take them in turn, and pieces in equal ranges; what came by
  // standard input is of process 0 alone.
  const auto mine = [&](const auto& t) { return it->files[t.file].path() == "/dev/stdin"; };
  for (std::size_t s = 0; s < streams.size(); ++s)
    if (mine(streams[s]) || s % processes() == process()) it->tasks.push_back(streams[s]);
  const auto input =
      std::stable_partition(pieces.begin(), pieces.end(), [&](const auto& t) { return !mine(t); });
  const auto shared = static_cast<std::uint64_t>(input - pieces.begin());
  const std::uint64_t first = parallel::share_begin(0, shared, process(), processes());
  const std::uint64_t last = parallel::share_begin(0, shared, process() + 1, processes());
  it->tasks.insert(it->tasks.end(), pieces.begin() + static_cast<std::ptrdiff_t>(first),
                   pieces.begin() + static_cast<std::ptrdiff_t>(last));
  it->tasks.insert(it->tasks.end(), input, pieces.end());
  share.it_ = std::move(it);
}

namespace {

/// Counts the line ends in the first `bytes` of a text.
std::uint64_t lines_in(io::decompressor& source, std::uint64_t bytes) {
  std::vector<char> text(k_stream_bytes);
  std::uint64_t lines = 0;
  while (bytes > 0) {
    const std::size_t got = source.read(std::span(text).first(std::min<std::uint64_t>(text.size(), bytes)));
    lines += static_cast<std::uint64_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
    bytes -= got;
    if (got == 0) break;
  }
  return lines;
}

/// Counts the line ends of a file before a piece.
std::uint64_t lines_before(const text_piece& piece) {
  const machine::mapped_file file(*piece.path);
  const io::compression how = io::detect_compression(file.bytes());
  if (how == io::compression::none) {
    const std::string_view before = file.text().substr(0, piece.begin);
    return static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  }
  std::uint64_t lines = 0;
  if (piece.share_begin != 0)
    lines += lines_in(*io::make_decompressor(how, file.bytes().first(piece.share_begin), *piece.path),
                      ~std::uint64_t{0});
  // A share begins with its first whole line; the one that it passes over ends in it.
  if (piece.share_begin == 0)
    return lines_in(*io::make_decompressor(how, file.bytes(), *piece.path), piece.begin);
  io::line_share share(how, file.bytes(), *piece.path, piece.share_begin, file.bytes().size());
  return lines + 1 + lines_in(share, piece.begin);
}

}  // namespace

}  // namespace mapreduce

void fail_at(const text_piece& piece, std::size_t at, std::string_view what) {
  const auto within = static_cast<std::uint64_t>(std::ranges::count(piece.text.substr(0, at), '\n'));
  if (*piece.path == "/dev/stdin")  // cannot be read again
    throw error(fmt::format("standard input: {}", what));
  throw error(fmt::format("{}:{}: {}", *piece.path, mapreduce::lines_before(piece) + within + 1, what));
}

void text_input::open(per_process<share> shares) const {
  const scoped_per_process<mapreduce::file_names> names;
  if (std::ranges::count(paths_, "-") > 1) throw error("-: standard input can be read once only");
  names.here().set(paths_);
  share_text(names.handle(), &mapreduce::file_names::all);
  on_all_processes([shares, names = names.handle(), where = where_] {
    mapreduce::open_share(shares.here(), names.here().paths(), where);
  });
  mapreduce::check_same_files([shares] { return shares.here().common_bytes(); });
}

}  // namespace gossamer
