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

symmetric_region::symmetric_region(std::uint64_t bytes, owned_by whose) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (processes() == 1) {
    region_ = {bytes, "memory of the job",
               bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default};
    return;
  }
  far_ = take_addresses(bytes);
  try {
    message::at_every_process([at = far_, bytes, whose] {
      space& here = partition::here().addresses();
      whose == owned_by::node ? here.map_in_common(at, 0, bytes) : here.map(at, bytes);
    });
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

void take_in_common(std::byte* at, std::uint64_t bytes) {
  if (processes() > 1 && partition::here().addresses().group() != nullptr &&
      bytes >= 2 * machine::k_huge_page_bytes)
    machine::take_huge_pages(at, bytes);
}

}  // namespace gossamer::memory
