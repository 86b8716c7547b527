#include "gossamer/machine/process_end.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "gossamer/machine/interrupt.hpp"

namespace gossamer::machine {
namespace {

std::atomic<int> late_code{1};
std::atomic<unsigned> late_still_s{0};

void end_late(int) noexcept {
  remove_temporaries();
  ::sleep(late_still_s.load(std::memory_order_relaxed));
  ::_exit(late_code.load(std::memory_order_relaxed));
}

}  // namespace

void end_process_after(unsigned seconds, int code, unsigned still_s) noexcept {
  late_code.store(code, std::memory_order_relaxed);  // alarm() below comes after it on this thread
  late_still_s.store(still_s, std::memory_order_relaxed);
  struct sigaction action = {};
  action.sa_handler = end_late;
  action.sa_flags = SA_ONSTACK;
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::alarm(seconds);
}

void end_process_no_more() noexcept { ::alarm(0); }

bool at_exit(void (*f)(int code)) noexcept {
  const auto call = [](int code, void* which) { reinterpret_cast<void (*)(int)>(which)(code); };
  return ::on_exit(call, reinterpret_cast<void*>(f)) == 0;  // glibc's: atexit() tells no code
}

}  // namespace gossamer::machine
