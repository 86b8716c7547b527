#include "gossamer/machine/fault.hpp"

#include <execinfo.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/common_addresses.hpp"
#include "gossamer/machine/interrupt.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {
namespace {

constexpr std::size_t k_fault_stack_bytes = std::size_t{64} << 10;  // backtrace() and the explainer run on it
constexpr int k_watched = 256;

// A mapped file. `bytes` publishes the entry: 0 while it is free or being filled.
struct watched_mapping {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> bytes{0};
  char path[PATH_MAX] = {};
};

// Global because a signal handler has no other way to find them.
watched_mapping watched[k_watched];
std::atomic<fault_explainer> explainer{nullptr};
std::atomic<bool> installed{false};
struct sigaction previous_segv;  // written once before the handler is installed
struct sigaction previous_bus;
struct sigaction previous_abrt;

void say(const char* text) noexcept {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Writes what the program has printed and stdout still buffers: the end of the process would lose it. Does
// nothing where another thread is printing, which may never let go. Does it once: flushing may be what has
// failed.
void write_printed() noexcept {
  static std::atomic<bool> done{false};
  if (done.exchange(true, std::memory_order_relaxed)) return;  // nothing is published by it
  if (::ftrylockfile(stdout) != 0) return;
  ::fflush_unlocked(stdout);
  ::funlockfile(stdout);
}

const char* shrunken_file(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const watched_mapping& w : watched) {
    const std::size_t bytes = w.bytes.load(std::memory_order_acquire);  // pairs with watch_mapping's release
    if (at - w.begin.load(std::memory_order_relaxed) < bytes) return w.path;
  }
  return nullptr;
}

// Gives the signal to the handler that was there before. With the default action the instruction is run
// again and ends the process with the proper status and core file.
void pass_on(int signal_number, siginfo_t* info, void* context, const struct sigaction& previous) noexcept {
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal_number, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal_number);
  } else {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal_number, &action, nullptr);
    if (info->si_code <= 0) ::raise(signal_number);  // sent by kill(): would not happen again by itself
  }
}

// Returns whether the address is one of those that mean the same in all processes of a job.
bool is_common(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) - k_common_first < k_common_bytes;
}

[[noreturn]] void end_explained(const char* line) noexcept {
  remove_temporaries();
  fatal(line);
}

void on_fault(int signal_number, siginfo_t* info, void* context) noexcept {
  if (info->si_code > 0) {  // by the processor, not by kill()
    if (auto* s = simulated(); s != nullptr && s->bring_common(info->si_addr)) return;
    char line[512] = {};
    const auto explain = explainer.load(std::memory_order_acquire);  // pairs with set_fault_explainer
    if (explain != nullptr && explain(info->si_addr, line, sizeof line)) end_explained(line);
    if (is_common(info->si_addr))
      end_explained(
          "nothing lies at this address of the job's memory: an array, a per_core or rows of a graph were "
          "used after "
          "their release, or another process's were read here (freeze() an array, collect() a per_core)");
    if (const char* path = signal_number == SIGBUS ? shrunken_file(info->si_addr) : nullptr) {
      remove_temporaries();
      say("error: ");
      say(path);
      say(": the file became shorter while it was read\n");
      write_printed();
      ::_exit(2);
    }
  }
  remove_temporaries();
  write_printed();
  const auto& previous = signal_number == SIGSEGV ? previous_segv : previous_bus;
  if (info->si_code > 0 && previous.sa_handler == SIG_DFL) {  // a sanitizer says more
    char line[64];
    std::snprintf(line, sizeof line, "%s at address %p",
                  signal_number == SIGSEGV ? "segmentation fault" : "bus error", info->si_addr);
    report_failure(line);
  }
  pass_on(signal_number, info, context, previous);
}

void on_abort(int signal_number, siginfo_t* info, void* context) noexcept {
  remove_temporaries();
  write_printed();
  pass_on(signal_number, info, context, previous_abrt);
}

}  // namespace

void install_fault_handlers() {
  if (installed.exchange(true, std::memory_order_relaxed)) return;
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // loads the unwinder now, where it may still allocate
  const auto take_over = [](int signal_number, void (*handler)(int, siginfo_t*, void*),
                            struct sigaction& previous) {
    ::sigaction(signal_number, nullptr, &previous);
    struct sigaction action = {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(signal_number, &action, nullptr);
  };
  take_over(SIGSEGV, on_fault, previous_segv);
  take_over(SIGBUS, on_fault, previous_bus);
  take_over(SIGABRT, on_abort, previous_abrt);
}

void set_fault_explainer(fault_explainer explain) noexcept {
  explainer.store(explain, std::memory_order_release);  // pairs with on_fault's acquire
}

struct fault_stack::state {
  memory_region memory{k_fault_stack_bytes, "handling faults", pages::small};
  stack_t previous = {};
};

// Simulated threads share the stack of the one that simulates them.
fault_stack::fault_stack() {
  if (simulated() != nullptr) return;
  state_ = std::make_unique<state>();
  stack_t mine = {};
  mine.ss_sp = state_->memory.data();
  mine.ss_size = state_->memory.size();
  ::sigaltstack(&mine, &state_->previous);
}

fault_stack::~fault_stack() {
  // The previous one comes back: a sanitizer frees its own at the end of the thread.
  if (state_ != nullptr) ::sigaltstack(&state_->previous, nullptr);
}

int watch_mapping(const void* begin, std::size_t bytes, const char* path) noexcept {
  for (int i = 0; i < k_watched; ++i) {
    watched_mapping& w = watched[i];
    if (w.taken.exchange(true, std::memory_order_acquire)) continue;  // pairs with unwatch_mapping's release
    w.begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_relaxed);
    std::strncpy(w.path, path, sizeof w.path - 1);
    w.bytes.store(bytes, std::memory_order_release);  // pairs with shrunken_file's acquire
    return i;
  }
  return -1;
}

void unwatch_mapping(int entry) noexcept {
  if (entry < 0) return;
  watched[entry].bytes.store(0, std::memory_order_relaxed);  // an end to matches; the bytes are unmapped next
  watched[entry].taken.store(false, std::memory_order_release);  // pairs with watch_mapping's exchange
}

}  // namespace gossamer::machine
