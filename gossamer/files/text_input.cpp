// Opens files of text, deals tasks to processes, cuts pieces and streams.
#include "gossamer/files/text_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/files/shared_files.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/text_format.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer {

namespace files {

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
  if (where != cut_at::blanks) {
    const std::size_t end = text.find('\n', i);
    return end == text.npos ? text.size() : end + 1;
  }
  while (i < text.size() && !separates(where, text[i])) ++i;
  return std::min(i + 1, text.size());
}

/// Returns one past the last separator; 0: there is none.
std::size_t last_cut(std::string_view text, cut_at where) {
  if (where == cut_at::records) return io::whole_records(text);
  std::size_t end = text.size();
  while (end > 0 && !separates(where, text[end - 1])) --end;
  return end;
}

constexpr const char* k_standard_input = "/dev/stdin";
bool is_standard_input(const machine::mapped_file& file) { return file.path() == k_standard_input; }

}  // namespace

struct text_share::implementation {
  struct task {
    std::uint32_t file;
    std::uint64_t begin, end;  // bytes of the file
    bool stream;
    bool begins_in_quotes = false, ends_in_quotes = false;  // where records are cut
  };

  cut_at where = cut_at::blanks;
  std::vector<machine::mapped_file> files;
  std::vector<std::uint32_t> numbers;  // of the files, among the paths
  std::vector<io::compression> how;
  static constexpr std::uint8_t k_odd = 1, k_any = 2;

  std::vector<task> streams, pieces;  // of all processes
  std::vector<std::uint8_t> quotes;  // of each piece, where records are cut: k_odd, k_any
  std::vector<task> tasks;  // of this process
  std::uint64_t bytes = 0, common_bytes = 0;

  std::string head(std::size_t file, std::size_t most) const;
  void list(cut_at cuts);
  void count_quotes();
  void mark_quotes();
  void deal();
  void stream(const task& t, function_ref<void(const text_piece&)> f) const;
  /// Returns the place at or behind `at` where a piece begins.
  std::size_t cut(std::string_view text, std::size_t at, bool in_quotes) const {
    return where == cut_at::records ? io::record_start(text, at, in_quotes) : next_cut(text, at, where);
  }
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
  // A piece in which nothing begins looks no further: what goes on through it is the matter of an earlier one.
  const std::size_t begin = it_->cut(file.text().substr(0, t.end), t.begin, t.begins_in_quotes);
  if (begin >= t.end) return;
  const std::size_t end = it_->cut(file.text(), t.end, t.ends_in_quotes);
  file.populate(begin, end - begin);
  f({file.text().substr(begin, end - begin), &file.path(), file.bytes(), begin, 0, it_->numbers[t.file]});
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
    f({piece, &files[t.file].path(), file, before, t.begin, numbers[t.file]});
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

/// Counts the quotes of each piece of plain text that is this core's turn: where records are cut. Every process counts
/// all of them.
void text_share::implementation::count_quotes() {
  for (std::size_t k = here() - first_core(process()); k < pieces.size(); k += cores_per_process()) {
    const task& t = pieces[k];
    const std::uint64_t count = io::count_quotes(files[t.file].text().substr(t.begin, t.end - t.begin));
    quotes[k] = static_cast<std::uint8_t>((count % 2 != 0 ? k_odd : 0) | (count != 0 ? k_any : 0));
  }
}

/// Says of each piece whether it begins and ends inside of quotes.
void text_share::implementation::mark_quotes() {
  bool inside = false;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (pieces[k].begin == 0) inside = false;
    pieces[k].begins_in_quotes = inside;
    inside ^= (quotes[k] & k_odd) != 0;
    pieces[k].ends_in_quotes = inside;
  }
}

/// Returns the beginning of a file's text.
std::string text_share::implementation::head(std::size_t file, std::size_t most) const {
  return io::text_beginning(files[file].bytes(), files[file].path(), most);
}

/// Lists the streams and the pieces of all files.
void text_share::implementation::list(cut_at cuts) {
  where = cuts;
  streams.clear();
  pieces.clear();
  for (std::uint32_t file = 0; file < files.size(); ++file) {
    const std::span<const std::byte> all = files[file].bytes();
    if (where != cut_at::blanks)
      io::check_line_ends(all, is_standard_input(files[file]) ? "standard input" : files[file].path());
    const unsigned parts = is_standard_input(files[file]) ? cores_per_process() : cores();
    if (how[file] != io::compression::none) {
      // Where records are cut, the quotes before a place count: one core reads such a file.
      const auto bounds = where == cut_at::records ? std::vector<std::uint64_t>{}
                                                   : io::compressed_shares(how[file], all, parts);
      if (bounds.empty()) {
        streams.push_back({file, 0, all.size(), true});
      } else {
        for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
          streams.push_back({file, bounds[s], bounds[s + 1], true});
      }
      continue;
    }
    const std::uint64_t step = std::clamp<std::uint64_t>(all.size() / (k_pieces_per_core * parts),
                                                         k_least_piece_bytes, k_piece_bytes);
    for (std::uint64_t b = 0; b < all.size(); b += step)
      pieces.push_back({file, b, std::min<std::uint64_t>(b + step, all.size()), false});
  }
  quotes.assign(pieces.size(), 0);
}

