#pragma once
// The calls that wait for core 0, oldest first. Any thread pushes, core 0 pops. A stack that core 0 takes as
// a whole and reverses. So a push is one compare-and-exchange, and there is no lock. At most k_most calls
// wait; then threads wait for free places.
//
//   field       written by              read by       protected by
//   newest_     any thread, core 0      the same      seq_cst: read before core 0 waits (outside_event.hpp)
//   reason_     close()                 any thread    newest_ is closed_mark()
//   oldest_     core 0                  core 0        one thread
//   waiting_, freed_, blocked_   any    any           atomics

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "gossamer/host/internal/pending_call.hpp"

namespace gossamer::host {

class call_queue {
 public:
  static constexpr std::uint32_t k_most = 4096;

  /// Adds a call. If the queue is full, waits if `may_block`, else throws gossamer::error. Throws
  /// runtime_ended with the reason after close().
  void push(std::shared_ptr<pending_call> call, bool may_block);
  /// Adds a call even if the queue is full. Returns false after close().
  bool push_at_once(std::shared_ptr<pending_call> call) noexcept;

  /// Removes and returns the oldest call; null if there is none. By core 0, or by its thread after the job
  /// has ended.
  std::shared_ptr<pending_call> pop();
  bool empty() const { return oldest_ == nullptr && newest_.load(std::memory_order_seq_cst) == nullptr; }
  /// Refuses calls from now on. Calls that were pushed before can be popped. Only the first call has an
  /// effect. By core 0, as above.
  void close(std::string reason);
  /// Returns whether calls are refused. If so, writes before close() are visible.
  bool closed() const {
    return newest_.load(std::memory_order_acquire) == closed_mark();  // pairs with close()
  }

 private:
  void acquire_place(bool may_block);
  void release_place();
  [[noreturn]] void refuse() const;
  pending_call* closed_mark() const { return reinterpret_cast<pending_call*>(const_cast<call_queue*>(this)); }
  void append_reversed(pending_call* newest);

  std::atomic<pending_call*> newest_{nullptr};
  std::string reason_;
  pending_call* oldest_ = nullptr;  // of the calls that core 0 has taken
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<std::uint32_t> freed_{0};  // changes when a place is freed; blocked threads sleep on it
  std::atomic<std::uint32_t> blocked_{0};  // threads that wait for a place
};

}  // namespace gossamer::host
