#pragma once
// Reports context switches to the sanitizers. Empty in ordinary builds.

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define GOSSAMER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GOSSAMER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define GOSSAMER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GOSSAMER_TSAN 1
#endif
#endif

#if defined(GOSSAMER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(GOSSAMER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(GOSSAMER_TSAN)
#define GOSSAMER_NO_TSAN __attribute__((no_sanitize("thread"), noinline))
#else
#define GOSSAMER_NO_TSAN
#endif

namespace gossamer::fiber {

/// The sanitizers' picture of one stack; lives in the fiber (or the scheduler, for the thread's own).
struct sanitizer_stack {
#if defined(GOSSAMER_ASAN)
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake = nullptr;
#endif
#if defined(GOSSAMER_TSAN)
  void* tsan = nullptr;
#endif

  void describe([[maybe_unused]] const void* low, [[maybe_unused]] std::size_t bytes) {
#if defined(GOSSAMER_ASAN)
    bottom = low;
    size = bytes;
    __asan_unpoison_memory_region(low,
                                  bytes);  // an earlier stack at this address may have ended within a frame
#endif
#if defined(GOSSAMER_TSAN)
    if (tsan == nullptr) tsan = __tsan_create_fiber(0);
#endif
  }
  /// Unpoisons a stack that is taken again: the fiber that had it before may have ended within a frame.
  void renew() {
#if defined(GOSSAMER_ASAN)
    __asan_unpoison_memory_region(bottom, size);
#endif
  }
  void adopt_thread() {
#if defined(GOSSAMER_TSAN)
    tsan = __tsan_get_current_fiber();
#endif
  }
  void discard() {
#if defined(GOSSAMER_ASAN)
    if (bottom != nullptr) __asan_unpoison_memory_region(bottom, size);  // frames of parked fibers end here
#endif
#if defined(GOSSAMER_TSAN)
    if (tsan != nullptr) __tsan_destroy_fiber(tsan);
    tsan = nullptr;
#endif
  }
};

/// Announces the switch before leaving `from` for `to`.
inline __attribute__((always_inline)) void sanitizer_leave([[maybe_unused]] sanitizer_stack& from,
                                                           [[maybe_unused]] sanitizer_stack& to) {
#if defined(GOSSAMER_ASAN)
  __sanitizer_start_switch_fiber(&from.fake, to.bottom, to.size);
#endif
#if defined(GOSSAMER_TSAN)
  __tsan_switch_to_fiber(to.tsan, 0);
#endif
}

/// Completes the switch, first thing after arriving on `self`. Fills in the bounds of `thread_stack`: the
/// thread's own stack has no others.
inline __attribute__((always_inline)) void sanitizer_arrive([[maybe_unused]] sanitizer_stack& self,
                                                            [[maybe_unused]] sanitizer_stack* thread_stack) {
#if defined(GOSSAMER_ASAN)
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(self.fake, &bottom, &size);
  self.fake = nullptr;
  if (thread_stack != nullptr && thread_stack->bottom == nullptr) {
    thread_stack->bottom = bottom;
    thread_stack->size = size;
  }
#endif
}

}  // namespace gossamer::fiber
