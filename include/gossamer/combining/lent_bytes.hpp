#pragma once
// Arguments of any size: their address travels, and who needs them fetches them while their owner waits.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "gossamer/memory/get.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer::combining {

/// Bytes of a core that waits while others fetch them. The address is complemented: it may be one of a stack,
/// which check_captures() would take for a slip.
class lent_bytes {
 public:
  explicit lent_bytes(std::span<const std::byte> bytes)
      : not_there_(~reinterpret_cast<std::uintptr_t>(bytes.data())), size_(bytes.size()), lender_(here()) {}
  std::size_t size() const { return size_; }
  /// A copy; suspends where they are another process's.
  std::unique_ptr<std::byte[]> fetch() const {
    auto copy = std::make_unique<std::byte[]>(size_);
    const auto* const there = reinterpret_cast<const std::byte*>(~not_there_);
    if (size_ == 0) return copy;
    if (message::endpoint::here().is_near(lender_))
      std::memcpy(copy.get(), there, size_);
    else
      message::wait_for_all([&] { memory::get(lender_, there, {copy.get(), size_}); });
    return copy;
  }

 private:
  std::uintptr_t not_there_;
  std::size_t size_;
  core_id lender_;
};

}  // namespace gossamer::combining
