#include "gossamer/combining/engine/internal/local_combiner.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::combining {

void refuse_use(const char* name) {
  const bool outside = fiber::scheduler::current() == nullptr;
  fatal(fmt::format("a {} is used {}", name, outside ? "outside of its job" : "after its end").c_str());
}

void refuse_phase(const char* name, const char* what) { fatal(fmt::format("a {} {}", name, what).c_str()); }

batch* local_combiner::open_batch() {
  const bool merging =
      merges_ && (server_.started() || server_.start<&local_combiner::serve>(this, "combining"));
  batch* b;
  if (spare_.empty()) {
    spare_.reserve(k_spare);  // recycle() must not fail
    std::unique_ptr<batch> made = make();
    made->waiters_.reserve(16);  // join() extends it before a request is merged
    b = made.release();
  } else {
    b = spare_.back().release();
    spare_.pop_back();
  }
  ++taken_;  // not before: if allocation fails, none is taken
  if (!merging) return b;
  b->opened_ns_ = machine::now_ns();
  return open_ = b;
}

void local_combiner::recycle(batch& b) {
  b.waiters_.clear();
  b.failure_ = nullptr;
  clear(b);
  --taken_;
  std::unique_ptr<batch> mine(&b);
  if (spare_.size() < k_spare) spare_.push_back(std::move(mine));
}

void local_combiner::commit(batch& b) noexcept {
  ++fiber::scheduler::current()->count().combine_commits;
  try {
    commit_batch(b);
  } catch (...) {
    b.failure_ = std::current_exception();
  }
}

/// Commits a batch of one request, and yields if the commit has not suspended. Otherwise requests of the home
/// core would never let other fibers run.
void local_combiner::commit_alone(batch& b) {
  fiber::scheduler& self = *fiber::scheduler::current();
  const std::uint64_t switches = self.count().switches;
  commit(b);
  if (b.failure_) [[unlikely]]
    std::rethrow_exception(b.failure_);
  if (self.count().switches == switches) self.yield();
}

void local_combiner::serve() {
  fiber::scheduler& self = *fiber::scheduler::current();
  constexpr std::size_t k_ahead = 8;
  const auto has_waiters = [this] { return open_ != nullptr && !open_->waiters_.empty(); };
  while (server_.next(has_waiters, "requests to combine")) {
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
    self.yield();  // most of them send another request, and these merge
  }
}

void local_combiner::close() {
  if (open_ != nullptr && open_->users_ == 0) recycle(*std::exchange(open_, nullptr));
  GOSSAMER_ASSERT(taken_ == 0, fmt::format("a {} is destroyed while requests wait for it", name_).c_str());
  server_.close();
}

}  // namespace gossamer::combining
