#pragma once
// The format of print(): checked while a program is compiled, as fmt does, and also for arguments that no replacement field takes.
// A format of printf() has none: "%f" would be printed as it stands.

#include <fmt/core.h>

#include <concepts>
#include <cstddef>
#include <string_view>

namespace gossamer {

namespace detail {

/// Names the mistake: no constant expression may call it, and the compiler says so.
void print_expects_a_replacement_field_for_each_argument();

/// Returns whether a format takes so many arguments. Fields with a number or a name take any of them: not counted.
constexpr bool takes_arguments(std::string_view format, std::size_t arguments) {
  std::size_t fields = 0;
  for (std::size_t at = 0; at + 1 < format.size(); ++at) {
    if (format[at] != '{') continue;
    const char next = format[at + 1];
    if (next == '{') {  // a brace that is printed
      ++at;
      continue;
    }
    if (next != '}' && next != ':') return true;
    ++fields;
  }
  return fields >= arguments;
}

}  // namespace detail

/// A format for arguments of these types, made of a literal while the program is compiled, or of fmt::runtime().
template <class... Args>
class print_format {
 public:
  /// Takes a literal, and checks it while the program is compiled.
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  consteval print_format(const Text& text)
      : checked_(text) {  // NOLINT(google-explicit-constructor): a literal is one
    if (!detail::takes_arguments(text, sizeof...(Args)))
      detail::print_expects_a_replacement_field_for_each_argument();
  }
  /// Takes a format that is known when the program runs, without checks.
  print_format(decltype(fmt::runtime(std::string_view())) text) : checked_(text) {}

  /// Returns the format for fmt.
  fmt::format_string<Args...> get() const { return checked_; }

 private:
  fmt::format_string<Args...> checked_;
};

}  // namespace gossamer
