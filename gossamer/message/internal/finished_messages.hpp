#pragma once
// Two-sided messages that this core has received, and that the completion of their sender, of this process, does not know as
// finished yet. Telling it moves the completion's line here, and back when its home issues the next message: with messages there and
// back each would pay for that. What waits for them is seldom in a hurry, so it is told when the core has been idle for a moment, or
// when there are many. Until then they keep the completion open. One core.

#include <cstdint>
#include <utility>

#include "gossamer/message/completion.hpp"

namespace gossamer::message {

class finished_messages {
 public:
  /// From here on the completion is told at once.
  static constexpr std::int64_t k_many = 256;

  void add(completion& of, std::int64_t n) {
    if (of_ != &of) {
      tell();
      of_ = &of;
    }
    count_ += n;
    if (count_ >= k_many) tell();
  }
  bool any() const { return of_ != nullptr; }
  /// Tells the completion.
  void tell() {
    if (of_ != nullptr) std::exchange(of_, nullptr)->finish(std::exchange(count_, 0));
  }

 private:
  completion* of_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace gossamer::message
