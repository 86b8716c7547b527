#include "gossamer/machine/ticker.hpp"

#include <utility>

#include "gossamer/machine/futex.hpp"

namespace gossamer::machine {

ticker::ticker(std::string name, std::uint64_t interval_ns, std::function<void(ticker&)> each)
    : interval_ns_(interval_ns), thread_(std::move(name), [this, each = std::move(each)] { run(each); }) {}

ticker::~ticker() {
  state_.store(k_stopped, std::memory_order_relaxed);
  futex_wake_one(state_);
  thread_.join();
}

void ticker::run(const std::function<void(ticker&)>& each) {
  for (std::uint32_t now; (now = state_.load(std::memory_order_relaxed)) != k_stopped;) {
    if (now == k_paused)
      futex_wait(state_, k_paused);
    else if (!futex_wait_for(state_, k_runs, interval_ns_) &&
             state_.load(std::memory_order_relaxed) == k_runs)
      each(*this);
  }
}

void ticker::pause() {
  std::uint32_t before = k_runs;  // or it has been stopped meanwhile
  state_.compare_exchange_strong(before, k_paused, std::memory_order_seq_cst);
}

void ticker::resume() {
  std::uint32_t before = k_paused;
  if (state_.load(std::memory_order_seq_cst) == k_paused &&
      state_.compare_exchange_strong(before, k_runs, std::memory_order_relaxed))
    futex_wake_one(state_);
}

}  // namespace gossamer::machine
