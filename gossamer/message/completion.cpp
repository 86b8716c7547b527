#include "gossamer/message/completion.hpp"

#include <memory>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

completion::~completion() { delete error_.load(std::memory_order_relaxed); }

void completion::fail(std::exception_ptr what) noexcept {
  auto mine = std::make_unique<std::exception_ptr>(std::move(what));
  std::exception_ptr* none = nullptr;
  // release: pairs with wait()'s acquire through balance_; a later exception is dropped
  if (error_.compare_exchange_strong(none, mine.get(), std::memory_order_release, std::memory_order_relaxed))
    (void)mine.release();
}

bool completion::seal() {
  sealed_ = true;
  const std::int64_t taken = k_bias + issued_;
  return balance_.fetch_sub(taken, std::memory_order_acq_rel) == taken;  // pairs with finish()
}

void completion::wait() {
  GOSSAMER_ASSERT(fiber::scheduler::current() == home_, "a completion is waited for on its own core");
  waiter_ = home_->running();
  const bool over = seal();
  machine::preemption_point();
  if (!over) home_->suspend("completion");
  balance_.store(k_bias, std::memory_order_relaxed);  // nothing is outstanding: no other core reads it
  issued_ = 0;
  sealed_ = false;
  if (auto* e = error_.exchange(nullptr, std::memory_order_acquire)) {  // pairs with fail()
    const std::exception_ptr what = *e;
    delete e;
    std::rethrow_exception(what);
  }
}

void completion::seal_for(const scope_id& parent, std::int64_t held) {
  parent_ = parent;
  held_ = held;
  if (seal()) settle();
}

void completion::settle() {
  if (parent_.at == nullptr) {
    home_->wake_from_anywhere(*waiter_);
    return;
  }
  const scope_id parent = parent_;
  const std::int64_t held = held_;
  endpoint& self = endpoint::here();
  auto* const e = error_.load(std::memory_order_acquire);  // pairs with fail()
  if (!self.is_local(parent.core)) {
    // Nothing to report (its answers have done that): the parent may be gone.
    if (held != 0 || e != nullptr) self.report_later(parent, held, e != nullptr ? *e : nullptr);
    delete this;
    return;
  }
  if (e != nullptr) parent.at->fail(*e);
  delete this;
  parent.at->finish(held);
}

}  // namespace gossamer::message
