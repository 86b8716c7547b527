#include "gossamer/fiber/turn_watch.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::fiber {

turn_watch::turn_watch(std::vector<scheduler*> cores) : cores_(std::move(cores)), seen_(cores_.size()) {}

void turn_watch::start(unsigned cores_per_processor) {
  cores_per_processor_ = cores_per_processor;
  ticker_.emplace("gossamer-turns", interval_ns_ * cores_per_processor,
                  [this](machine::ticker& by) { tick(&by); });
}

void turn_watch::tick(machine::ticker* by) {
  const bool any = any_turn();
  if (by != nullptr) by->set_interval(interval_ns_ * cores_per_processor_);
  if (any) {
    quiet_.store(0, std::memory_order_relaxed);
    return;
  }
  const unsigned quiet = std::min(quiet_.load(std::memory_order_relaxed) + 1, k_quiet);
  if (quiet == k_quiet && by != nullptr) {
    by->pause();  // seq_cst, as is the check of the turns behind it; pairs with run_ready()
    if (any_turn()) by->resume();
  }
  quiet_.store(quiet, std::memory_order_relaxed);
}

void turn_watch::resume() {
  if (ticker_) ticker_->resume();
}

/// Checks all cores and cuts turns that last. Returns whether one has had a turn since the last check, or was cut.
bool turn_watch::any_turn() {
  bool any = false, cut = false;
  for (std::size_t c = 0; c < cores_.size(); ++c) {
    scheduler& core = *cores_[c];
    const std::uint64_t now = core.turn(), before = std::exchange(seen_[c], now);
    const bool runs = now % 2 == 1;
    const bool lasts = runs && now == before;
    // One that was cut and lasts on needs no further check: renew_turn() resumes the watch.
    any |= now != before || (lasts && !core.late());
    if (!lasts || core.late()) continue;
    core.cut_turn();
    cut = true;
  }
  note_cut(cut);
  return any;
}

/// Sets the interval by whether a check has cut a turn.
void turn_watch::note_cut(bool any) {
  if (any)
    interval_ns_ = k_interval_ns;
  else if (++calm_ < k_calm)
    return;
  else
    interval_ns_ = std::min(2 * interval_ns_, k_most_interval_ns);
  calm_ = 0;
}

}  // namespace gossamer::fiber
