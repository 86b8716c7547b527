#include "gossamer/message/internal/payload_limit.hpp"

namespace gossamer::message {

bool payload_limit::fits() const {
  // seq_cst: after falling asleep, or before; pairs with release()
  const std::size_t out = in_flight_.load(std::memory_order_seq_cst);
  return out == 0 || out + wanted_ <= most_;
}

void payload_limit::reserve(fiber::scheduler& self, std::size_t bytes) {
  mutex_.lock();
  wanted_ = bytes;
  if (!fits()) {
    waiter_ = self.running();
    self.suspend("payloads to be used: as many bytes as payload_bytes_in_flight are on their way");
  }
  in_flight_.fetch_add(bytes, std::memory_order_relaxed);  // only a count
  mutex_.unlock();
}

void payload_limit::release(fiber::scheduler& owner, std::size_t bytes) {
  in_flight_.fetch_sub(bytes,
                       std::memory_order_seq_cst);  // before reading the sleeper's word; pairs with fits()
  owner.notify();
}

}  // namespace gossamer::message
