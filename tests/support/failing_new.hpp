#pragma once
// Lets an allocation fail when a test says so: for what a call leaves behind where memory is short in its middle. Replaces the
// operator new of its program: one source of a program includes it. Not under sanitizers, which have their own.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "support/sanitizers.hpp"

namespace gossamer::test {

inline constexpr bool k_new_may_fail = !k_address_sanitizer && !k_thread_sanitizer;

/// Of this thread.
struct failing_new {
  bool armed = false;
  std::size_t least_bytes = 0;  // of an allocation that counts
  std::uint64_t left = 0;  // of those, how many succeed before one fails
};
inline thread_local failing_new t_failing_new;

/// Runs f; of its allocations of `least_bytes` or more by this thread, number `n` fails, from 0. Returns whether one did.
template <class F>
bool with_failing_new(std::uint64_t n, std::size_t least_bytes, F f) {
  struct disarm {
    ~disarm() { t_failing_new.armed = false; }
  } const at_end;
  t_failing_new = {true, least_bytes, n};
  f();
  return !t_failing_new.armed;
}

/// Decides whether an allocation fails. One does: then all others succeed.
inline bool new_fails(std::size_t bytes) {
  failing_new& f = t_failing_new;
  if (!f.armed || bytes < f.least_bytes) return false;
  if (f.left-- != 0) return false;
  f.armed = false;
  return true;
}

}  // namespace gossamer::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GOSSAMER_TEST_SANITIZES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GOSSAMER_TEST_SANITIZES
#endif
#endif
#ifndef GOSSAMER_TEST_SANITIZES
// Not inline: a program replaces operator new once, and GCC does not see that these belong together where it inlines them.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = gossamer::test::new_fails(bytes) ? nullptr : std::malloc(bytes != 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#else
#undef GOSSAMER_TEST_SANITIZES
#endif
