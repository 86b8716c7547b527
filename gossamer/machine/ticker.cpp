#include "gossamer/machine/ticker.hpp"

#include <utility>

#include "gossamer/machine/futex.hpp"

namespace gossamer::machine {

ticker::ticker(std::string name, std::uint64_t interval_ns, std::function<void()> each)
    : thread_(std::move(name), [this, interval_ns, each = std::move(each)] {
        while (stopped_.load(std::memory_order_relaxed) == 0)
          if (!futex_wait_for(stopped_, 0, interval_ns) && stopped_.load(std::memory_order_relaxed) == 0)
            each();
      }) {}

ticker::~ticker() {
  stopped_.store(1, std::memory_order_relaxed);
  futex_wake_one(stopped_);
  thread_.join();
}

}  // namespace gossamer::machine
