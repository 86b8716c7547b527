#pragma once
// Which sanitizers this build runs under: some tests of signals and limits differ there, and large ones do less.

#include <vector>

namespace gossamer::test {

#if defined(__has_feature)
#define GOSSAMER_TEST_HAS_FEATURE(x) __has_feature(x)
#else
#define GOSSAMER_TEST_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || GOSSAMER_TEST_HAS_FEATURE(address_sanitizer)
inline constexpr bool k_address_sanitizer = true;
#else
inline constexpr bool k_address_sanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__) || GOSSAMER_TEST_HAS_FEATURE(thread_sanitizer)
inline constexpr bool k_thread_sanitizer = true;
#else
inline constexpr bool k_thread_sanitizer = false;
#endif

#undef GOSSAMER_TEST_HAS_FEATURE

/// What tests of many equal steps divide their number of steps by: a sanitizer looks at each access, however often.
inline constexpr unsigned k_fewer = k_thread_sanitizer ? 5 : k_address_sanitizer ? 3 : 1;

/// Returns the numbers of cores that a family of tests runs on: 2 and 3 under sanitizers, where each takes long.
inline std::vector<unsigned> core_counts(std::vector<unsigned> otherwise) {
  if (k_thread_sanitizer || k_address_sanitizer) return {2, 3};
  return otherwise;
}

}  // namespace gossamer::test
