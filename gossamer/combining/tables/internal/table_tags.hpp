#pragma once
// The metadata of a group of up to 15 entries, in 16 bytes. Byte i is the tag of entry i: 0 if it is free,
// else 8 bits of the hash. The last byte counts the entries that belong here but found no free slot
// ("overflow_count"). A search ends where it is 0, so erasing leaves no tombstones.
//
// Bits of a hash, from the lowest: 0-7 the tag, 8-13 the group within its segment, 14-17 the preferred cache
// line of the entry, 18-45 the directory. 46-63 choose the owner.

#include <array>
#include <bit>
#include <cstdint>

#include "gossamer/combining/tables/internal/tag_bytes.hpp"

namespace gossamer::combining {

inline constexpr unsigned k_group_shift = 8, k_slot_shift = 14, k_directory_shift = 18;
inline constexpr unsigned k_most_group_bits = k_slot_shift - k_group_shift;
inline constexpr unsigned k_most_directory_bits = 28;

constexpr std::uint8_t tag_of(std::uint64_t hash) noexcept {
  const auto low = static_cast<std::uint8_t>(hash);
  return low != 0 ? low : 1;
}

/// Groups of `Slots` entries. A zeroed group is empty.
template <unsigned Slots>
class table_tags {
  static_assert(Slots < k_tag_bytes);

 public:
  void clear() noexcept { bytes_.fill(0); }

  /// Returns the entries with this tag, as bits.
  std::uint32_t match(std::uint8_t tag) const noexcept { return equal_bytes(bytes_.data(), tag) & k_all; }
  std::uint32_t free() const noexcept { return match(0); }
  std::uint32_t used() const noexcept { return free() ^ k_all; }

  void take(unsigned slot, std::uint8_t tag) noexcept { bytes_[slot] = tag; }
  void release(unsigned slot) noexcept { bytes_[slot] = 0; }

  /// Returns how many entries belong to this group or an earlier one and are stored in a later one. 255 means
  /// at least that many.
  std::uint8_t overflow_count() const noexcept { return bytes_[k_overflow_count]; }
  void pass() noexcept {
    bytes_[k_overflow_count] = static_cast<std::uint8_t>(overflow_count() + (overflow_count() < k_many));
  }
  void uncount_overflow() noexcept {
    bytes_[k_overflow_count] = static_cast<std::uint8_t>(overflow_count() - (overflow_count() < k_many));
  }
  void clear_overflow_count() noexcept { bytes_[k_overflow_count] = 0; }

 private:
  static constexpr std::uint32_t k_all = (1U << Slots) - 1;
  static constexpr unsigned k_overflow_count = k_tag_bytes - 1;
  static constexpr std::uint8_t k_many = 255;

  alignas(k_tag_bytes) std::array<std::uint8_t, k_tag_bytes> bytes_;
};

}  // namespace gossamer::combining
