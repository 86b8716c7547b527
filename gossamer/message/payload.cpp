#include "gossamer/message/payload.hpp"

namespace gossamer::message {

payload_block* payload_block::make(std::span<const std::byte> payload) {
  endpoint& self = endpoint::here();
  self.payloads().reserve(self, payload.size());
  void* memory = nullptr;
  try {
    memory = ::operator new(sizeof(payload_block) + payload.size());
  } catch (...) {
    self.payloads().release(self, payload.size());  // else later payloads would wait for this one
    throw;
  }
  auto* block = new (memory) payload_block{&self, payload.size()};
  if (!payload.empty()) std::memcpy(block->data(), payload.data(), payload.size());
  return block;
}

void payload_block::release::operator()(payload_block* b) const {
  endpoint& lender = *b->from;
  const std::size_t size = b->bytes;
  ::operator delete(b);
  lender.payloads().release(lender, size);
}

}  // namespace gossamer::message
