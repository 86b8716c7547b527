// Deals tasks to processes: pieces of plain files, and streams.
#include "gossamer/files/text_input.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace files {
namespace {

constexpr std::size_t k_stream_bytes = std::size_t{1} << 20;  // of text at a time

}  // namespace

void text_share::deal() {
  // Streams are long, so they come first. Processes take them in turn, but for standard input, which is of process 0 alone.
  streams_.clear();
  std::uint64_t turn = 0;
  for (std::uint32_t number = 0; number < files.size(); ++number) {
    const io::text_file& f = files[number];
    if (f.is_plain()) continue;
    // Where records are cut, the quotes before a place count: one core reads such a file.
    const bool alone = f.is_standard_input();
    const auto places = f.blocks(files.rule().has_quotes() ? 1 : alone ? cores_per_process() : cores());
    for (std::size_t s = 0; s + 1 < places.size(); ++s)
      if (alone || turn++ % processes() == process()) streams_.push_back({number, places[s], places[s + 1]});
  }
}

void text_share::run(std::uint64_t task, function_ref<void(const text_piece&)> f) const {
  if (task >= streams_.size()) {
    const file_piece& piece = files.pieces()[task - streams_.size()];
    const io::text_file& file = files[piece.file];
    const std::string_view text = files.records_of(piece);
    if (text.empty()) return;
    file.populate(text);
    f({text, &file, static_cast<std::uint64_t>(text.data() - file.text().data()), 0, piece.file});
    file.discard(text);
    return;
  }
  // A share of a compressed file begins with its first whole line, so words are whole as well.
  const file_piece& t = streams_[task];
  io::record_stream source(files[t.file], t.begin, t.end, files.rule());
  for (std::string_view text; !(text = source.next(k_stream_bytes)).empty();)
    f({text, &files[t.file], source.before(), t.begin, t.file});
}

}  // namespace files

void fail_at(const text_piece& piece, std::size_t at, std::string_view what) {
  throw error(fmt::format("{}: {}", place_of(piece, at), what));
}

namespace {

void deal_everywhere(per_process<files::text_share> shares, cut_at where) {
  files::divide_files(shares, &files::text_share::files, {where}, false);
  on_all_processes([shares] { shares.here().deal(); });
}

void open_everywhere(per_process<files::text_share> shares, const std::vector<std::string>& paths,
                     cut_at where) {
  files::open_files(shares, &files::text_share::files, paths, files::file_contents::text);
  deal_everywhere(shares, where);
}

}  // namespace

std::string text_input::identity() const {
  std::string all = fmt::format("dealt by bytes, cut {}\n", static_cast<unsigned>(where_));
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
  deal_everywhere(shares_.handle(), where);
}

void opened_text::open(per_process<share> shares) const {
  on_all_processes([shares, of = shares_.handle()] { shares.here().of_ = &of.here(); });
}

}  // namespace gossamer
