// Bad memory accesses, in children of the test because they end the process.
#include "gossamer/machine/fault.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/thread.hpp"
#include "support/child_process.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer::machine {
namespace {

using test::child_process;

// What the explainer of these tests knows: one range that counts as a fiber's guard page.
std::byte* guard_begin = nullptr;
std::byte* guard_end = nullptr;

bool explain_guard(void* address, char* buffer, std::size_t size) {
  if (address < guard_begin || address >= guard_end) return false;
  std::snprintf(buffer, size, "fiber 7 has overrun its stack of 64 KiB");
  return true;
}

void write_to(std::byte* address) { *const_cast<volatile std::byte*>(address) = std::byte{1}; }

TEST(Fault, OfAGuardPageIsExplained) {
  const test::temporary_folder folder;
  child_process child([&](auto) {
    install_fault_handlers();
    const fault_stack stack;
    set_fault_explainer(explain_guard);
    memory_region region(2 * page_bytes(), "a stack");
    guard_begin = region.data();
    guard_end = region.data() + page_bytes();
    if (!region.protect(0, page_bytes())) ::_exit(98);
    output_file half(folder / "result");
    write_to(region.data() + 100);
  });
  child.finish();
  EXPECT_TRUE(child.killed_by(SIGABRT));
  EXPECT_TRUE(child.errors().starts_with("gossamer: fiber 7 has overrun its stack of 64 KiB\n"))
      << child.errors();
  EXPECT_TRUE(folder.names().empty());
}

TEST(Fault, DoesNotLoseWhatWasPrintedBefore) {
  for (const bool explained : {false, true}) {
    child_process child([&](auto) {
      install_fault_handlers();
      const fault_stack stack;
      if (explained) set_fault_explainer(explain_guard);
      memory_region region(2 * page_bytes(), "a stack");
      guard_begin = region.data();
      guard_end = region.data() + page_bytes();
      if (!region.protect(0, page_bytes())) ::_exit(98);
      ::dup2(STDERR_FILENO, STDOUT_FILENO);
      static char buffer[4096];
      std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
      std::printf("a result");
      write_to(region.data() + 100);
    });
    child.finish();
    EXPECT_NE(child.errors().find("a result"), std::string::npos) << child.errors();
  }
}

TEST(Fault, OfAddressesCommonToAllProcessesIsExplained) {
  child_process child([&](auto) {
    install_fault_handlers();
    const fault_stack stack;
    write_to(reinterpret_cast<std::byte*>(k_common_first + (std::uintptr_t{1} << 30)));
  });
  child.finish();
  EXPECT_TRUE(child.killed_by(SIGABRT));
  EXPECT_TRUE(child.errors().starts_with("gossamer: nothing lies at this address of the job's memory"))
      << child.errors();
}

// By the signal itself, or with the report of a sanitizer, which had the signal before.
bool ended_as_without_us(const child_process& child) {
  return child.killed_by(SIGSEGV) || child.errors().find("Sanitizer") != std::string::npos;
}

// Not a tail call, and the frame is volatile: the compiler must keep every level.
[[gnu::noinline]] int descend(int depth) {  // NOLINT(misc-no-recursion): recursion is the point
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : descend(depth - 1) + frame[0];
}

TEST(Fault, OfAFullStackIsHandledOnTheFaultStack) {
  if (test::k_thread_sanitizer)
    GTEST_SKIP() << "so deep a recursion overruns ThreadSanitizer's own call stack first";
  child_process child([&](auto) {
    install_fault_handlers();
    set_fault_explainer(explain_guard);
    thread(
        "deep",
        [] {
          const fault_stack stack;
          const stack_range range = thread_stack();
          guard_begin = range.low - page_bytes();  // the guard page of the thread library
          guard_end = range.low + page_bytes();
          std::exit(descend(1 << 30));
        },
        256 << 10)
        .join();
  });
  child.finish();
  EXPECT_TRUE(child.killed_by(SIGABRT)) << child.errors();
  EXPECT_TRUE(child.errors().starts_with("gossamer: fiber 7 has overrun")) << child.errors();
}

TEST(Fault, ThatNobodyExplainsGoesOnToTheOneBefore) {
  const test::temporary_folder folder;
  child_process child([&](auto) {
    install_fault_handlers();
    set_fault_explainer(explain_guard);
    guard_begin = guard_end = nullptr;
    memory_region region(page_bytes(), "a test");
    if (!region.protect(0, page_bytes())) ::_exit(98);
    output_file half(folder / "result");
    write_to(region.data());
  });
  child.finish();
  EXPECT_TRUE(folder.names().empty());
  EXPECT_TRUE(ended_as_without_us(child)) << child.errors();
}

TEST(Fault, SentByAnotherProcessStillEndsThisOne) {
  child_process child([&](auto) {
    install_fault_handlers();
    ::raise(SIGSEGV);
    ::_exit(7);
  });
  child.finish();
  EXPECT_TRUE(ended_as_without_us(child)) << child.errors();
}

TEST(Fault, AbortRemovesTemporaryFiles) {
  const test::temporary_folder folder;
  child_process child([&](auto) {
    install_fault_handlers();
    output_file half(folder / "result");
    std::abort();
  });
  child.finish();
  EXPECT_TRUE(child.killed_by(SIGABRT));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Fault, StackIsGivenBackAtTheEndOfAThread) {
  for (int i = 0; i < 20; ++i) thread("short", [] { const fault_stack stack; }).join();
  stack_t now = {};
  {
    const fault_stack outer;
    ::sigaltstack(nullptr, &now);
    const void* const mine = now.ss_sp;
    { const fault_stack inner; }
    ::sigaltstack(nullptr, &now);
    EXPECT_EQ(now.ss_sp, mine);
  }
}

}  // namespace
}  // namespace gossamer::machine