/// Takes the share of this process.
void text_share::implementation::deal() {
  tasks.clear();
  if (where == cut_at::records) mark_quotes();
  // Streams are long, so they come first. Processes take them in turn, and pieces in equal ranges; what came by
  // standard input is of process 0 alone.
  const auto mine = [&](const task& t) { return is_standard_input(files[t.file]); };
  for (std::size_t s = 0; s < streams.size(); ++s)
    if (mine(streams[s]) || s % processes() == process()) tasks.push_back(streams[s]);
  const auto input =
      std::stable_partition(pieces.begin(), pieces.end(), [&](const task& t) { return !mine(t); });
  const auto shared = static_cast<std::uint64_t>(input - pieces.begin());
  const std::uint64_t first = parallel::share_begin(0, shared, process(), processes());
  const std::uint64_t last = parallel::share_begin(0, shared, process() + 1, processes());
  tasks.insert(tasks.end(), pieces.begin() + static_cast<std::ptrdiff_t>(first),
               pieces.begin() + static_cast<std::ptrdiff_t>(last));
  tasks.insert(tasks.end(), input, pieces.end());
}

/// Opens the files in this process.
void open_share(text_share& share, const std::vector<std::string>& paths) {
  auto it = std::make_unique<text_share::implementation>();
  for (std::uint32_t number = 0; number < paths.size(); ++number) {
    const std::string& path = paths[number];
    const bool standard_input = path == "-";
    if (standard_input && process() != 0) continue;  // process 0 has it
    const machine::mapped_file& file = it->files.emplace_back(standard_input ? k_standard_input : path);
    it->numbers.push_back(number);
    it->how.push_back(io::detect_compression(file.bytes()));
    io::check_text(file.bytes(), standard_input ? "standard input" : path, io::k_tables_as_text);
    it->bytes += file.bytes().size();
    if (!standard_input) it->common_bytes += file.bytes().size();
  }
  share.it_ = std::move(it);
}

void deal_shares(per_process<text_share> shares, cut_at where) {
  on_all_processes([shares, where] { shares.here().it_->list(where); });
  if (where == cut_at::records) on_all_cores([shares] { shares.here().it_->count_quotes(); });
  on_all_processes([shares] { shares.here().it_->deal(); });
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
  const std::span<const std::byte> stored = piece.stored;
  const io::compression how = io::detect_compression(stored);
  if (how == io::compression::none)
    return static_cast<std::uint64_t>(std::ranges::count(stored.first(piece.begin), std::byte{'\n'}));
  std::uint64_t lines = 0;
  if (piece.share_begin != 0)
    lines += lines_in(*io::make_decompressor(how, stored.first(piece.share_begin), *piece.path),
                      ~std::uint64_t{0});
  // A share begins with its first whole line; the one that it passes over ends in it.
  if (piece.share_begin == 0) return lines_in(*io::make_decompressor(how, stored, *piece.path), piece.begin);
  io::line_share share(how, stored, *piece.path, piece.share_begin, stored.size());
  return lines + 1 + lines_in(share, piece.begin);
}

}  // namespace

}  // namespace files

std::string place_of(const text_piece& piece, std::size_t at) {
  const auto within = static_cast<std::uint64_t>(std::ranges::count(piece.text.substr(0, at), '\n'));
  return fmt::format("{}:{}", *piece.path == files::k_standard_input ? "standard input" : *piece.path,
                     files::lines_before(piece) + within + 1);
}

void fail_at(const text_piece& piece, std::size_t at, std::string_view what) {
  throw error(fmt::format("{}: {}", place_of(piece, at), what));
}

namespace {

/// Opens files in all processes. By one fiber.
void open_everywhere(per_process<files::text_share> shares, const std::vector<std::string>& paths,
                     cut_at cut) {
  const scoped_per_process<files::file_names> names;
  if (std::ranges::count(paths, "-") > 1) throw error("-: standard input can be read once only");
  files::check_read_by_all(paths);
  names.here().set(paths);
  share_text(names.handle(), &files::file_names::all);
  on_all_processes(
      [shares, names = names.handle()] { files::open_share(shares.here(), names.here().paths()); });
  files::deal_shares(shares, cut);
  files::check_same_files([shares] { return shares.here().common_bytes(); });
}

}  // namespace

std::string text_input::identity() const {
  std::string all = fmt::format("cut {}\n", static_cast<unsigned>(where_));
  for (const std::string& path : paths_) {
    std::error_code failure;
    if (path == "-" || std::filesystem::is_fifo(path, failure))
      throw error(
          fmt::format("work on {} cannot be continued: give a file", path == "-" ? "standard input" : path));
    const auto changed = std::filesystem::last_write_time(path, failure);
    if (failure) throw error(fmt::format("cannot read {}: {}", path, failure.message()));
    all += fmt::format("{} bytes, changed {}: {}\n", machine::file_bytes(path),
                       changed.time_since_epoch().count(), path);
  }
  return all;
}

void text_input::open(per_process<share> shares) const { open_everywhere(shares, paths_, where_); }

opened_text::opened_text(const std::vector<std::string>& paths, cut_at where) : paths_(paths), where_(where) {
  open_everywhere(shares_.handle(), paths, where);
}

void opened_text::cut(cut_at where) {
  where_ = where;
  files::deal_shares(shares_.handle(), where);
}

bool opened_text::has_quotes() const {
  const auto& it = *shares_.here().it_;
  return !it.streams.empty() ||
         std::ranges::any_of(it.quotes, [&it](std::uint8_t q) { return (q & it.k_any) != 0; });
}

std::string opened_text::head(std::size_t bytes) const {
  const auto& it = *shares_.here().it_;
  return it.files.empty() ? std::string() : it.head(0, bytes);
}

void opened_text::open(per_process<share> shares) const {
  on_all_processes([shares, of = shares_.handle()] { shares.here().of_ = &of.here(); });
}

}  // namespace gossamer
