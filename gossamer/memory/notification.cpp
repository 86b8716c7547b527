#include "gossamer/memory/notification.hpp"

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer {

namespace {

// About as long as it takes to suspend and to be woken (parallel/barrier.cpp).
constexpr int k_eager_polls = 256, k_polls = 400;

struct notify_record {
  notification* to;
  const void* target() const { return to; }
  void operator()(const message::dispatch&) const { to->post(); }
};

}  // namespace

void notification::wait(std::uint64_t n) {
  message::endpoint& self = message::inside("wait for a notification");
  const std::uint64_t target = taken_ + n;
  const auto come = [target](std::uint64_t word) { return word >> 1 >= target; };
  const int polls = self.spins() && machine::simulated() == nullptr ? k_polls : 1;
  for (int i = 0; i < polls; ++i) {
    if (come(word_.load(std::memory_order_acquire))) {  // pairs with post()
      taken_ = target;
      return;
    }
    if (i >= k_eager_polls) machine::cpu_relax();
  }
  GOSSAMER_ASSERT(waiter_ == nullptr, "two fibers wait for one notification");
  waiter_ = self.running();
  target_.store(target, std::memory_order_relaxed);  // published by the exchange below
  std::uint64_t now = word_.load(std::memory_order_acquire);  // pairs with post()
  machine::preemption_point();
  while (!come(now)) {
    // release: publishes target and waiter; acquire where more have come: both pair with post()
    if (!word_.compare_exchange_weak(now, now | 1, std::memory_order_release, std::memory_order_acquire))
      continue;
    self.suspend("a notification");
    now = word_.load(std::memory_order_acquire);  // pairs with post()
  }
  waiter_ = nullptr;
  taken_ = target;
}

void notification::post() {
  // release: what was put before is seen by the waiter; acquire: its target. Both pair with wait()
  std::uint64_t now = word_.fetch_add(2, std::memory_order_acq_rel) + 2;
  machine::preemption_point();
  while ((now & 1) != 0 && now >> 1 >= target_.load(std::memory_order_relaxed)) {
    // acquire where it fails: a later sleep, whose target is read next; release: passes on what was put
    if (!word_.compare_exchange_weak(now, now - 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    fiber::fiber& f = *waiter_;
    f.home->wake_from_anywhere(f);
    return;
  }
}

void notify(global_ptr<notification> to) {
  message::endpoint& self = message::inside("notify");
  if (!to) [[unlikely]]
    message::refuse_null("notify");
  if (self.is_local(to.owner())) return to.address()->post();
  self.issue(to.owner(), notify_record{to.address()});
  self.request_flush();  // a fiber waits for it
}

}  // namespace gossamer
