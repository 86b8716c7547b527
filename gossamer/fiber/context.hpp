#pragma once
// The bare context switch, x86-64 (System V) and AArch64 (AAPCS64). Inline assembly rather than a
// routine: the compiler then saves just the registers that are live where a fiber yields, usually none,
// instead of all that a call must preserve. Instruction pointer, frame pointer and the name of
// the running fiber go onto the stack; a suspended context is one pointer, its stack pointer. The
// floating-point environment (rounding, exception masks) is shared by all fibers of a core.
//
//   saved frame, from the stack pointer up:   running fiber, resume address, frame pointer
//
// Control-flow protection. A switch arrives by an indirect jump at two kinds of places, both marked as valid
// targets: the resume address of a suspended context, and the entry function of a fresh one. AArch64 with
// branch target identification: the resume address holds `bti j`; the jump goes through x17, for which the
// `bti c` that the compiler puts at the start of a function is a valid target, too. x86-64 with indirect
// branch tracking: both hold endbr64. Shadow stacks (x86-64 SHSTK, AArch64 GCS) are not switched: run such a
// program without them, as Linux does unless asked (ADR 0007).
//
// A function that switches must not be a leaf, or it may keep variables in the red zone below its
// stack pointer, which x86-64 grants to leaf functions only. Every caller here has a call on its slow path.

#include <cstddef>
#include <cstdint>

namespace gossamer::fiber {

struct fiber;

/// What a switch changes besides the processor's registers.
struct running_word {
  fiber* running = nullptr;
};

using context_entry = void (*)(running_word* core);  // never returns; `core` knows what runs

/// Lays the first frame of `f` below `top` and returns the stack pointer to switch to. Touches one line.
inline void* make_context(void* top, context_entry entry, fiber* f) {
  auto* words =
      reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63});
#if defined(__x86_64__)
  words -= 5;  // two words are popped; the ABI then wants the stack pointer 8 below a multiple of 16
#else
  words -= 4;
#endif
  words[0] = reinterpret_cast<std::uintptr_t>(f);
  words[1] = reinterpret_cast<std::uintptr_t>(entry);
  words[2] = words[3] = 0;  // the caller of `entry`, for a backtrace: none
  return words;
}

/// Returns the fiber that was suspended with this stack pointer.
inline fiber* fiber_of(const void* sp) { return *static_cast<fiber* const*>(sp); }

/// Leaves the running context, storing its stack pointer in *save, and resumes the one whose stack pointer
/// is in *load (read after the store: they may be the same). `core` must be the same word for all
/// contexts that switch to one another.
inline __attribute__((always_inline)) void switch_context(running_word* core, void** save, void** load) {
#if defined(__x86_64__)
#if defined(__CET__) && (__CET__ & 1)  // -fcf-protection=branch
#define GOSSAMER_JUMP_TARGET "endbr64\n\t"
#else
#define GOSSAMER_JUMP_TARGET
#endif
#if defined(__AVX512F__)
#define GOSSAMER_MORE_REGISTERS                                                                        \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
      "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define GOSSAMER_MORE_REGISTERS
#endif
  asm volatile(
      "leaq 1f(%%rip), %%rcx\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rcx\n\t"
      "pushq (%%rdi)\n\t"
      "movq %%rsp, (%%rsi)\n\t"
      "movq (%%rdx), %%rsp\n\t"
      "popq (%%rdi)\n\t"
      "popq %%rcx\n\t"
      "jmpq *%%rcx\n"  // a jump, not a return: the return predictor would be wrong
      "1:\n\t" GOSSAMER_JUMP_TARGET "popq %%rbp\n\t"
      : "+D"(core), "+S"(save), "+d"(load)
      :
      : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "memory",
        "cc" GOSSAMER_MORE_REGISTERS);
#undef GOSSAMER_MORE_REGISTERS
#undef GOSSAMER_JUMP_TARGET
#elif defined(__aarch64__)
  register running_word* x0 asm("x0") = core;
  register void** x1 asm("x1") = save;
  register void** x2 asm("x2") = load;
  asm volatile(
      "adr x17, 1f\n\t"
      "ldr x10, [x0]\n\t"
      "stp x29, x30, [sp, #-16]!\n\t"
      "stp x10, x17, [sp, #-16]!\n\t"
      "mov x11, sp\n\t"
      "str x11, [x1]\n\t"
      "ldr x11, [x2]\n\t"
      "mov sp, x11\n\t"
      "ldp x10, x17, [sp], #16\n\t"
      "str x10, [x0]\n\t"
      "ldp x29, x30, [sp], #16\n\t"
      "br x17\n"
      "1:\n\t"
      "hint #36\n\t"  // bti j, by the name that every assembler knows; elsewhere it does nothing
      : "+r"(x0), "+r"(x1), "+r"(x2)
      :
      : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
        "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2",
        "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
        "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
        "memory", "cc");
#else
#error "no context switch for this processor yet: add one to gossamer/fiber/context.hpp"
#endif
}

}  // namespace gossamer::fiber
