#include "gossamer/memory/symmetric.hpp"

namespace gossamer::memory {

symmetric_region::symmetric_region(std::uint64_t bytes)
    : region_(bytes, "memory of the job",
              bytes >= machine::k_huge_page_bytes ? machine::pages::huge : machine::pages::as_default) {}

}  // namespace gossamer::memory
