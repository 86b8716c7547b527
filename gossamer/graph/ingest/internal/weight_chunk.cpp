#include "gossamer/graph/ingest/internal/weight_chunk.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

namespace gossamer::graph {
namespace {

/// Returns the nearest double, including infinity or 0.
double real_of(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{}) return value;
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace

void weight_chunk::add(std::string_view text) {
  if (text.empty()) text = "1";
  if (!is_real_ && add_integer(text)) return;
  if (!is_real_) convert_to_real();
  reals_.push_back(real_of(text));
}

bool weight_chunk::add_integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || stop != end || (value == 0 && text[0] == '-')) return false;
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::uint32_t>::max())
    return false;
  const bool negative = value<0, large = value> std::numeric_limits<std::int32_t>::max();
  if ((negative && has_large_) || (large && has_negative_)) return false;
  has_negative_ = has_negative_ || negative;
  has_large_ = has_large_ || large;
  integers_.push_back(static_cast<std::uint32_t>(value));
  return true;
}

void weight_chunk::convert_to_real() {
  reals_.resize(integers_.size());
  write(reals_.data());
  is_real_ = true;
  integers_ = {};
  has_negative_ = has_large_ = false;
}

}  // namespace gossamer::graph
