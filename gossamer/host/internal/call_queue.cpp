#include "gossamer/host/internal/call_queue.hpp"

#include <fmt/format.h>

#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/host/future.hpp"
#include "gossamer/machine/futex.hpp"

namespace gossamer::host {

void call_queue::refuse() const { throw runtime_ended(reason_); }

void call_queue::acquire_place(bool may_block) {
  for (std::uint32_t now = waiting_.load(std::memory_order_relaxed);;) {
    if (now < k_most) {
      if (waiting_.compare_exchange_weak(now, now + 1, std::memory_order_seq_cst)) return;
      continue;
    }
    if (!may_block)
      throw error(fmt::format(
          "submit: {} calls wait already, and a fiber of the runtime cannot wait for room", k_most));
    const std::uint32_t epoch =
        freed_.load(std::memory_order_seq_cst);  // before the checks; pairs with release_place()
    blocked_.fetch_add(1, std::memory_order_seq_cst);
    now = waiting_.load(std::memory_order_seq_cst);
    if (now >= k_most && !closed()) machine::futex_wait(freed_, epoch);
    blocked_.fetch_sub(1, std::memory_order_relaxed);
    if (closed()) refuse();
    now = waiting_.load(std::memory_order_relaxed);
  }
}

void call_queue::release_place() {
  waiting_.fetch_sub(1, std::memory_order_seq_cst);
  freed_.fetch_add(1, std::memory_order_seq_cst);  // pairs with acquire_place()'s load
  if (blocked_.load(std::memory_order_seq_cst) != 0) machine::futex_wake_all(freed_);
}

void call_queue::push(std::shared_ptr<pending_call> call, bool may_block) {
  if (closed()) refuse();
  acquire_place(may_block);
  call->counted = true;
  if (push_at_once(std::move(call))) return;
  release_place();
  refuse();
}

bool call_queue::push_at_once(std::shared_ptr<pending_call> call) noexcept {
  pending_call* const raw = call.get();
  raw->self = std::move(call);
  pending_call* newest = newest_.load(std::memory_order_acquire);  // pairs with close()
  do {
    if (newest == closed_mark()) {
      const auto refused = std::move(raw->self);
      return false;
    }
    raw->next = newest;
    // release: the call; seq_cst: before the check whether core 0 waits
  } while (!newest_.compare_exchange_weak(newest, raw, std::memory_order_seq_cst, std::memory_order_acquire));
  return true;
}

void call_queue::append_reversed(pending_call* newest) {
  pending_call* older = nullptr;
  while (newest != nullptr) {
    pending_call* const next = std::exchange(newest->next, older);
    older = std::exchange(newest, next);
  }
  if (oldest_ == nullptr) {
    oldest_ = older;
    return;
  }
  pending_call* last = oldest_;
  while (last->next != nullptr) last = last->next;
  last->next = older;
}

std::shared_ptr<pending_call> call_queue::pop() {
  if (oldest_ == nullptr) {
    // the exchange acquires the calls; only core 0 closes, so the mark cannot come between
    pending_call* newest = newest_.load(std::memory_order_relaxed);
    if (newest == nullptr || newest == closed_mark()) return nullptr;
    append_reversed(newest_.exchange(nullptr, std::memory_order_seq_cst));
  }
  pending_call* const first = std::exchange(oldest_, oldest_->next);
  if (first->counted) release_place();
  return std::move(first->self);
}

void call_queue::close(std::string reason) {
  if (closed()) return;
  reason_ = std::move(reason);
  append_reversed(
      newest_.exchange(closed_mark(), std::memory_order_seq_cst));  // release: the reason; acquire: the calls
  freed_.fetch_add(1, std::memory_order_seq_cst);
  machine::futex_wake_all(freed_);
}

}  // namespace gossamer::host
