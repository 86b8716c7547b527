// The operations of reductions: what they answer, and that they answer the same bits where operands change places.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "gossamer/mpi/internal/collective.hpp"

namespace gossamer::mpi {
namespace {

constexpr std::size_t k_room = 16;
using bytes_of_one = std::array<std::byte, k_room>;

template <class T>
bytes_of_one as_bytes_of_one(T x, int padding) {
  bytes_of_one bytes;
  bytes.fill(static_cast<std::byte>(padding));
  constexpr std::size_t k_used =
      std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);
  std::memcpy(bytes.data(), &x, k_used);
  return bytes;
}

/// Returns the bytes of a op b.
template <class T>
bytes_of_one combined(combiner with, T a, T b, int padding) {
  const bytes_of_one from = as_bytes_of_one(a, padding);
  bytes_of_one into = as_bytes_of_one(b, ~padding);
  with(from.data(), into.data(), 1);
  for (std::size_t i = sizeof(T); i < k_room; ++i) into[i] = std::byte{0};
  return into;
}

template <class T>
T value(MPI_Op op, MPI_Datatype type, T a, T b) {
  const bytes_of_one bytes = combined(combiner_of(op, type), a, b, 0);
  T x;
  std::memcpy(&x, bytes.data(), sizeof x);
  return x;
}

template <class T>
std::vector<T> numbers_of_every_kind() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    return {T(0),
            -T(0),
            T(1),
            -T(1),
            T(0.1L),
            limits::max(),
            limits::lowest(),
            limits::denorm_min(),
            limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN(),
            -limits::quiet_NaN(),
            static_cast<T>(std::nan("5")),
            static_cast<T>(-std::nan("77")),
            limits::signaling_NaN()};
  } else {
    return {T(0), T(1), T(-1), T(2), T(37), limits::max(), limits::min(), static_cast<T>(limits::max() / 3)};
  }
}

template <class T>
void commutes(MPI_Datatype type, std::uintptr_t operations) {
  for (std::uintptr_t op = 1; op <= operations; ++op)
    for (const T a : numbers_of_every_kind<T>())
      for (const T b : numbers_of_every_kind<T>()) {
        const combiner with = combiner_of(reinterpret_cast<MPI_Op>(op), type);
        ASSERT_EQ(combined(with, a, b, 0), combined(with, b, a, 0xff))
            << "operation " << op << " of type " << reinterpret_cast<std::uintptr_t>(type) << ": " << +a
            << " and " << +b;
      }
}

TEST(Combiner, GivesTheSameBitsWhereOperandsChangePlaces) {
  commutes<float>(MPI_FLOAT, 4);
  commutes<double>(MPI_DOUBLE, 4);
  commutes<long double>(MPI_LONG_DOUBLE, 4);
  commutes<signed char>(MPI_CHAR, 10);
  commutes<unsigned char>(MPI_BYTE, 10);
  commutes<std::int16_t>(MPI_SHORT, 10);
  commutes<std::uint16_t>(MPI_UNSIGNED_SHORT, 10);
  commutes<std::int32_t>(MPI_INT, 10);
  commutes<std::uint32_t>(MPI_UNSIGNED, 10);
  commutes<std::int64_t>(MPI_LONG, 10);
  commutes<std::uint64_t>(MPI_UNSIGNED_LONG, 10);
}

/// The same for arrays: the loop over many numbers may be other instructions than that over one.
template <class T>
void arrays_commute(MPI_Datatype type) {
  const std::vector<T> all = numbers_of_every_kind<T>();
  std::vector<T> left, right;
  for (const T a : all)
    for (const T b : all) left.push_back(a), right.push_back(b);
  for (std::uintptr_t op = 1; op <= 4; ++op) {
    const auto apply = [&](const std::vector<T>& from, std::vector<T> into) {
      combiner_of(reinterpret_cast<MPI_Op>(op), type)(
          std::as_bytes(std::span(from)).data(), std::as_writable_bytes(std::span(into)).data(), into.size());
      return into;
    };
    const std::vector<T> one = apply(left, right), other = apply(right, left);
    ASSERT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(T)), 0) << "operation " << op;
  }
}

TEST(Combiner, GivesTheSameBitsOfArraysWhereOperandsChangePlaces) {
  arrays_commute<float>(MPI_FLOAT);
  arrays_commute<double>(MPI_DOUBLE);
}

TEST(Combiner, PassesANanOnAndTellsZerosApart) {
  const double nan = std::nan("1");
  for (const MPI_Op op : {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD}) {
    EXPECT_TRUE(std::isnan(value(op, MPI_DOUBLE, nan, 1.0)));
    EXPECT_TRUE(std::isnan(value(op, MPI_DOUBLE, 1.0, nan)));
  }
  EXPECT_FALSE(std::signbit(value(MPI_MAX, MPI_DOUBLE, -0.0, 0.0)));
  EXPECT_TRUE(std::signbit(value(MPI_MIN, MPI_DOUBLE, 0.0, -0.0)));
  EXPECT_EQ(value(MPI_MAX, MPI_DOUBLE, -3.0, 2.0), 2.0);
  EXPECT_EQ(value(MPI_MIN, MPI_DOUBLE, -3.0, 2.0), -3.0);
  EXPECT_EQ(value(MPI_SUM, MPI_LONG_DOUBLE, 2.5L, 4.0L), 6.5L);
  EXPECT_EQ(value(MPI_PROD, MPI_FLOAT, 2.5F, 4.0F), 10.0F);
}

}  // namespace
}  // namespace gossamer::mpi
