#pragma once
// Sizes and alignments: the cache line, rounding, powers of two, padding.

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gossamer {

/// The unit of sharing between cores, on every processor that Gossamer runs on. A constant rather
/// than std::hardware_destructive_interference_size, which changes with compiler flags and so
/// between a library and its users.
inline constexpr std::size_t k_line_bytes = 64;

template <std::unsigned_integral T>
constexpr bool is_power_of_two(T n) noexcept {
  return std::has_single_bit(n);
}

/// Returns n / unit, rounded up.
template <std::unsigned_integral T>
constexpr T divide_up(T n, std::type_identity_t<T> unit) noexcept {
  return n / unit + (n % unit != 0 ? 1 : 0);
}

/// Returns the smallest multiple of `unit` (any number but 0) that is at least n. Wraps where there is none.
template <std::unsigned_integral T>
constexpr T round_up(T n, std::type_identity_t<T> unit) noexcept {
  return divide_up(n, unit) * unit;
}

template <std::unsigned_integral T>
constexpr T round_down(T n, std::type_identity_t<T> unit) noexcept {
  return n - n % unit;
}

/// Returns the smallest k with 2^k >= n; 0 for n <= 1.
template <std::unsigned_integral T>
constexpr unsigned log2_up(T n) noexcept {
  return n <= 1 ? 0U : static_cast<unsigned>(std::bit_width(static_cast<T>(n - 1)));
}

/// A value alone on its cache lines, so that its writers disturb no other value's.
template <class T>
struct alignas(k_line_bytes) padded {
  T value{};

  padded() = default;
  template <class... Args>
    requires(sizeof...(Args) > 0 && std::is_constructible_v<T, Args...>)
  explicit padded(Args&&... args) : value(std::forward<Args>(args)...) {}

  T& operator*() noexcept { return value; }
  const T& operator*() const noexcept { return value; }
  T* operator->() noexcept { return &value; }
  const T* operator->() const noexcept { return &value; }
};

}  // namespace gossamer
