#include "gossamer/combining/engine/internal/station.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::combining {

void refuse_use(const char* name) {
  const bool outside = fiber::scheduler::current() == nullptr;
  fatal(fmt::format("a {} is used {}", name, outside ? "outside of its job" : "after its end").c_str());
}

batch* station::open_batch() {
  const bool merging = merges_ && (committer_ != nullptr || start_committer());
  ++taken_;
  batch* b;
  if (spare_.empty()) {
    b = make().release();
  } else {
    b = spare_.back().release();
    spare_.pop_back();
  }
  if (!merging) return b;
  b->opened_ns_ = machine::now_ns();
  return open_ = b;
}

void station::recycle(batch& b) {
  b.waiters_.clear();
  b.failure_ = nullptr;
  clear(b);
  --taken_;
  std::unique_ptr<batch> mine(&b);
  if (spare_.size() < k_spare) spare_.push_back(std::move(mine));
}

void station::commit(batch& b) noexcept {
  ++fiber::scheduler::current()->count().combine_commits;
  try {
    commit_batch(b);
  } catch (...) {
    b.failure_ = std::current_exception();
  }
}

/// A request always lets others run, or those of the master's core would never wait for others.
void station::commit_alone(batch& b) {
  fiber::scheduler& self = *fiber::scheduler::current();
  const std::uint64_t switches = self.count().switches;
  commit(b);
  if (b.failure_) [[unlikely]]
    std::rethrow_exception(b.failure_);
  if (self.count().switches == switches) self.yield();
}

/// False where all fibers are in use, which the next request may change.
bool station::start_committer() {
  committer_ = parallel::core::here().start(&committer_entry, this, "combining", fiber::stack_class::regular);
  return committer_ != nullptr;
}

void station::committer_entry(void* self) { static_cast<station*>(self)->run(); }

void station::run() {
  fiber::scheduler& self = *fiber::scheduler::current();
  constexpr std::size_t k_ahead = 8;
  while (closer_ == nullptr) {
    if (open_ == nullptr || open_->waiters_.empty()) {
      asleep_ = true;
      self.suspend("requests to combine");
      continue;
    }
    batch& b = *std::exchange(open_, nullptr);
    ++b.users_;
    commit(b);
    self.count().combine_wait_ns += machine::now_ns() - b.opened_ns_;
    const auto& waiters = b.waiters_;
    for (std::size_t i = 0; i < waiters.size(); ++i) {
      if (i + k_ahead < waiters.size()) __builtin_prefetch(waiters[i + k_ahead].who);
      self.wake(*waiters[i].who);
    }
    leave(b);
    self.yield();  // most of them ask again, together
  }
  committer_ = nullptr;
  self.wake(*closer_);
}

void station::close() {
  fiber::scheduler& self = *fiber::scheduler::current();
  if (open_ != nullptr && open_->users_ == 0) recycle(*std::exchange(open_, nullptr));
  GOSSAMER_ASSERT(taken_ == 0, fmt::format("a {} is destroyed while requests wait for it", name_).c_str());
  if (committer_ == nullptr) return;
  closer_ = self.running();
  if (std::exchange(asleep_, false)) self.wake(*committer_);
  self.suspend("the end of a structure");
}

}  // namespace gossamer::combining
