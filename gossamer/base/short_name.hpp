#pragma once
// Names of types for reports. What a reader looks for stays: functions, and the lambda that was passed to them.
// Other template arguments, parameters and anonymous namespaces go:
//
//   forall<std::vector<int>, main()::<lambda(int)> >(std::vector<int>&, main()::<lambda(int)>)::<lambda()>
//   forall(main::lambda)
//
// The compiler only writes a literal for each type; it is shortened when it is printed, without taking memory:
// a signal handler may do so.

#include <array>
#include <cstddef>
#include <string_view>

namespace gossamer {

/// A text of at most 100 characters, zero-terminated; longer ones end in "...".
struct short_name {
  static constexpr std::size_t k_most = 100;

  void add(std::string_view text);
  void cut(std::size_t length);
  std::string_view view() const { return {chars.data(), size}; }

  std::array<char, k_most + 1> chars = {};
  std::size_t size = 0;
};

namespace detail {
template <class F>
constexpr const char* raw_name() {
  return __PRETTY_FUNCTION__;
}
}  // namespace detail

/// Returns the name of F as the compiler writes it, for shown(). The text is zero-terminated and lives for
/// ever.
template <class F>
constexpr const char* name_of() {
  return detail::raw_name<F>();
}

/// Returns a name as reports print it. Shortens a name of name_of(), keeps any other text, and returns
/// "unnamed" for null.
short_name shown(const char* name);

/// Shortens a name that a demangler has written, as shown() does those of name_of().
short_name shortened(std::string_view name);

}  // namespace gossamer
