#include "output/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gossamer::cli {

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string shortened(std::string utf8, std::size_t columns) {
  while (display_width(utf8) > columns) {
    while ((static_cast<unsigned char>(utf8.back()) & 0xc0) == 0x80) utf8.pop_back();
    utf8.pop_back();
  }
  return utf8;
}

std::string printable(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string abridged(std::string_view raw) {
  constexpr std::size_t k_most = 200;
  if (raw.size() <= k_most) return printable(raw);
  std::size_t end = k_most;
  while (end > 0 && (static_cast<unsigned char>(raw[end]) & 0xc0) == 0x80)
    --end;  // do not cut inside a character
  return printable(raw.substr(0, end)) + " …";
}

std::string paint::wrap(std::string_view code, std::string_view s) const {
  return on_ ? fmt::format("{}{}\x1b[0m", code, s) : std::string(s);
}

void table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string pad(widths[c] - display_width(cells[c]), ' ');
    out += "  ";
    out += columns_[c].side == align::right ? pad + cells[c] : cells[c] + pad;
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string table::text(const paint& p) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  bool titled = false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back(columns_[c].title);
    titled = titled || !columns_[c].title.empty();
    std::size_t width = display_width(columns_[c].title);
    for (const auto& cells : rows_) width = std::max(width, display_width(cells[c]));
    widths.push_back(width);
  }
  std::string out;
  if (titled) out += p.dim(line(titles, widths)) + "\n";
  for (const auto& cells : rows_) out += line(cells, widths) + "\n";
  return out;
}

}  // namespace gossamer::cli
