#include "gossamer/memory/symmetric.hpp"

#include <algorithm>

#include "gossamer/memory/heap.hpp"
#include "gossamer/message/visit.hpp"

namespace gossamer::memory {

symmetric_region::symmetric_region(std::uint64_t bytes) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  if (processes() == 1) {
    region_ = {bytes, "memory of the job",
               bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default};
    return;
  }
  std::byte* const at =
      call_on(first_core(process()), [bytes] { return partition::here().addresses().take(bytes); });
  message::at_every_process([at, bytes] { partition::here().addresses().map(at, bytes); });
  far_ = at;
}

void symmetric_region::release() {
  std::byte* const at = std::exchange(far_, nullptr);
  message::at_every_process([at] { partition::here().addresses().unmap(at); });
  // The process that gave the address out is the one that takes it back: the one that made the region.
  call_on(first_core(process()), [at] { partition::here().addresses().give(at); });
}

}  // namespace gossamer::memory
