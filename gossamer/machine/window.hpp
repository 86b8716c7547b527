#pragma once
// The common addresses of several simulated processes. Each process has its own memory there, its window. One
// window at a time is mapped at those addresses, and the others are kept elsewhere. Moving a window moves
// page tables, not contents. So a window is moved in when an access faults (the fault handler calls bring()),
// and out when another process runs: processes that touch no common memory move nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::machine {

class windows {
 public:
  /// Makes `count` windows of up to `bytes` each; smaller if there are too few addresses. Takes no memory
  /// yet.
  windows(unsigned count, std::uint64_t bytes);
  ~windows();
  windows(const windows&) = delete;
  windows& operator=(const windows&) = delete;

  /// Returns the bytes of one window: a power of two of whole huge pages.
  std::uint64_t bytes() const noexcept { return bytes_; }
  /// Selects window `w`, which bring() maps from now on; no other window stays mapped. Aborts if the kernel
  /// refuses.
  void enter(unsigned w) noexcept {
    entered_ = w;
    if (inside_ != k_none && inside_ != w) move_out();
  }
  /// Maps the selected window after an access to that address has failed. Returns true if the window is
  /// mapped now: repeat the access.
  bool bring(const void* address) noexcept;
  /// Maps zeroed memory in window `w`. Throws gossamer::error if the kernel refuses, or beyond the window's
  /// end.
  std::byte* map(unsigned w, std::byte* at, std::size_t bytes);
  /// Clears memory of window `w`. Returns false if the range is not in it.
  bool unmap(unsigned w, std::byte* at, std::size_t bytes) noexcept;
  /// Returns how often a window was moved in.
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
