#pragma once
// The bare context switch: two assembly routines (src/fiber/context_*.S) and the first frame of a
// new context. A suspended context is one pointer, its saved stack pointer. Knows nothing of
// fibers, schedulers or sanitizers; those are scheduler.hpp and sanitizer.hpp.

#include <cstddef>
#include <cstdint>

extern "C" {
/// Saves the callee-saved registers on the running stack, stores its stack pointer in *save_sp and
/// resumes the context at load_sp. Returns when somebody resumes the saved one.
void gossamer_switch(void** save_sp, void* load_sp);
void gossamer_fiber_start();
}

namespace gossamer::fiber {

using context_entry = void (*)(void* argument);  // never returns

/// Lays the first frame below `top` and returns the stack pointer to switch to.
/// The first switch touches only the two cache lines below `top`.
inline void* make_context(void* top, context_entry entry, void* argument) {
  auto words = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
#if defined(__x86_64__)
  // After the seven pops the stack is 16-aligned again, so that `call` in gossamer_fiber_start is as the ABI
  // wants.
  words -= 9;
  words[0] = words[1] = words[2] = 0;  // r15 r14 r13
  words[3] = reinterpret_cast<std::uintptr_t>(entry);  // r12
  words[4] = reinterpret_cast<std::uintptr_t>(argument);  // rbx
  words[5] = 0;  // rbp
  words[6] = reinterpret_cast<std::uintptr_t>(&gossamer_fiber_start);
  words[7] = words[8] = 0;
#elif defined(__aarch64__)
  words -= 20;
  for (int i = 0; i < 20; ++i) words[i] = 0;
  words[0] = reinterpret_cast<std::uintptr_t>(argument);       // x19
  words[1] = reinterpret_cast<std::uintptr_t>(entry);          // x20
  words[11] = reinterpret_cast<std::uintptr_t>(&gossamer_fiber_start);  // x30
#else
#error "no context switch for this processor yet: add src/fiber/context_<processor>.S"
#endif
  return words;
}

}  // namespace gossamer::fiber
