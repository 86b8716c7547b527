#pragma once
// The common addresses of several simulated processes: each has memory of its own there, its window, of which
// one at a time lies at those addresses while the others are parked. Moving a window moves page tables, not
// contents: ~10 us, whatever is in it. So it is moved in when an access finds nothing there (the fault
// handler asks bring()), and out when another process goes on: processes that touch nothing there move
// nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::machine {

class windows {
 public:
  /// `count` windows of up to `bytes` each, less where there are not addresses enough. Takes nothing yet.
  windows(unsigned count, std::uint64_t bytes);
  ~windows();
  windows(const windows&) = delete;
  windows& operator=(const windows&) = delete;

  /// Returns the bytes of one window: a power of two of whole huge pages.
  std::uint64_t bytes() const noexcept { return bytes_; }
  /// Makes `w` the window that is brought in from now on; no other one stays there. Aborts where the kernel
  /// refuses.
  void enter(unsigned w) noexcept {
    entered_ = w;
    if (inside_ != k_none && inside_ != w) move_out();
  }
  /// Brings the entered window in after an access to that address has failed. Returns true where the window
  /// is there now: try again.
  bool bring(const void* address) noexcept;
  /// Maps zeroed memory in window `w`. Throws gossamer::error where the kernel refuses, or beyond the
  /// window's end.
  std::byte* map(unsigned w, std::byte* at, std::size_t bytes);
  /// Makes memory of window `w` zeroes again. Returns false where the range is not in it.
  bool unmap(unsigned w, std::byte* at, std::size_t bytes) noexcept;
  /// Counts the times that a window was moved in.
  std::uint64_t moves() const noexcept { return moves_; }

 private:
  static constexpr unsigned k_none = ~0U;
  std::byte* parked(unsigned w) const noexcept;
  void move_in(unsigned w) noexcept;
  void move_out() noexcept;
  void move(std::byte* from, std::byte* to) const noexcept;

  std::uint64_t bytes_;
  std::vector<bool> used_;
  unsigned entered_ = k_none, inside_ = k_none;
  std::uint64_t moves_ = 0;
};

}  // namespace gossamer::machine
