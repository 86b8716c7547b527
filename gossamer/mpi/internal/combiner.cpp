// The operations of reductions, by data type. Each gives the same bits whichever operand comes first: two ranks that combine
// the same two values have the same result, though each has its own value on the other side. Where C leaves a choice, maxima and
// minima are those of IEEE 754-2019: a NaN is passed on, and -0.0 is below 0.0. Every NaN of a result is the same one.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/core.h>

#include "gossamer/mpi/internal/collective.hpp"

namespace gossamer::mpi {
namespace {

/// Bytes of a number that hold its value: the extended format of x86 has ten, and six of padding.
template <class T>
constexpr std::size_t k_value_bytes =
    std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);

/// Applies F to all elements; they may lie at any address. Padding of a result is zero.
template <class T, class F>
void combine_all(const std::byte* from, std::byte* into, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T a, b;
    std::memcpy(&a, from + i * sizeof(T), sizeof(T));
    std::memcpy(&b, into + i * sizeof(T), sizeof(T));
    b = static_cast<T>(F{}(a, b));
    std::memcpy(into + i * sizeof(T), &b, k_value_bytes<T>);
    if constexpr (k_value_bytes<T> < sizeof(T))
      std::memset(into + i * sizeof(T) + k_value_bytes<T>, 0, sizeof(T) - k_value_bytes<T>);
  }
}

// Sums and products of integers wrap, as those of unsigned numbers do.
template <class T>
auto wrapped(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint64_t>(x);
  else
    return x;
}

/// Returns x, or the one NaN: of two NaNs the processor would pass on the first, and its choice of the first is the compiler's.
template <class T>
auto one_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x != x ? std::numeric_limits<T>::quiet_NaN() : x;
  else
    return x;
}

struct maximum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return std::signbit(a) ? b : a;  // only zeros are equal and differ
    }
    return a < b ? b : a;
  }
};
struct minimum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return std::signbit(a) ? a : b;
    }
    return b < a ? b : a;
  }
};

// clang-format off
struct sum { template <class T> auto operator()(T a, T b) const { return one_nan(wrapped(a) + wrapped(b)); } };
struct product { template <class T> auto operator()(T a, T b) const { return one_nan(wrapped(a) * wrapped(b)); } };
struct logical_and { template <class T> bool operator()(T a, T b) const { return (a != T{}) && (b != T{}); } };
struct logical_or { template <class T> bool operator()(T a, T b) const { return (a != T{}) || (b != T{}); } };
struct logical_xor { template <class T> bool operator()(T a, T b) const { return (a != T{}) != (b != T{}); } };
struct bit_and { template <class T> auto operator()(T a, T b) const { return a & b; } };
struct bit_or { template <class T> auto operator()(T a, T b) const { return a | b; } };
struct bit_xor { template <class T> auto operator()(T a, T b) const { return a ^ b; } };
// clang-format on

template <class T>
combiner of_type(std::uintptr_t op) {
  static constexpr combiner k_numbers[] = {&combine_all<T, maximum>, &combine_all<T, minimum>,
                                           &combine_all<T, sum>, &combine_all<T, product>};
  constexpr std::uintptr_t k_first_logical = 5;
  if (op < k_first_logical) return k_numbers[op - 1];
  if constexpr (std::is_integral_v<T>) {
    static constexpr combiner k_bits[] = {&combine_all<T, logical_and>, &combine_all<T, bit_and>,
                                          &combine_all<T, logical_or>,  &combine_all<T, bit_or>,
                                          &combine_all<T, logical_xor>, &combine_all<T, bit_xor>};
    return k_bits[op - k_first_logical];
  } else {
    return nullptr;
  }
}

combiner of_handles(std::uintptr_t op, MPI_Datatype type) {
  if (type == MPI_CHAR || type == MPI_SIGNED_CHAR || type == MPI_INT8_T) return of_type<signed char>(op);
  if (type == MPI_UNSIGNED_CHAR || type == MPI_BYTE || type == MPI_UINT8_T) return of_type<unsigned char>(op);
  if (type == MPI_SHORT || type == MPI_INT16_T) return of_type<std::int16_t>(op);
  if (type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T) return of_type<std::uint16_t>(op);
  if (type == MPI_INT || type == MPI_INT32_T) return of_type<std::int32_t>(op);
  if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return of_type<std::uint32_t>(op);
  if (type == MPI_LONG || type == MPI_LONG_LONG || type == MPI_INT64_T) return of_type<std::int64_t>(op);
  if (type == MPI_UNSIGNED_LONG || type == MPI_UNSIGNED_LONG_LONG || type == MPI_UINT64_T)
    return of_type<std::uint64_t>(op);
  if (type == MPI_FLOAT) return of_type<float>(op);
  if (type == MPI_DOUBLE) return of_type<double>(op);
  if (type == MPI_LONG_DOUBLE) return of_type<long double>(op);
  return nullptr;
}
static_assert(sizeof(long) == sizeof(std::int64_t) && sizeof(short) == sizeof(std::int16_t));

}  // namespace

combiner combiner_of(MPI_Op op, MPI_Datatype type) {
  constexpr std::uintptr_t k_operations = 10;
  const auto number = reinterpret_cast<std::uintptr_t>(op);
  if (number == 0 || number > k_operations)
    throw failure{MPI_ERR_OP, fmt::format("{:#x} is no operation of this subset", number)};
  const combiner found = of_handles(number, type);
  if (found == nullptr) throw failure{MPI_ERR_OP, "the operation is not for this data type"};
  return found;
}

}  // namespace gossamer::mpi
