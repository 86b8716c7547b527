#pragma once
// The connections of a node's processes to its watch. A process sends its rank, then a word when it is about
// to end and has reported why. At its end the connection closes, a moment before the launcher can detect the
// death. The kernel closes the launcher's connection to the process in the same loop, in the order of
// descriptors. Of a process's two links, one has a lower and one a higher descriptor than that connection.
//
// Only processes of this user may have links, two each, and report only about themselves: the kernel
// identifies them. One thread, in the fork of a process that may have threads: no allocation, no locks, no
// exceptions.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "gossamer/machine/internal/event_set.hpp"
#include "gossamer/machine/internal/process_table.hpp"

namespace gossamer::machine {

class watch_links {
 public:
  static constexpr std::size_t k_most = 2 * k_most_watched;
  static constexpr std::uint32_t k_unknown = ~0u;  // a rank that was not received yet

  /// What a process has reported by one of its links.
  struct news {
    std::uint32_t rank = k_unknown;
    int pid = 0;
    bool leaves = false;
    bool closed = false;
  };

  /// Links have the events from `first_event` on. Accepts connections from `listener`; below 0: none.
  watch_links(const event_set& events, std::uint32_t first_event) : events_(events), first_(first_event) {}
  ~watch_links();
  watch_links(const watch_links&) = delete;
  watch_links& operator=(const watch_links&) = delete;
  void listen(int listener, int most_descriptors) noexcept;

  /// Accepts the waiting connections. Later ones, however many, wait for the next call.
  void take() noexcept;
  std::uint32_t count() const noexcept { return used_; }

  /// Reads a link. Returns everything that it has reported so far; nothing if it had closed before.
  std::optional<news> read(std::uint32_t l) noexcept;
  /// Returns what a link has reported so far, whether it has closed or not.
  news told(std::uint32_t l) const noexcept { return links_[l].told; }

  /// Returns how many links have closed, and which was the `n`th.
  std::uint32_t closed() const noexcept { return closed_; }
  news told_by_closed(std::uint32_t n) const noexcept { return links_[closings_[n]].told; }

 private:
  struct link {
    int descriptor = -1;
    news told;
  };

  bool may_have_more(int pid) const noexcept;

  const event_set& events_;
  const std::uint32_t first_;
  int listener_ = -1;
  int most_descriptors_ = 0;
  std::uint32_t used_ = 0, closed_ = 0;
  std::array<link, k_most> links_;
  std::array<std::uint32_t, k_most> closings_;  // links, in the order in which they closed
};

}  // namespace gossamer::machine
