#include "gossamer/memory/symmetric.hpp"

#include <algorithm>

#include "gossamer/memory/heap.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer::memory {

std::byte* take_addresses(std::uint64_t bytes) {
  return call_on(first_core(process()), [bytes] { return partition::here().addresses().take(bytes); });
}

void give_addresses(std::byte* at) {
  call_on(first_core(space::giver(at, processes())), [at] { partition::here().addresses().give(at); });
}

symmetric_region::symmetric_region(std::uint64_t bytes) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (processes() == 1) {
    region_ = {bytes, "memory of the job",
               bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default};
    return;
  }
  far_ = take_addresses(bytes);
  try {
    message::at_every_process([at = far_, bytes] { partition::here().addresses().map(at, bytes); });
  } catch (...) {
    release();  // where it was mapped already
    throw;
  }
}

void symmetric_region::release() {
  std::byte* const at = std::exchange(far_, nullptr);
  message::at_every_process([at] { partition::here().addresses().unmap(at); });
  give_addresses(at);
}

}  // namespace gossamer::memory
