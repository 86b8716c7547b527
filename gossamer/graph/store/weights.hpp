#pragma once
// The types of arcs' weights, and their storage. A graph has weights of one type or none. They are stored
// beside the targets of its rows, and take no memory if there are none.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"

namespace gossamer::graph {

/// The type of the weights of a graph.
enum class weight_type : std::uint8_t { none, int32, uint32, float32, float64 };

/// Returns the bytes of a weight.
constexpr std::uint64_t weight_bytes(weight_type type) {
  return type == weight_type::none ? 0 : type == weight_type::float64 ? 8 : 4;
}

/// Returns "int32", "float64", ..., or "none".
constexpr const char* name_of(weight_type type) {
  constexpr const char* names[] = {"none", "int32", "uint32", "float32", "float64"};
  return names[static_cast<std::size_t>(type)];
}

/// The weight_type of the C++ type Weight.
template <class Weight>
inline constexpr weight_type weight_type_of = std::is_same_v<Weight, std::int32_t>    ? weight_type::int32
                                              : std::is_same_v<Weight, std::uint32_t> ? weight_type::uint32
                                              : std::is_same_v<Weight, float>         ? weight_type::float32
                                              : std::is_same_v<Weight, double>        ? weight_type::float64
                                                                                      : weight_type::none;

/// Calls f(std::type_identity<Weight>) for a type that is not `none`.
template <class F>
decltype(auto) with_weight_type(weight_type type, F&& f) {
  switch (type) {
    case weight_type::int32:
      return f(std::type_identity<std::int32_t>{});
    case weight_type::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case weight_type::float32:
      return f(std::type_identity<float>{});
    case weight_type::none:
      GOSSAMER_ASSERT(type != weight_type::none);
      break;
    case weight_type::float64:
      break;
  }
  return f(std::type_identity<double>{});
}

/// The rule that combines the weights of parallel edges. `first` and `last` refer to the order of the input. `count` is the number of
/// edges.
enum class duplicate_rule : std::uint8_t { min, max, first, last, sum, count };

/// Returns whether the weight depends on the order of edges. That includes sums, because of rounding.
constexpr bool depends_on_order(duplicate_rule rule) {
  return rule == duplicate_rule::first || rule == duplicate_rule::last || rule == duplicate_rule::sum;
}

/// Returns the combined weight of two edges, given as the bits of their type. `kept` came before `next`.
template <class Bits>
Bits combined_weight(duplicate_rule rule, weight_type type, Bits kept, Bits next) {
  return with_weight_type(type, [rule, kept, next]<class Weight>(std::type_identity<Weight>) {
    if constexpr (sizeof(Weight) == sizeof(Bits)) {
      const Weight a = std::bit_cast<Weight>(kept), b = std::bit_cast<Weight>(next);
      switch (rule) {
        case duplicate_rule::min:
          return b < a ? next : kept;
        case duplicate_rule::max:
          return a < b ? next : kept;
        case duplicate_rule::first:
          return kept;
        case duplicate_rule::last:
          return next;
        case duplicate_rule::sum:
        case duplicate_rule::count:
          break;
      }
      return std::bit_cast<Bits>(static_cast<Weight>(a + b));
    } else {
      return kept;  // no such type
    }
  });
}

}  // namespace gossamer::graph
