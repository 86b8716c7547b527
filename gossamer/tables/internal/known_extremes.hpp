#pragma once
// Caches the least and the largest text that a core has found for some groups, so that most fields need not
// be emitted.

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "gossamer/base/hash.hpp"

namespace gossamer::tables {

/// A cache of bounded size, which may evict groups.
class known_extremes {
 public:
  /// Returns whether a text may be the least or the largest of its group, and stores it.
  bool widens(std::string_view group, std::string_view text) {
    if (!slots_) slots_ = std::make_unique<std::array<slot, k_slots>>();
    slot& s = (*slots_)[hash_bytes(group.data(), group.size()) % k_slots];
    if (s.group == group && !s.least.empty()) {
      std::string* const end = text < s.least ? &s.least : text > s.largest ? &s.largest : nullptr;
      if (end == nullptr) return false;
      bytes_ += text.size() - end->size();
      end->assign(text);
      if (bytes_ > k_most_bytes) forget(s);
      return true;
    }
    forget(s);
    const std::size_t more = group.size() + 2 * text.size();
    if (bytes_ + more > k_most_bytes) return true;
    bytes_ += more;
    s = {std::string(group), std::string(text), std::string(text)};
    return true;
  }

 private:
  static constexpr std::size_t k_slots = 1 << 13, k_most_bytes = std::size_t{2} << 20;
  struct slot {
    std::string group, least, largest;
  };

  void forget(slot& s) {
    bytes_ -= s.group.size() + s.least.size() + s.largest.size();
    s = {};
  }

  std::unique_ptr<std::array<slot, k_slots>> slots_;
  std::size_t bytes_ = 0;
};

}  // namespace gossamer::tables
