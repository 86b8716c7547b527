#pragma once
// Encodes numbers as unsigned keys of the same size whose ascending order is the requested order: integers
// and floating-point numbers of 32 and 64 bits under std::less and std::greater. The code is a bijection, so
// decoding restores every bit. So one fast sort and one fast merge of unsigned keys serve all of them.
//
// NaN is not ordered by < and >. Here it comes after all numbers, in either direction. -0.0 comes before 0.0
// in ascending order.

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace gossamer::sorting {

template <class T, class Less>
inline constexpr bool k_ascending = std::is_same_v<Less, std::less<>> || std::is_same_v<Less, std::less<T>> ||
                                    std::is_same_v<Less, std::ranges::less>;
template <class T, class Less>
inline constexpr bool k_descending =
    std::is_same_v<Less, std::greater<>> || std::is_same_v<Less, std::greater<T>> ||
    std::is_same_v<Less, std::ranges::greater>;
template <class T, class Less>
inline constexpr bool k_usual_order = k_ascending<T, Less> || k_descending<T, Less>;

template <class T>
inline constexpr bool k_ieee = std::floating_point<T> && std::numeric_limits<T>::is_iec559;

/// Whether keys replace the elements while they are sorted. Floating-point numbers that compare equal may differ
/// in their bits (zeros, NaN), and a stable sort must leave those as they are.
template <class T, class Less, bool Stable>
inline constexpr bool k_has_keys = k_usual_order<T, Less> && (sizeof(T) == 4 || sizeof(T) == 8) &&
                                   (std::integral<T> || (k_ieee<T> && !Stable));

/// The code of T under std::less or std::greater.
template <class T, bool Descending>
struct ordered_key {
  using key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(T) == sizeof(key));

  static constexpr key encode(T value) {
    const key k = ascending(std::bit_cast<key>(value));
    return (Descending ? static_cast<key>(~k) : k) - k_shift;
  }
  static constexpr T decode(key code) {
    const key k = code + k_shift;
    return std::bit_cast<T>(original(Descending ? static_cast<key>(~k) : k));
  }

 private:
  static constexpr key k_sign = key{1} << (8 * sizeof(key) - 1);

  /// Returns the number of NaNs that a code without shift would put before all numbers: those with a sign;
  /// descending, all without. The subtraction moves them after the numbers.
  static constexpr key nan_codes() {
    if constexpr (k_ieee<T>)
      return (key{1} << (std::numeric_limits<T>::digits - 1)) - 1;
    else
      return 0;
  }
  static constexpr key k_shift = nan_codes();

  static constexpr key ascending(key bits) {
    if constexpr (k_ieee<T>)
      return (bits & k_sign) != 0 ? static_cast<key>(~bits) : bits ^ k_sign;
    else if constexpr (std::signed_integral<T>)
      return bits ^ k_sign;
    else
      return bits;
  }
  static constexpr key original(key k) {
    if constexpr (k_ieee<T>)
      return (k & k_sign) != 0 ? k ^ k_sign : static_cast<key>(~k);
    else
      return ascending(k);
  }
};

/// The order of floating-point numbers that are sorted unencoded: `Less`, then NaN.
template <class Less>
struct nan_last {
  Less less;
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return less(a, b) || (std::isnan(b) && !std::isnan(a));
  }
};

}  // namespace gossamer::sorting
