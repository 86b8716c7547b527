#pragma once
// Descriptors that one thread waits for, each with a number that identifies it: epoll. For the fork of a
// process that may have threads: no allocation, no locks, no exceptions.

#include <sys/epoll.h>
#include <unistd.h>

#include <cstdint>

namespace gossamer::machine {

class event_set {
 public:
  event_set() = default;
  ~event_set() {
    if (set_ >= 0) ::close(set_);
  }
  event_set(const event_set&) = delete;
  event_set& operator=(const event_set&) = delete;

  /// Opens the set; returns false if no descriptor is available.
  bool open() noexcept { return (set_ = ::epoll_create1(EPOLL_CLOEXEC)) >= 0; }

  /// Adds a descriptor, and waits until it is readable or closed. Ignores one below 0.
  void add(int descriptor, std::uint32_t what) const noexcept {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u32 = what;
    if (descriptor >= 0) ::epoll_ctl(set_, EPOLL_CTL_ADD, descriptor, &event);
  }
  /// Removes a descriptor. Ignores one below 0.
  void remove(int descriptor) const noexcept {
    if (descriptor >= 0) ::epoll_ctl(set_, EPOLL_CTL_DEL, descriptor, nullptr);
  }

  /// Waits up to `ms` (below 0: for ever), then calls f(what) for at most 16 ready descriptors, in the order
  /// in which they became ready.
  template <class F>
  void wait(int ms, F f) const noexcept {
    epoll_event ready[16];
    const int n = ::epoll_wait(set_, ready, 16, ms);
    for (int i = 0; i < n; ++i) f(ready[i].data.u32);
  }

 private:
  int set_ = -1;
};

}  // namespace gossamer::machine
