#pragma once
// The option --separator, for all commands that read fields.

#include <optional>
#include <string>
#include <string_view>

#include "parse/declaration.hpp"

namespace gossamer::cli {

/// Returns the character of a name: tab (or \t), space, comma, semicolon or bar. Nothing for other texts.
std::optional<char> named_separator(std::string_view text);

/// The separator of fields.
struct field_separator {
  bool given = false;
  bool blanks = false;  // runs of spaces and tabs
  char character = 0;  // 0: blanks, or not given

  /// Declares --separator. `otherwise` describes the default.
  void declare(declaration& d, const std::string& otherwise);
  /// Reads a name, "blanks", or one character that is no quote, line end or zero byte. Throws gossamer::error
  /// for other texts.
  void read(std::string_view option, const std::string& text);
};

}  // namespace gossamer::cli
