// Divides the input into tasks of processes: chunks of plain files, and streams.
#include "gossamer/files/text_input.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/source.hpp"

namespace gossamer {

namespace files {
namespace {

constexpr std::size_t k_stream_bytes = std::size_t{1} << 20;  // of text at a time

/// Returns the size of a part of a text: whole records.
std::size_t part_of(std::string_view text, const io::record_rule& rule) {
  for (std::size_t bytes = k_stream_bytes; bytes < text.size(); bytes *= 2)
    if (const std::size_t whole = rule.whole(text.substr(0, bytes)); whole != 0) return whole;
  return text.size();
}

/// Calls f(text, begin) for parts of a file that are whole records, until f returns false.
void for_each_part(const io::text_file& file, const io::record_rule& rule,
                   function_ref<bool(std::string_view text, std::uint64_t begin)> f) {
  if (file.is_plain()) {
    const std::string_view all = file.text();
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      end = begin + part_of(all.substr(begin), rule);
      if (!f(all.substr(begin, end - begin), begin)) return;
    }
    return;
  }
  io::record_stream source(file, 0, file.bytes().size(), rule);
  for (std::string_view text; !(text = source.next(k_stream_bytes)).empty();)
    if (!f(text, source.before())) return;
}

}  // namespace

void text_block::deal() {
  // Streams are long, so they come first. They are assigned to processes round-robin; standard input belongs
  // to process 0.
  streams_.clear();
  std::uint64_t turn = 0;
  for (std::uint32_t number = 0; number < files.size(); ++number) {
    const io::text_file& f = files[number];
    if (f.is_plain()) continue;
    // If text is divided at records, the quotes before a position matter: one core reads such a file.
    const bool alone = f.is_standard_input();
    const auto places = f.blocks(files.rule().has_quotes() ? 1 : alone ? cores_per_process() : cores());
    for (std::size_t s = 0; s + 1 < places.size(); ++s)
      if (alone || turn++ % processes() == process()) streams_.push_back({number, places[s], places[s + 1]});
  }
}

void text_block::run(std::uint64_t task, function_ref<void(const text_chunk&)> f) const {
  if (task >= streams_.size()) {
    const file_chunk& chunk = files.chunks()[task - streams_.size()];
    const io::text_file& file = files[chunk.file];
    const std::string_view text = files.records_of(chunk);
    if (text.empty()) return;
    file.populate(text);
    f({text, &file, static_cast<std::uint64_t>(text.data() - file.text().data()), 0, chunk.file});
    file.discard(text);
    return;
  }
  // A block of a compressed file begins with its first whole line, so words are whole as well.
  const file_chunk& t = streams_[task];
  io::record_stream source(files[t.file], t.begin, t.end, files.rule());
  for (std::string_view text; !(text = source.next(k_stream_bytes)).empty();)
    f({text, &files[t.file], source.before(), t.begin, t.file});
}

}  // namespace files

void fail_at(const text_chunk& chunk, std::size_t at, std::string_view what) {
  throw error(fmt::format("{}: {}", place_of(chunk, at), what));
}

namespace {

void deal_everywhere(per_process<files::text_block> blocks, cut_at where) {
  files::divide_files(blocks, &files::text_block::files, {where}, false);
  on_all_processes([blocks] { blocks.here().deal(); });
}

void open_everywhere(per_process<files::text_block> blocks, const std::vector<std::string>& paths,
                     cut_at where) {
  files::open_files(blocks, &files::text_block::files, paths, files::file_contents::text);
  deal_everywhere(blocks, where);
}

}  // namespace

std::string text_input::identity() const {
  std::string all = fmt::format("dealt by bytes, cut {}\n", static_cast<unsigned>(where_));
  for (const std::string& path : paths_) {
    std::error_code failure;
    if (io::is_read_once(path))
      throw error(
          fmt::format("work on {} cannot be continued: give a file", path == "-" ? "standard input" : path));
    const auto changed = std::filesystem::last_write_time(path, failure);
    if (failure) throw error(fmt::format("cannot read {}: {}", path, failure.message()));
    all += fmt::format("{} bytes, changed {}: {}\n", machine::file_bytes(path),
                       changed.time_since_epoch().count(), path);
  }
  return all;
}

void text_input::open(per_process<block> blocks) const { open_everywhere(blocks, paths_, where_); }

opened_text::opened_text(const std::vector<std::string>& paths, cut_at where) : paths_(paths), where_(where) {
  open_everywhere(blocks_.handle(), paths, where);
}

void opened_text::cut(cut_at where) {
  where_ = where;
  deal_everywhere(blocks_.handle(), where);
}

void opened_text::open(per_process<block> blocks) const {
  on_all_processes([blocks, of = blocks_.handle()] { blocks.here().of_ = &of.here(); });
}

opened_text::beginning opened_text::head(std::size_t bytes, bool quotes) const {
  const files::input_files& all = blocks_.here().files;
  beginning single = {paths_.front(), {}};
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::string head = all[i].beginning(bytes);
    const std::size_t first = io::records_begin(head), second = io::second_record(head, quotes);
    if (head.size() == bytes || second < head.size()) return {paths_[i], std::move(head)};
    if (single.text.empty() && first < head.size()) single = {paths_[i], std::move(head)};
  }
  return single;
}

void opened_text::read(bool quotes, function_ref<bool(const text_chunk&)> f) const {
  const files::input_files& all = blocks_.here().files;
  const io::record_rule rule{quotes ? cut_at::records : cut_at::lines};
  bool goes_on = true;
  for (std::uint32_t i = 0; i < all.size() && goes_on; ++i)
    files::for_each_part(all[i], rule, [&](std::string_view text, std::uint64_t begin) {
      return goes_on = f({text, &all[i], begin, 0, i});
    });
}

}  // namespace gossamer
