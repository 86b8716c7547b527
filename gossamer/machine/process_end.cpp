#include "gossamer/machine/process_end.hpp"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gossamer/machine/interrupt.hpp"

namespace gossamer::machine {
namespace {

std::atomic<int> late_code{1};
std::atomic<unsigned> late_still_s{0};
std::atomic<int> launcher_socket{-1};  // of hydra, MPICH's launcher

/// Returns the process's connection to hydra, MPICH's launcher; -1 if it has another launcher: srun uses the
/// same variable with another protocol.
int connection_to_hydra() noexcept {
  const char* const hydra = ::getenv("PMI_FD");
  return hydra != nullptr && ::getenv("MPI_LOCALNRANKS") != nullptr ? std::atoi(hydra) : -1;
}

/// Notifies hydra that this process ends in order, as MPI_Finalize does, and reads its answer: hydra would
/// abort if it could not send that. Without it hydra kills the other processes. In a signal handler.
void say_end_to_hydra() noexcept {
  constexpr char k_end[] = "cmd=finalize\n", k_answer[] = "cmd=finalize_ack";
  constexpr int k_patience_ms = 1000;
  const int socket = launcher_socket.load(std::memory_order_relaxed);
  if (socket < 0 || ::send(socket, k_end, sizeof k_end - 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
  char text[512];
  std::size_t held = 0;
  for (;;) {
    pollfd ready{socket, POLLIN, 0};
    if (::poll(&ready, 1, k_patience_ms) != 1) return;
    const ssize_t n = ::recv(socket, text + held, sizeof text - held, MSG_DONTWAIT);
    if (n <= 0) return;
    held += static_cast<std::size_t>(n);
    if (::memmem(text, held, k_answer, sizeof k_answer - 1) != nullptr) return;
    if (held == sizeof text) {  // the answer may begin in the last bytes
      std::memmove(text, text + held - sizeof k_answer, sizeof k_answer);
      held = sizeof k_answer;
    }
  }
}

void end_late(int) noexcept {
  remove_temporaries();
  say_end_to_hydra();
  ::sleep(late_still_s.load(std::memory_order_relaxed));
  ::_exit(late_code.load(std::memory_order_relaxed));
}

}  // namespace

void end_process_after(unsigned seconds, int code, unsigned still_s) noexcept {
  late_code.store(code, std::memory_order_relaxed);  // alarm() below comes after it on this thread
  late_still_s.store(still_s, std::memory_order_relaxed);
  launcher_socket.store(connection_to_hydra(), std::memory_order_relaxed);
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

void end_job_by_launcher(int code) noexcept {
  char text[64];
  const int bytes = std::snprintf(text, sizeof text, "cmd=abort exitcode=%d\n", code);
  if (const int hydra = connection_to_hydra(); hydra >= 0)
    ::send(hydra, text, static_cast<std::size_t>(bytes), MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool at_exit(void (*f)(int code)) noexcept {
  const auto call = [](int code, void* which) { reinterpret_cast<void (*)(int)>(which)(code); };
  return ::on_exit(call, reinterpret_cast<void*>(f)) == 0;  // glibc's: atexit() passes no code
}

}  // namespace gossamer::machine
