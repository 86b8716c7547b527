#pragma once
// Vectors as NumPy arrays, without a copy: the array keeps the vector. Only ids that do not fit a signed number of their size are
// copied.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/graph/build/from_edges.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::python {

template <class T>
using array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

/// Returns the vector's elements as an array of T, of the same size.
template <class T, class U>
nanobind::object array_of(std::vector<U> values) {
  static_assert(sizeof(T) == sizeof(U));
  if (values.capacity() == 0) values.reserve(1);  // an address, also of nothing
  auto* const kept = new std::vector<U>(std::move(values));
  const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<U>*>(p); });
  return nanobind::cast(array<T>(reinterpret_cast<T*>(kept->data()), {kept->size()}, owner));
}

/// Returns vertices, levels or parents as signed integers; k_no_vertex is -1. Copies only where there are more than 2^31 vertices
/// of 32 bits.
inline nanobind::object signed_array_of(std::vector<graph::vertex_id> values) {
  using narrow = std::make_signed_t<graph::vertex_id>;
  if (values.size() <= static_cast<std::uint64_t>(std::numeric_limits<narrow>::max()))
    return array_of<narrow>(std::move(values));
  std::vector<std::int64_t> wide(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    wide[i] = values[i] == graph::k_no_vertex ? -1 : static_cast<std::int64_t>(values[i]);
  return array_of<std::int64_t>(std::move(wide));
}

/// Returns memory that `owner` keeps as an array.
template <class T>
nanobind::object view_of(const T* data, std::uint64_t size, nanobind::handle owner) {
  static constexpr T k_nothing{};
  return nanobind::cast(array<const T>(data != nullptr ? data : &k_nothing, {size}, owner));
}

/// Any array of one dimension that lies in memory.
using any_column = nanobind::ndarray<nanobind::ro, nanobind::ndim<1>, nanobind::device::cpu>;

/// Returns where the ids of an array lie. Throws nanobind's type_error for what is neither 32 nor 64 bits of integer.
graph::id_column column_of(const any_column& ids, const char* name);

}  // namespace gossamer::python
