#pragma once
// The weights of a chunk of text, as one core reads them: 32-bit integers if all are, otherwise double.

#include <cstdint>
#include <string_view>
#include <vector>

namespace gossamer::graph {

/// Weights in the order of their edges.
class weight_chunk {
 public:
  /// Starts a chunk. `reals`: a header declares that no weight is an integer.
  void start(bool reals) {
    integers_.clear();
    reals_.clear();
    is_real_ = reals;
    has_negative_ = has_large_ = false;
  }
  /// Adds a weight, a text accepted by is_number(). An edge without a weight has weight 1.
  void add(std::string_view text);
  /// Adds an integer below 2^31.
  void add_small(std::uint32_t value) {
    if (is_real_)
      reals_.push_back(value);
    else
      integers_.push_back(value);
  }

  std::uint64_t size() const { return is_real_ ? reals_.size() : integers_.size(); }
  bool is_real() const { return is_real_; }
  bool has_negative() const { return has_negative_; }
  /// Returns whether a weight needs an unsigned integer. Never with has_negative().
  bool has_large() const { return has_large_; }

  /// Writes all weights as numbers of a type that can represent them.
  template <class Weight>
  void write(Weight* to) const {
    if (is_real_) {
      for (const double x : reals_) *to++ = static_cast<Weight>(x);
    } else if (has_large_) {
      for (const std::uint32_t x : integers_) *to++ = static_cast<Weight>(x);
    } else {
      for (const std::uint32_t x : integers_) *to++ = static_cast<Weight>(static_cast<std::int32_t>(x));
    }
  }

 private:
  bool add_integer(std::string_view text);
  void convert_to_real();

  bool is_real_ = false, has_negative_ = false, has_large_ = false;
  std::vector<std::uint32_t> integers_;  // the low bits
  std::vector<double> reals_;
};

}  // namespace gossamer::graph
