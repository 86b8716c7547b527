#pragma once
// The address range that all processes of a job use (memory/internal/space.hpp). It is far from the addresses
// where Linux puts programs, heaps, libraries and stacks, and from those that the sanitizers use.

#include <cstddef>
#include <cstdint>

namespace gossamer::machine {

#if defined(__SANITIZE_THREAD__)
#define GOSSAMER_FEW_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GOSSAMER_FEW_ADDRESSES 1
#endif
#endif
#if defined(GOSSAMER_FEW_ADDRESSES)
inline constexpr std::uint64_t k_common_first = 0x7e8400000000, k_common_bytes = std::uint64_t{256} << 30;
#else
inline constexpr std::uint64_t k_common_first = 0x200000000000, k_common_bytes = std::uint64_t{32} << 40;
#endif

}  // namespace gossamer::machine
