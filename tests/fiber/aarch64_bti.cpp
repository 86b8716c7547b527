// Switches to a fiber and back where every page is guarded by branch target identification (AArch64). Has no
// library beneath it: those of the cross compiler are built without landing pads. Part of aarch64_test.sh.

#include "gossamer/fiber/context.hpp"

namespace {

using namespace gossamer::fiber;

long system_call(long number, long a, long b, long c) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

template <unsigned N>
void print(const char (&text)[N]) {
  constexpr long k_write = 64, k_standard_output = 1;
  system_call(k_write, k_standard_output, reinterpret_cast<long>(text), N - 1);
}

alignas(64) char stack[16384];
running_word word;
void* root_sp;
void* fiber_sp;

void entry(running_word*) {
  for (;;) {
    print("there ");
    switch_context(&word, &fiber_sp, &root_sp);
    print("and ");
    switch_context(&word, &fiber_sp, &root_sp);
  }
}

[[gnu::noinline]] void visit() { switch_context(&word, &root_sp, &fiber_sp); }

}  // namespace

extern "C" void _start() {
  constexpr long k_exit = 93;
  fiber_sp = make_context(stack + sizeof stack, &entry, nullptr);
  visit();  // lands on the entry of a function
  visit();  // lands where the fiber has left off
  print("back\n");
  system_call(k_exit, 0, 0, 0);
}
