// Switches between two contexts without any library, so that every page of the program can be held to
// -z force-bti: an indirect jump to a place that is not marked as a target ends the program. Built and run by
// aarch64_test.sh; not a GoogleTest program. Exits with 0 when a fiber was entered and resumed often enough.

#include "gossamer/fiber/context.hpp"

namespace {

using namespace gossamer::fiber;

constexpr int k_switches = 10;

alignas(64) char stack[16384];
running_word now;
void* root_sp;
void* fiber_sp;
int entered, resumed;

[[noreturn]] void entry(running_word*) {
  for (++entered;; ++resumed) switch_context(&now, &fiber_sp, &root_sp);
}

[[noreturn]] void leave(long code) {
  register long number asm("x8") = 93;  // exit
  register long argument asm("x0") = code;
  asm volatile("svc 0" : : "r"(number), "r"(argument) : "memory");
  __builtin_unreachable();
}

}  // namespace

extern "C" [[gnu::noinline]] int switch_back_and_forth() {
  fiber_sp = make_context(stack + sizeof stack, &entry, nullptr);
  for (int i = 0; i < k_switches; ++i) switch_context(&now, &root_sp, &fiber_sp);
  return entered == 1 && resumed == k_switches - 1 ? 0 : 1;
}

extern "C" [[noreturn]] void _start() { leave(switch_back_and_forth()); }
