#pragma once
// Where a call of a host program can be interrupted (host/runtime.hpp): pieces of loops look before they begin, and
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
/// fibers. Costs a load. Loops do it before each of their pieces.
inline void check_interrupt() {
  const auto* const call = parallel::core::here().process().call;
  if (call != nullptr && call->interrupted()) [[unlikely]]
    parallel::throw_interrupted();
}

}  // namespace gossamer
