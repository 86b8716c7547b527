#pragma once
// The calls that wait for core 0, oldest first. Any thread pushes, core 0 pops. A stack that core 0 takes whole and turns
// round; so pushing is one exchange and neither side has a lock. At most k_most calls wait; further threads wait for room.
//
//   field       written by              read by       protected by
//   newest_     any thread, core 0      the same      seq_cst: core 0 looks before it waits (outside_event.hpp)
//   reason_     close()                 any thread    newest_ is k_closed
//   oldest_     core 0                  core 0        one thread
//   waiting_, freed_, blocked_   any    any           atomics of their own

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "gossamer/host/internal/pending_call.hpp"

namespace gossamer::host {

class call_queue {
 public:
  static constexpr std::uint32_t k_most = 4096;

  /// Adds a call. Waits for room where there is none and `may_block`; otherwise throws gossamer::error. Throws it
  /// with the reason after close().
  void push(std::shared_ptr<pending_call> call, bool may_block);
  /// Adds what has to run whether there is room or not. Returns false after close().
  bool push_at_once(std::shared_ptr<pending_call> call) noexcept;

  /// Takes the oldest; null where there is none. Core 0, or the thread that was core 0 when the job has ended.
  std::shared_ptr<pending_call> pop();
  bool empty() const { return oldest_ == nullptr && newest_.load(std::memory_order_seq_cst) == nullptr; }
  /// Refuses calls from now on. What was pushed before can be popped. Once; core 0 as above.
  void close(std::string reason);
  /// Returns whether calls are refused. What was written before close() is there then.
  bool closed() const {
    return newest_.load(std::memory_order_acquire) == closed_mark();  // pairs with close()
  }

 private:
  void take_room(bool may_block);
  void give_room();
  [[noreturn]] void refuse() const;
  pending_call* closed_mark() const { return reinterpret_cast<pending_call*>(const_cast<call_queue*>(this)); }
  void turn_round(pending_call* newest);

  std::atomic<pending_call*> newest_{nullptr};
  std::string reason_;
  pending_call* oldest_ = nullptr;  // of those taken
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<std::uint32_t> freed_{0};  // changes when there is room again; threads without sleep on it
  std::atomic<std::uint32_t> blocked_{0};  // of those
};

}  // namespace gossamer::host
