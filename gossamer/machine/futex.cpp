#include "gossamer/machine/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel looks at the word itself");

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) noexcept {
  return ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  if (auto* s = simulated())
    (void)s->wait(word, expected, 0, false);
  else
    futex(word, FUTEX_WAIT, expected, nullptr);
}

bool futex_wait_for(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint64_t timeout_ns) noexcept {
  if (auto* s = simulated()) return s->wait(word, expected, timeout_ns, false);
  const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                         static_cast<long>(timeout_ns % 1'000'000'000)};
  return futex(word, FUTEX_WAIT, expected, &timeout) == 0 || errno != ETIMEDOUT;
}

void shared_futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, nullptr, nullptr, 0);
}

void shared_futex_wake_all(std::atomic<std::uint32_t>& word) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void futex_wake_one(std::atomic<std::uint32_t>& word) noexcept {
  if (auto* s = simulated()) return s->wake(word, false);
  futex(word, FUTEX_WAKE, 1, nullptr);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept {
  if (auto* s = simulated()) return s->wake(word, true);
  futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace gossamer::machine
