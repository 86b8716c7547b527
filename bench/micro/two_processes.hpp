#pragma once
// Two processes of one program and a channel each way, for libraries of fibers that know no processes: a fork, and memory that both share.

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "micro/measure.hpp"

namespace gossamer::bench {

/// Zeroed memory that this process shares with those that it forks.
class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes) : bytes_(bytes) {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
      fmt::print(stderr, "cannot map {} bytes of shared memory\n", bytes);
      std::exit(1);
    }
    memory_ = static_cast<std::byte*>(at);
  }
  ~shared_memory() { ::munmap(memory_, bytes_); }
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;

  std::byte* data() const { return memory_; }

 private:
  std::size_t bytes_;
  std::byte* memory_;
};

/// Messages of one size, each with a number, from one process to the other: a ring of slots in shared memory. Any thread of the one
/// sends, and one thread of the other receives. The turn of a slot is 2 * lap while the sender may use it, and 2 * lap + 1 while the receiver may.
class channel {
 public:
  static std::size_t memory_for(std::uint64_t slots, std::uint64_t message_bytes) {
    return slots * stride_of(message_bytes);
  }
  /// Both processes make one, before the first message. memory: zeroed, shared. slots: a power of two.
  channel(std::byte* memory, std::uint64_t slots, std::uint64_t message_bytes)
      : memory_(memory),
        mask_(slots - 1),
        shift_(static_cast<unsigned>(std::countr_zero(slots))),
        bytes_(message_bytes),
        stride_(stride_of(message_bytes)) {}

  /// Sends a message. The ring has room: as many slots as messages that are under way.
  void send(std::uint64_t number, const std::byte* message) {
    const std::uint64_t place = sent_.fetch_add(1, std::memory_order_relaxed);
    slot& to = at(place);
    const std::uint64_t lap = place >> shift_;
    while (to.turn.load(std::memory_order_acquire) != 2 * lap) {}  // pairs with the release of receive()
    to.number = number;
    std::memcpy(&to + 1, message, bytes_);
    to.turn.store(2 * lap + 1, std::memory_order_release);  // pairs with the acquire of receive()
  }
  /// Calls arrive(number, message) for the next message. Returns whether there was one.
  template <class F>
  bool receive(F arrive) {
    slot& from = at(received_);
    const std::uint64_t lap = received_ >> shift_;
    if (from.turn.load(std::memory_order_acquire) != 2 * lap + 1)
      return false;  // pairs with the release of send()
    arrive(from.number, reinterpret_cast<const std::byte*>(&from + 1));
    from.turn.store(2 * lap + 2, std::memory_order_release);  // pairs with the acquire of send(), a lap later
    ++received_;
    return true;
  }

 private:
  struct slot {  // the message follows it
    std::atomic<std::uint64_t> turn;
    std::uint64_t number;
  };
  static std::uint64_t stride_of(std::uint64_t message_bytes) {
    return (sizeof(slot) + message_bytes + 63) / 64 * 64;
  }
  slot& at(std::uint64_t place) const {
    return *reinterpret_cast<slot*>(memory_ + (place & mask_) * stride_);
  }

  std::byte* const memory_;
  const std::uint64_t mask_;
  const unsigned shift_;
  const std::uint64_t bytes_, stride_;
  std::atomic<std::uint64_t> sent_{0};  // of the sender's process
  std::uint64_t received_ = 0;  // of the receiver's
};

/// Ends the process in one line where its fork does not end well, whatever it waits for. As long as it exists.
class partner_watch {
 public:
  partner_watch() {
    struct sigaction on_end{};
    on_end.sa_sigaction = [](int, siginfo_t* child, void*) {
      if (child->si_code == CLD_EXITED && child->si_status == 0) return;
      constexpr std::string_view k_line = "the other process of the bench has ended too early\n";
      (void)!::write(STDERR_FILENO, k_line.data(), k_line.size());
      ::_exit(1);
    };
    on_end.sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP;
    ::sigaction(SIGCHLD, &on_end, &before_);
  }
  ~partner_watch() { ::sigaction(SIGCHLD, &before_, nullptr); }
  partner_watch(const partner_watch&) = delete;
  partner_watch& operator=(const partner_watch&) = delete;

 private:
  struct sigaction before_{};
};

/// Pins the calling thread as stay_on() does, and gives it back what it had.
class pinned_for_now {
 public:
  explicit pinned_for_now(unsigned i) {
    ::sched_getaffinity(0, sizeof before_, &before_);
    stay_on(i);
  }
  ~pinned_for_now() { (void)::sched_setaffinity(0, sizeof before_, &before_); }
  pinned_for_now(const pinned_for_now&) = delete;
  pinned_for_now& operator=(const pinned_for_now&) = delete;

 private:
  cpu_set_t before_;
};

/// Calls f(side) in this process as side 0 and in a fork of it as side 1, each pinned to a processor of its own, and waits for both.
/// The caller is the only thread of its process. Where the fork throws or dies, the program ends with 1.
template <class F>
void in_two_processes(F f) {
  const partner_watch watch;
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    fmt::print(stderr, "cannot fork: {}\n", std::strerror(errno));
    std::exit(1);
  }
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    stay_on(1);
    [&]() noexcept { f(1); }();
    ::_exit(0);
  }
  const pinned_for_now here(0);
  f(0);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
}

}  // namespace gossamer::bench
