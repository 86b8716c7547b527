#pragma once
// An outstanding two-sided message: isend() and ireceive() start it, wait() and test() end it.
// It cannot be moved, because other objects hold its address. It belongs to the core that started it.
//
//   idle  --isend, ireceive-->  open  --the message has arrived or has been copied-->  done
//   done  --wait, test-->  idle

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "gossamer/base/bits.hpp"
#include "gossamer/fiber/scheduler.hpp"

namespace gossamer {

namespace message {
class mailbox;
}

/// An outstanding send or receive. Keep it in place until it has been waited for.
class alignas(k_line_bytes) request {
 public:
  request() = default;
  request(const request&) = delete;
  request& operator=(const request&) = delete;
  /// Cancels a receive that nothing has matched; waits for a send that is not done.
  ~request() {
    if (state_ == state::open) [[unlikely]]
      abandon();
  }

  /// Suspends until the request is done, and makes it idle. Returns at once if it is idle. Throws
  /// gossamer::error if the
  /// message was longer than the buffer, which is then unchanged.
  void wait() {
    if (state_ == state::open) wait_until_done();
    settle();
  }
  /// Completes the request as wait() does if it is done, and returns whether it was. Otherwise lets other
  /// fibers run first.
  bool test();

  /// Returns whether nothing is outstanding.
  bool idle() const { return state_ == state::idle; }

  /// Returns the bytes of the message. Valid after a receive has been waited for, like source().
  std::size_t bytes() const { return bytes_; }
  /// Returns the core that sent the received message.
  unsigned source() const { return source_; }

 private:
  friend class message::mailbox;
  friend std::size_t wait_any(std::span<request* const> requests);

  enum class state : std::uint8_t { idle, open, done };
  /// A fiber that waits for several requests. The first request that is done wakes it.
  struct waiting {
    fiber::fiber* who;
  };

  void start(bool receives, std::uint64_t tag, unsigned source, std::byte* data, std::size_t size) {
    GOSSAMER_ASSERT(state_ == state::idle, "a request is used again before it was waited for");
    state_ = state::open;
    receives_ = receives;
    too_long_ = false;
    tag_ = tag;
    source_ = source;
    data_ = data;
    size_ = size;
    bytes_ = 0;
    poster_ = fiber::scheduler::current()->running();
  }
  /// Returns the fiber to wake. Null if none waits, or if another request has woken the fiber that waits for
  /// several.
  fiber::fiber* waiting_fiber() const { return of_several_ ? several_->who : one_; }
  void complete() {
    state_ = state::done;
    if (fiber::fiber* const f = waiting_fiber(); f != nullptr) {
      if (of_several_) several_->who = nullptr;
      f->home->wake(*f);
    }
  }
  void settle() {
    state_ = state::idle;
    if (std::exchange(too_long_, false)) [[unlikely]]
      refuse();
  }
  void wait_until_done();
  void abandon();
  [[noreturn]] void refuse();

  union {
    fiber::fiber* one_ = nullptr;  // waits for this request; null: none
    waiting* several_;
  };
  fiber::fiber* poster_ = nullptr;  // the fiber that started it and probably waits: a hint for prefetches
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;  // of the buffer
  std::size_t bytes_ = 0;  // of the message
  std::uint64_t tag_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint32_t source_ = 0;
  state state_ = state::idle;
  bool receives_ = false;
  bool too_long_ = false;
  bool of_several_ = false;  // whether several_ or one_ waits
};
static_assert(sizeof(request) == k_line_bytes);

}  // namespace gossamer
