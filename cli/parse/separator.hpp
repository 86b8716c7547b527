#pragma once
// The option --separator: one rule of spelling for all commands that read fields.

#include <optional>
#include <string>
#include <string_view>

#include "parse/declaration.hpp"

namespace gossamer::cli {

/// Returns the character that a name stands for: tab (or \t), space, comma, semicolon or bar. None for other texts.
std::optional<char> named_separator(std::string_view text);

/// What separates fields.
struct field_separator {
  bool given = false;
  bool blanks = false;  // runs of spaces and tabs
  char character = 0;  // 0: blanks, or not given

  /// Declares --separator. `otherwise` says what holds without it.
  void declare(declaration& d, const std::string& otherwise);
  /// Takes a name, "blanks", or any one character but a quote, a line end and zero. Throws gossamer::error for others.
  void read(std::string_view option, const std::string& text);
};

}  // namespace gossamer::cli
