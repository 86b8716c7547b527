#pragma once
// Where a call of a host program can be interrupted (host/runtime.hpp): chunks of loops look before they begin, and
// bodies that compute for long look themselves. Outside of such calls nothing is ever interrupted.

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer {

/// What an interrupted call throws.
class interrupted : public error {
 public:
  interrupted() : error("the call was interrupted") {}
};

namespace parallel {
/// Tells the other processes first, where this is process 0.
[[noreturn, gnu::cold]] void throw_interrupted();
}  // namespace parallel

/// Throws gossamer::interrupted where the call that this core works for is to end (runtime::interrupt(), Ctrl-C). From
/// fibers. Costs a load. Loops do it before each of their chunks.
inline void check_interrupt() {
  const auto* const call = parallel::core::here().process().call;
  if (call != nullptr && call->interrupted()) [[unlikely]]
    parallel::throw_interrupted();
}

/// While one lives, loops of this process are not interrupted. For what stands between collectives of processes: a loop that ends
/// in one process only would leave the others waiting, and the call would end as a stall. In a fiber of a job; the caller of the collectives
/// looks between them (check_interrupt()).
class uninterrupted {
 public:
  uninterrupted() : call_(parallel::core::here().process().call) {
    if (call_ != nullptr) call_->hold();
  }
  ~uninterrupted() {
    if (call_ != nullptr) call_->let_go();
  }
  uninterrupted(const uninterrupted&) = delete;
  uninterrupted& operator=(const uninterrupted&) = delete;

 private:
  message::call_phase* const call_;
};

}  // namespace gossamer
