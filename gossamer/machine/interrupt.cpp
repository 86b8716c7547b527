#include "gossamer/machine/interrupt.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/internal/system_error.hpp"

namespace gossamer::machine {
namespace {

enum entry_state : std::uint32_t { k_free, k_busy, k_ready };

// field   written by                        read by
// state   taker and releaser of the entry   any thread
// pid     owner while busy                  handler when ready
// path    owner while busy                  handler when ready
struct entry {
  std::atomic<std::uint32_t> state{k_free};
  pid_t pid = 0;  // a forked child must not remove its parent's files
  char path[PATH_MAX] = {};
};

constexpr int k_entries = 64;

// Global because a signal handler has no other way to find it; shared with forked processes, because the
// watch of a job (node_watch.hpp) removes the files of a process that was killed. Made once, never freed.
std::atomic<entry*> table{nullptr};

entry* table_made() {
  if (entry* const there = table.load(std::memory_order_acquire))
    return there;  // pairs with the exchange below
  void* const memory =
      ::mmap(nullptr, k_entries * sizeof(entry), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw_errno("cannot make", "the table of temporary files", errno);
  auto* const made = static_cast<entry*>(memory);
  std::uninitialized_default_construct_n(made, k_entries);
  entry* expected = nullptr;
  if (table.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;  // with the load
  ::munmap(memory, k_entries * sizeof(entry));
  return expected;
}

void restore_default_and_raise(int signal_number) noexcept {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal_number, &action, nullptr);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal_number);
  ::raise(signal_number);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);  // delivers it: the handler had it blocked
  ::_exit(128 +
          signal_number);  // the first process of a container is not ended by a signal that it sends itself
}

// Written between jobs by set_job_interrupts(), read by handlers.
std::atomic<bool> silent{false};
std::atomic<const std::atomic<bool>*> told{nullptr};

// Written by take_interrupts() and give_interrupts_back(), read by handlers.
std::atomic<bool (*)() noexcept> taker{nullptr};
std::atomic<bool> taker_installed{false};  // on_interrupt is installed for the taker alone

bool is_taken(int signal_number) noexcept {
  const auto interrupts = taker.load(std::memory_order_acquire);  // pairs with take_interrupts' release
  return signal_number == SIGINT && interrupts != nullptr && interrupts();
}

bool worth_a_line(int signal_number) noexcept {
  if (signal_number == SIGPIPE) return false;  // `| head` is no accident
  const auto* said = told.load(std::memory_order_acquire);  // pairs with set_job_interrupts' release
  // The second acquire pairs with the watch's release: its line is printed before this one is omitted.
  return !silent.load(std::memory_order_relaxed) &&
         (said == nullptr || !said->load(std::memory_order_acquire));
}

// Written by handlers, read by naming_guard, and vice versa. seq_cst: a thread counts itself, then checks
// whether the process ends; a handler announces the end, then reads the count.
std::atomic<bool> process_ends{false};
std::atomic<unsigned> naming{0};

/// Stops threads from naming files from here on, and waits for those that are about to.
void end_naming() noexcept {
  constexpr unsigned k_most_ms = 1000;  // a file system may hang
  process_ends.store(true, std::memory_order_seq_cst);
  constexpr timespec k_ms = {0, 1'000'000};
  for (unsigned ms = 0; ms < k_most_ms && naming.load(std::memory_order_seq_cst) != 0; ++ms)
    ::nanosleep(&k_ms, nullptr);
}

void on_interrupt(int signal_number) noexcept {
  if (is_taken(signal_number)) return;
  end_naming();
  remove_temporaries();
  if (worth_a_line(signal_number)) {
    constexpr char k_line[] = "gossamer: interrupted\n";
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, k_line, sizeof k_line - 1);
  }
  restore_default_and_raise(signal_number);
}

}  // namespace

