#pragma once
// Counts answers that arrive as separate messages, for one waiting fiber. For requests that the receiving
// handler does not answer itself. Core-local.

#include <cstdint>
#include <utility>

#include "gossamer/message/endpoint.hpp"

namespace gossamer::combining {

class latch {
 public:
  void expect(std::uint32_t n) { pending_ += n; }
  /// Suspends until all expected answers have arrived.
  void wait() {
    auto& self = *fiber::scheduler::current();
    while (pending_ > 0) {
      waiter_ = self.running();
      self.suspend("answers through a process combiner");
    }
  }
  void count_down(std::uint32_t n) {
    pending_ -= n;
    if (pending_ == 0 && waiter_ != nullptr)
      fiber::scheduler::current()->wake(*std::exchange(waiter_, nullptr));
  }

 private:
  std::uint32_t pending_ = 0;
  fiber::fiber* waiter_ = nullptr;
};

struct count_down_record {
  latch* to;
  std::uint32_t n;
  void operator()(const message::dispatch&) const { to->count_down(n); }
};

}  // namespace gossamer::combining
