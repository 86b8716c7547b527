#pragma once
// Arrays of 64-bit numbers as calls of Python bring them: read and written where they lie.

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace gossamer::python {

/// The bits of an integer or a real.
using word = std::uint64_t;

template <class T>
using numbers_of = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using integers = numbers_of<const std::int64_t>;
using word_values = numbers_of<const word>;
using word_places = numbers_of<word>;
using flag_places = numbers_of<bool>;

/// Returns the memory of an array.
template <class T>
std::span<T> span_of(const numbers_of<T>& values) {
  return {values.data(), values.size()};
}

/// Throws nanobind's value_error where two lengths differ.
inline void check_lengths(const char* one, std::size_t length, const char* other, std::size_t others) {
  if (length != others)
    throw nanobind::value_error(
        fmt::format("expected as many {} as {}, found {} and {}", other, one, others, length).c_str());
}

}  // namespace gossamer::python
