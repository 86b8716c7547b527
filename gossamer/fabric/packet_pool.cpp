#include "gossamer/fabric/packet_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

packet_pool::packet_pool(std::uint16_t owner, std::size_t count, std::size_t bytes)
    : magazine_(std::make_unique_for_overwrite<packet*[]>(count)),
      owner_(owner),
      count_(count),
      packet_bytes_(round_up(bytes, k_line_bytes)),
      region_(count * packet_bytes_, "packets", machine::pages::small),
      depot_(std::make_unique_for_overwrite<packet*[]>(count)) {}

bool packet_pool::refill() {
  machine::preemption_point();
  if (returned_.load(std::memory_order_relaxed) != 0) {  // only a hint: the lock orders the lists
    std::lock_guard hold(lock_);
    std::swap(magazine_, depot_);
    held_ = returned_.exchange(0, std::memory_order_relaxed);
    if (wanted()) wanted_.store(false, std::memory_order_relaxed);
    return true;
  }
  if (made_ == count_) return false;
  if (made_ >= k_always_made && !machine::may_take(packet_bytes_)) {
    count_ = made_;  // where memory is short the pool stays as it is: a core that needs more waits for these
    return false;
  }
  auto* p = new (region_.data() + made_++ * packet_bytes_) packet;
  p->owner = owner_;
  put(*p);
  return true;
}

void packet_pool::put_batch(packet_batch& batch) {
  if (batch.empty()) return;
  machine::preemption_point();
  std::lock_guard hold(lock_);
  const std::size_t n = returned_.load(std::memory_order_relaxed);  // the lock orders it
  std::copy_n(batch.packets_.begin(), batch.count_, depot_.get() + n);
  returned_.store(n + batch.count_, std::memory_order_seq_cst);  // pairs with any_returned() before sleep
  batch.count_ = 0;
}

}  // namespace gossamer::fabric
