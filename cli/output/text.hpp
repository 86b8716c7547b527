#pragma once
// Formats text, beyond the numbers of base/units.hpp: aligned tables and colours. Pure functions: nothing
// here prints.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/units.hpp"

#include "gossamer/base/nearest.hpp"

namespace gossamer::cli {

/// Returns the columns that a terminal needs for UTF-8 text, one per code point.
std::size_t display_width(std::string_view utf8);

/// Cuts UTF-8 text between characters, so that it needs at most so many columns.
std::string shortened(std::string utf8, std::size_t columns);

/// Replaces control characters by \xNN, so that a label or a file name cannot break a line or a terminal.
std::string printable(std::string_view raw);

/// Returns the first 200 bytes of a text, printable, and an ellipsis if there are more. For cells of tables.
std::string abridged(std::string_view raw);

/// Wraps text in the escape sequences of terminal colours, if they are on. Pad the text before.
class paint {
 public:
  explicit paint(bool on) : on_(on) {}
  std::string bold(std::string_view s) const { return wrap("\x1b[1m", s); }
  std::string dim(std::string_view s) const { return wrap("\x1b[2m", s); }
  std::string good(std::string_view s) const { return wrap("\x1b[32m", s); }
  std::string bad(std::string_view s) const { return wrap("\x1b[31m", s); }

 private:
  std::string wrap(std::string_view code, std::string_view s) const;
  bool on_;
};

/// Rows of cells. Each column is as wide as its widest cell; two spaces separate columns and indent the rows.
class table {
 public:
  enum class align { left, right };
  struct column {
    std::string title;
    align side = align::right;
  };
  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Returns the lines of the table. Leaves the titles out if all of them are empty.
  std::string text(const paint& p) const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gossamer::cli
