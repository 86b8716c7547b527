#include "gossamer/memory/internal/transfer_checks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "gossamer/base/error.hpp"

namespace gossamer::memory {
namespace {

/// Returns the number of elements, or nothing where that is no number.
std::optional<std::uint64_t> size_of(const strided& s) {
  std::uint64_t n;
  if (__builtin_mul_overflow(s.count, s.block, &n)) return std::nullopt;
  return n;
}

/// Returns the elements from the first to the last one, both included; the largest number where there are
/// more.
std::uint64_t extent_of(const strided& s) {
  std::uint64_t n;
  if (s.count == 0 || s.block == 0) return 0;
  if (__builtin_mul_overflow(s.count - 1, s.stride, &n) || __builtin_add_overflow(n, s.block, &n))
    return ~std::uint64_t{0};
  return n;
}

std::string text_of(const strided& s) {
  return s.count == 1 ? fmt::format("{} elements", s.block)
                      : fmt::format("{} blocks of {} elements, {} apart", s.count, s.block, s.stride);
}

void check_side(const char* call, const side& s) {
  if (!s.of_array) {
    if (s.null) message::refuse_null(call);
    if (s.owner >= cores()) message::refuse_core(call, s.owner);
  } else {
    if (s.array == nullptr || s.array->data == nullptr) refuse_array(call, s.array);
    const std::uint64_t extent = extent_of(s.shape), size = s.array->where.size();
    if (extent != 0 && (s.index >= size || extent > size - s.index))
      refuse_index(call, s.array, std::max(size, s.index + std::min(extent - 1, ~s.index)));
  }
  if (s.shape.count > 1 && s.shape.stride < s.shape.block)
    refuse_transfer(call, fmt::format("{}: they overlap", text_of(s.shape)));
}

}  // namespace

bool overlap(blocks a, blocks b) {
  if (a.count == 0 || b.count == 0 || a.block == 0 || b.block == 0) return false;
  if (a.end() <= b.at || b.end() <= a.at) return false;
  while (a.count > 0 && b.count > 0) {
    if (a.at + a.block <= b.at)
      a.at += a.stride, --a.count;
    else if (b.at + b.block <= a.at)
      b.at += b.stride, --b.count;
    else
      return true;
  }
  return false;
}

void refuse_transfer(const char* call, const std::string& why) {
  fatal(fmt::format("{}: {}", call, why).c_str());
}

void check_sides(const char* call, const side& to, const side& from) {
  for (const side* s : {&to, &from}) check_side(call, *s);
  const auto wanted = size_of(to.shape), given = size_of(from.shape);
  if (!wanted || !given || *wanted != *given)
    refuse_transfer(call, fmt::format("{} to a place of {}", text_of(from.shape), text_of(to.shape)));
  if (to.of_array && to.array == from.array) {
    const auto indices = [](const side& s) {
      return blocks{s.index, s.shape.count, s.shape.block, s.shape.stride};
    };
    if (overlap(indices(to), indices(from)))
      refuse_transfer(
          call,
          fmt::format("{} from index {} on overlap {} from index {} on, in an array of {} elements",
                      text_of(from.shape), from.index, text_of(to.shape), to.index, to.array->where.size()));
  }
  if (to.of_array)
    GOSSAMER_DEBUG_ASSERT(to.array->freezes.load(std::memory_order_relaxed) == 0,
                          "a frozen array is written to");
}

}  // namespace gossamer::memory