void install_interrupt_handlers() {
  constexpr int k_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGPIPE};
  for (const int signal_number : k_signals) {
    struct sigaction before = {};
    ::sigaction(signal_number, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_ONSTACK;  // the thread may be on a small fiber stack
    ::sigfillset(&action.sa_mask);
    ::sigaction(signal_number, &action, nullptr);
  }
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGXFSZ, &ignore, nullptr);
}

bool take_interrupts(bool (*interrupts)() noexcept) noexcept {
  struct sigaction action = {};
  ::sigaction(SIGINT, nullptr, &action);
  const bool ours = action.sa_handler == on_interrupt;
  if (!ours && action.sa_handler != SIG_DFL) return false;
  taker.store(interrupts, std::memory_order_release);  // pairs with is_taken's acquire
  if (ours) return true;
  taker_installed.store(true, std::memory_order_relaxed);
  action = {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_ONSTACK | SA_RESTART;  // system calls of the host program continue
  ::sigfillset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  return true;
}

void give_interrupts_back() noexcept {
  taker.store(nullptr, std::memory_order_release);  // pairs with is_taken's acquire
  struct sigaction action = {};
  ::sigaction(SIGINT, nullptr, &action);
  if (!taker_installed.exchange(false, std::memory_order_relaxed) || action.sa_handler != on_interrupt)
    return;
  action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGINT, &action, nullptr);
}

void set_job_interrupts(bool speaks, const std::atomic<bool>* said) noexcept {
  silent.store(!speaks, std::memory_order_relaxed);
  told.store(said, std::memory_order_release);  // pairs with worth_a_line's acquire
}

naming_guard::naming_guard() noexcept {
  sigset_t most;
  ::sigfillset(&most);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) ::sigdelset(&most, fault);
  ::pthread_sigmask(SIG_BLOCK, &most, &before_);
  naming.fetch_add(1, std::memory_order_seq_cst);
  if (!process_ends.load(std::memory_order_seq_cst)) return;
  naming.fetch_sub(1, std::memory_order_seq_cst);
  for (;;) ::pause();
}

naming_guard::~naming_guard() {
  naming.fetch_sub(1, std::memory_order_seq_cst);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int remember_temporary(const std::string& path) {
  if (path.size() >= PATH_MAX) throw error(fmt::format("cannot create {}: file name too long", path));
  if (const int index = try_to_remember_temporary(path); index >= 0) return index;
  throw error(fmt::format("cannot create {}: more than {} unfinished output files", path, k_entries));
}

int try_to_remember_temporary(const std::string& path) {
  if (path.size() >= PATH_MAX) return -1;
  entry* const entries = table_made();
  for (int i = 0; i < k_entries; ++i) {
    std::uint32_t expected = k_free;
    if (!entries[i].state.compare_exchange_strong(
            expected, k_busy,
            std::memory_order_acquire,  // pairs with forget_temporary's release
            std::memory_order_relaxed))
      continue;
    entries[i].pid = ::getpid();
    std::memcpy(entries[i].path, path.c_str(), path.size() + 1);
    entries[i].state.store(k_ready, std::memory_order_release);  // pairs with remove_temporaries' acquire
    return i;
  }
  return -1;
}

void forget_temporary(int index) noexcept {
  GOSSAMER_ASSERT(index >= 0 && index < k_entries);
  // Pairs with remember_temporary's acquire.
  table.load(std::memory_order_relaxed)[index].state.store(k_free, std::memory_order_release);
}

void share_temporaries() { (void)table_made(); }

void remove_temporaries_of(int pid) noexcept {
  const int before = errno;
  const entry* const entries = table.load(std::memory_order_acquire);  // pairs with table_made's exchange
  for (int i = 0; entries != nullptr && i < k_entries; ++i) {
    const entry& e = entries[i];
    if (e.state.load(std::memory_order_acquire) == k_ready && e.pid == pid)  // pairs with remember's release
      ::unlink(e.path);
  }
  errno = before;
}

void remove_temporaries() noexcept { remove_temporaries_of(::getpid()); }

}  // namespace gossamer::machine
