#include "gossamer/files/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "gossamer/files/same_files.hpp"
#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/io/text_format.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::files {
namespace {

constexpr std::uint64_t k_most_chunk_bytes = std::uint64_t{1} << 20, k_least_chunk_bytes = 16 << 10;
constexpr std::uint64_t k_chunks_per_core = 16;  // of a small file, so that all cores have some

/// Throws gossamer::error for invalid names, and for files that cannot be read as often as needed.
void check(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") > 1) throw error("-: standard input can be read once only");
  for (const std::string& path : paths) {
    if (path.empty() || path.find('\0') != path.npos)
      throw error("expected the name of a file, found an empty one");
    if (std::error_code none; processes() > 1 && std::filesystem::is_fifo(path, none))
      throw error(fmt::format(
          "{}: a pipe cannot be read by several processes: give a file, or - for standard input", path));
  }
}

}  // namespace

/// Opens the files in this process.
void input_files::open(file_contents what) {
  for (std::size_t at = 0; at < names.size();) {
    const std::string path = names.substr(at, names.find('\0', at) - at);
    at += path.size() + 1;
    io::text_file& f = files_.emplace_back();
    f = path == "-" && process() != 0 ? io::text_file::standard_input_elsewhere() : io::text_file(path);
    const bool is_plain =
        what == file_contents::bytes || (what == file_contents::records && !io::is_named_compressed(path));
    if (is_plain) f.take_as_plain();
    if (what == file_contents::text) io::check_text(f.bytes(), f.name(), io::k_tables_as_text);
  }
}

std::uint64_t input_files::bytes() const {
  std::uint64_t sum = 0;
  for (const io::text_file& f : files_) sum += f.bytes().size();
  return sum;
}

std::uint64_t input_files::common_bytes() const {
  std::uint64_t sum = bytes();
  for (const io::text_file& f : files_)
    if (f.is_standard_input()) sum -= f.bytes().size();
  return sum;
}

/// Lists the chunks of this process.
void input_files::divide(const io::record_rule& rule, bool in_order) {
  rule_ = rule;
  before_.clear();
  chunks_.clear();
  divided_bytes_ = 0;
  for (const io::text_file& f : files_) {
    if (rule.has_lines()) io::check_line_ends(f.bytes(), f.name());
    before_.push_back(divided_bytes_);
    if (!f.is_standard_input() && (in_order || f.is_plain())) divided_bytes_ += f.bytes().size();
  }
  const std::uint64_t first = parallel::block_begin(0, divided_bytes_, process(), processes());
  const std::uint64_t last = parallel::block_begin(0, divided_bytes_, process() + 1, processes());
  for (std::uint32_t number = 0; number < size(); ++number) {
    const io::text_file& f = files_[number];
    if (!f.is_plain()) continue;
    const std::uint64_t bytes = f.bytes().size(), before = before_[number];
    const bool whole = f.is_standard_input();
    const std::uint64_t end = whole ? bytes : std::clamp(last, before, before + bytes) - before;
    const std::uint64_t step = std::clamp(bytes / (k_chunks_per_core * (whole ? local::cores() : cores())),
                                          k_least_chunk_bytes, k_most_chunk_bytes);
    for (std::uint64_t b = whole ? 0 : std::clamp(first, before, before + bytes) - before; b < end; b += step)
      chunks_.push_back({number, b, std::min(b + step, end)});
  }
}

/// Counts the quotes of this process's chunks on its cores. Sets for each chunk whether it begins and ends
/// inside of quotes. Collective over the processes.
void input_files::count_quotes() {
  std::vector<std::uint64_t> counts(chunks_.size()), mine(size());
  local::forall_chunks(0, chunks_.size(), 1, [&](std::uint64_t p, std::uint64_t last) {
    for (; p < last; ++p) {
      const io::text_file& f = files_[chunks_[p].file];
      const std::string_view chunk = f.text().substr(chunks_[p].begin, chunks_[p].end - chunks_[p].begin);
      f.populate(chunk);
      counts[p] = io::count_quotes(chunk);
      f.discard(chunk);
    }
  });
  for (std::size_t p = 0; p < chunks_.size(); ++p) mine[chunks_[p].file] += counts[p];
  const auto of_all = exchange(std::vector<std::vector<std::uint64_t>>(processes(), mine));
  std::vector<std::uint64_t> before(size());  // by file: quotes before the chunk
  has_quotes_ = !std::ranges::all_of(files_, &io::text_file::is_plain);
  for (unsigned p = 0; p < processes(); ++p)
    for (std::size_t i = 0; i < size(); ++i) {
      has_quotes_ |= of_all[p][i] != 0;
      if (p < process()) before[i] += of_all[p][i];
    }
  for (std::size_t p = 0; p < chunks_.size(); ++p) {
    chunks_[p].begins_in_quotes = before[chunks_[p].file] % 2 != 0;
    before[chunks_[p].file] += counts[p];
    chunks_[p].ends_in_quotes = before[chunks_[p].file] % 2 != 0;
  }
}

std::string_view input_files::records_of(const file_chunk& chunk) const {
  const std::string_view text = files_[chunk.file].text();
  // A chunk in which no record begins stops here: the core of an earlier chunk reads the record that
  // continues through it.
  const std::size_t begin = rule_.start(text.substr(0, chunk.end), chunk.begin, chunk.begins_in_quotes);
  if (begin >= chunk.end) return text.substr(begin, 0);
  return text.substr(begin, rule_.start(text, chunk.end, chunk.ends_in_quotes) - begin);
}

std::string_view input_files::records_of(std::size_t number) const {
  const auto of = std::ranges::equal_range(chunks_, number, {}, &file_chunk::file);
  if (of.empty()) return {};
  const file_chunk &first = of.front(), &last = of.back();
  return records_of({first.file, first.begin, last.end, first.begins_in_quotes, last.ends_in_quotes});
}

bool input_files::is_here(std::size_t number) const {
  if (files_[number].is_standard_input()) return process() == 0;
  const auto begin = [this](unsigned p) { return parallel::block_begin(0, divided_bytes_, p, processes()); };
  const bool is_last = process() + 1 == processes();
  return before_[number] >= begin(process()) && (is_last || before_[number] < begin(process() + 1));
}

void open_files(per_process<input_files> files, const std::vector<std::string>& paths, file_contents what) {
  check(paths);
  for (const std::string& path : paths) files.here().names.append(path).push_back('\0');
  share_text(files, &input_files::names);
  require_same_files(paths);
  on_all_processes([files, what] { files.here().open(what); });
}

}  // namespace gossamer::files
