#include "gossamer/base/short_name.hpp"

namespace gossamer {

void short_name::add(std::string_view text) {
  for (const char c : text) {
    if (size == k_most) {
      for (std::size_t i = k_most - 3; i < k_most; ++i) chars[i] = '.';
      return;
    }
    chars[size++] = c;
  }
}

void short_name::cut(std::size_t length) {
  while (size > length) chars[--size] = 0;
}

namespace {

/// Returns the bytes of the bracket that `text` begins with, up to and with its partner. Returns all bytes
/// where it has none.
std::size_t bracket_bytes(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    const bool arrow = c == '>' && i > 0 && text[i - 1] == '-';
    if ((c == '>' && !arrow) || c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

/// Returns whether `text` begins with the name of a lambda. gcc writes "<lambda(int)>", clang "(lambda at
/// a.cpp:1:2)", and demangled symbols have "{lambda(int)#1}".
bool starts_with_lambda(std::string_view text) {
  return !text.empty() && text.substr(1).starts_with("lambda") &&
         (text[0] == '<' || text[0] == '(' || text[0] == '{');
}

/// Returns the first of the template arguments `list` that holds a lambda; empty where none does.
std::string_view lambda_argument(std::string_view list) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size();) {
    if (i < list.size() && list[i] != ',') {
      const char c = list[i];
      const bool opens = c == '<' || c == '(' || c == '[' || c == '{';
      i += opens ? bracket_bytes(list.substr(i)) : 1;
      continue;
    }
    std::string_view one = list.substr(begin, i - begin);
    while (one.starts_with(' ')) one.remove_prefix(1);
    for (std::size_t k = 0; k < one.size(); ++k)
      if (starts_with_lambda(one.substr(k))) return one;
    begin = ++i;
  }
  return {};
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Adds "lambda" to `out`, with its place where clang tells it: "lambda at a.cpp:1".
void add_lambda(std::string_view text, short_name& out) {
  out.add("lambda");
  if (!text.starts_with("lambda at ")) return;
  text.remove_prefix(std::string_view("lambda").size());
  text = text.substr(0, text.rfind(':'));  // without the column
  const std::size_t folder = text.rfind('/');
  out.add(" at ");
  out.add(text.substr(folder != std::string_view::npos ? folder + 1 : std::string_view(" at ").size()));
}

void shorten(std::string_view text, short_name& out) {
  const std::size_t start = out.size;
  constexpr std::string_view k_anonymous[] = {"{anonymous}::", "(anonymous namespace)::"};
  constexpr std::string_view k_call = "operator()";
  char before = ' ';
  while (!text.empty()) {
    const char c = text[0];
    std::size_t taken = 1;
    if (text.starts_with(k_anonymous[0]) || text.starts_with(k_anonymous[1])) {
      taken = k_anonymous[text.starts_with(k_anonymous[1])].size();
    } else if (starts_with_lambda(text)) {
      taken = bracket_bytes(text);
      add_lambda(text.substr(1, taken - 2), out);
    } else if (!is_word(before) && text.starts_with(k_call)) {
      out.add(k_call);
      taken = k_call.size();
    } else if (c == '<') {
      taken = bracket_bytes(text);
      const std::string_view inner = lambda_argument(text.substr(1, taken - 2));
      if (!inner.empty()) {
        out.add("(");
        shorten(inner, out);
        out.add(")");
        // The function's own lambda, which wraps the one that it was given, says no more.
        std::size_t end = taken;
        if (text.substr(end).starts_with('(')) end += bracket_bytes(text.substr(end));
        while (end < text.size() && (text[end] == ' ' || is_word(text[end]))) ++end;
        if (text.substr(end).starts_with("::") && starts_with_lambda(text.substr(end + 2)))
          taken = end + 2 + bracket_bytes(text.substr(end + 2));
      }
    } else if (c == '(' || c == '[') {  // parameters, and what follows them: "const", "[with F = int]"
      taken = bracket_bytes(text);
      while (taken < text.size() && !text.substr(taken).starts_with("::")) ++taken;
    } else if (c == ' ') {  // before the end of a list, or after a function's result, which goes
      if (text.size() > 1 && (is_word(text[1]) || text[1] == '(' || text[1] == '{')) out.cut(start);
    } else {
      out.add(text.substr(0, 1));
    }
    before = text[taken - 1];
    text.remove_prefix(taken);
  }
}

}  // namespace

short_name shown(const char* name) {
  short_name out;
  std::string_view text = name != nullptr ? name : "unnamed";
  constexpr std::string_view k_function = "raw_name", k_before = "F = ";
  const std::size_t begin = text.find(k_before);
  if (text.find(k_function) > begin || begin == std::string_view::npos) {
    out.add(text);
    return out;
  }
  text.remove_prefix(begin + k_before.size());
  text.remove_suffix(1);  // the bracket
  shorten(text, out);
  if (out.size == 0) out.add(text);  // a pointer to a function
  return out;
}

short_name shortened(std::string_view name) {
  short_name out;
  shorten(name, out);
  return out;
}

}  // namespace gossamer
