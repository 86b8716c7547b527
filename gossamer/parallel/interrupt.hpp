#pragma once
// Points where a call of a host program can be interrupted (host/runtime.hpp). Chunks of loops check before they begin;
// bodies that compute for long check themselves. Outside of such calls nothing is interrupted.

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/core.hpp"

namespace gossamer {

/// The exception of an interrupted call.
class interrupted : public error {
 public:
  interrupted() : error("the call was interrupted") {}
};

namespace parallel {
/// Throws gossamer::interrupted. In process 0 it informs the other processes first.
[[noreturn, gnu::cold]] void throw_interrupted();
}  // namespace parallel

/// Throws gossamer::interrupted if the call that this core works for was interrupted (runtime::interrupt(),
/// Ctrl-C). By fibers. Costs a load. Loops call it before each of their chunks.
inline void check_interrupt() {
  auto& core = static_cast<parallel::core&>(fiber::scheduler::inside("check_interrupt"));
  const auto* const call = core.process().call;
  if (call != nullptr && call->interrupted()) [[unlikely]]
    parallel::throw_interrupted();
}

/// A scope in which loops of this process are not interrupted. For code between collectives of processes: a loop that ended
/// in one process only would leave the others waiting, and the call would end as a stall. Used in a fiber of a job. The caller of
/// the collectives checks between them (check_interrupt()).
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
