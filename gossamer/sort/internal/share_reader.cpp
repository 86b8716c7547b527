#include "gossamer/sort/internal/share_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "gossamer/io/delimited_cuts.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::sorting {

namespace {

constexpr std::size_t k_block_text_bytes = std::size_t{4} << 20;  // of decompressed text

}  // namespace

void share_reader::take(line_files& files, const line_rule& rule, const std::string& header,
                        line_texts& texts) {
  const bool quotes = rule.has_quotes();
  std::vector<std::string_view> plain(files.size());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const line_file& f = files[i];
    if (f.is_plain()) {
      plain[i] = files.lines_here(i, rule, header);
    } else if (files.is_here(i)) {
      const auto cuts = quotes || header.size() > 0
                            ? std::vector<std::uint64_t>()
                            : io::compressed_shares(f.how, f.mapped.bytes(), local::cores());
      if (cuts.empty()) streams_.push_back({i, 0, f.mapped.bytes().size(), 0});
      for (std::size_t s = 0; s + 1 < cuts.size(); ++s) streams_.push_back({i, cuts[s], cuts[s + 1], 0});
    }
  }
  read_streams(files, quotes);
  auto next = streams_.begin();
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    texts.add(plain[i], i);
    for (; next != streams_.end() && next->file == i; ++next)
      for (std::size_t b = 0; b < next->texts.size(); ++b)
        texts.add(b == 0 && next->begin == 0 ? files.without_header(files[i], next->texts[b], rule, header)
                                             : next->texts[b],
                  i);
  }
}

void share_reader::take_numbers(line_files& files, std::size_t number_bytes, line_texts& texts) {
  std::vector<std::string_view> plain(files.size());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const line_file& f = files[i];
    if (f.is_plain())
      plain[i] = files.numbers_here(i, number_bytes);
    else if (files.is_here(i))
      streams_.push_back({i, 0, f.mapped.bytes().size(), number_bytes});
  }
  read_streams(files, false);
  auto next = streams_.begin();
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    texts.add(plain[i], i);
    for (; next != streams_.end() && next->file == i; ++next)
      for (const std::string_view text : next->texts) {
        line_files::check_numbers(files[i], text.size(), number_bytes);
        texts.add(text, i);
      }
  }
}

void share_reader::read_streams(const line_files& files, bool quotes) {
  local::forall_chunks(0, streams_.size(), 1, [this, quotes, &files](std::uint64_t s, std::uint64_t last) {
    for (; s < last; ++s) read(files[streams_[s].file], streams_[s], quotes);
  });
}

/// Decompresses to blocks of whole records, or whole numbers.
void share_reader::read(const line_file& f, stream& from, bool quotes) {
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

}  // namespace gossamer::sorting
