#include "parse/separator.hpp"

#include "parse/values.hpp"

namespace gossamer::cli {

std::optional<char> named_separator(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "bar") return '|';
  return std::nullopt;
}

void field_separator::declare(declaration& d, const std::string& otherwise) {
  d.value("--separator", "C",
          "between fields: a character, or tab, space, comma, semicolon, bar or blanks (default: " +
              otherwise + ")",
          [this](const auto& option, const auto& text) { read(option, text); });
}

void field_separator::read(std::string_view option, const std::string& text) {
  constexpr std::string_view k_none("\"\n\r\0", 4);
  given = true;
  blanks = text == "blanks";
  character = 0;
  if (blanks) return;
  if (const auto named = named_separator(text))
    character = *named;
  else if (text.size() == 1 && k_none.find(text[0]) == k_none.npos)
    character = text[0];
  else
    refuse(option, "one character, or tab, space, comma, semicolon, bar or blanks", text);
}

}  // namespace gossamer::cli
