#include "gossamer/fabric/packet_pool.hpp"

#include <new>

namespace gossamer::fabric {

packet_pool::packet_pool(std::uint16_t owner, std::size_t count, std::size_t bytes)
    : owner_(owner),
      count_(count),
      packet_bytes_(round_up(bytes, k_line_bytes)),
      region_(count * packet_bytes_, "packets", machine::pages::small) {}

bool packet_pool::refill() {
  if (returned_.load(std::memory_order_relaxed) != 0) {  // only a hint: the lock orders the lists
    std::lock_guard hold(lock_);
    magazine_ = depot_;
    depot_ = {};
    returned_.store(0, std::memory_order_relaxed);
    if (magazine_.head != nullptr) return true;
  }
  if (made_ == count_) return false;
  auto* p = new (region_.data() + made_++ * packet_bytes_) packet;
  p->owner = owner_;
  magazine_.push(*p);
  return true;
}

void packet_pool::put_chain(packet_chain& chain) {
  if (chain.head == nullptr) return;
  std::lock_guard hold(lock_);
  chain.tail->next = depot_.head;
  if (depot_.head == nullptr) depot_.tail = chain.tail;
  depot_.head = chain.head;
  depot_.count += chain.count;
  returned_.store(depot_.count, std::memory_order_seq_cst);  // pairs with any_returned() before sleep
  chain = {};
}

}  // namespace gossamer::fabric
