#pragma once
// The long texts of one container, in sequence, in chunks that never move.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer::mapreduce {

class text_arena {
 public:
  /// Copies a text and returns the copy, which lives as long as the arena. Throws gossamer::error if memory
  /// does not suffice.
  std::string_view keep(std::string_view text) {
    if (text.size() > left_) grow(text.size());
    char* const at = next_;
    std::memcpy(at, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    used_ += text.size();
    return {at, text.size()};
  }

  /// Returns the bytes of all texts.
  std::size_t used() const { return used_; }
  /// Returns the bytes of memory allocated.
  std::size_t bytes() const { return taken_; }

 private:
  static constexpr std::size_t k_least_chunk = 1 << 10, k_most_chunk = 64 << 10;

  void grow(std::size_t need) {
    const std::size_t chunk = std::clamp(taken_, k_least_chunk, k_most_chunk);
    const std::size_t size = need > chunk / 4 ? need + chunk : chunk;
    machine::require_chunk(size, "long keys");
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = chunks_.back().get();
    left_ = size;
    taken_ += size;
  }

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  std::size_t left_ = 0, used_ = 0, taken_ = 0;
};

}  // namespace gossamer::mapreduce
