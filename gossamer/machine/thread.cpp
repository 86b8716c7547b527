#include "gossamer/machine/thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/simulated.hpp"

#if defined(__GLIBC__)
extern "C" void* __libc_stack_end;  // glibc: where the first thread's stack began
#endif

namespace gossamer::machine {
namespace {

struct start_info {
  std::string name;
  std::function<void()> body;
};

static_assert(std::is_convertible_v<pthread_t, std::uintptr_t>, "thread::handle_ holds a pthread_t");

void* start(void* argument) {
  const std::unique_ptr<start_info> info(static_cast<start_info*>(argument));
  set_thread_name(info->name);
  info->body();
  return nullptr;
}

std::uint64_t read_clock(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

thread::thread(std::string name, std::function<void()> body, std::size_t stack_bytes) {
  if (auto* s = simulated()) {
    handle_ = s->start(std::move(name), std::move(body));
    running_ = true;
    return;
  }
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  if (stack_bytes != 0) {
    const int refused = ::pthread_attr_setstacksize(&attributes, stack_bytes);
    GOSSAMER_ASSERT(refused == 0, "stack size below the system's least");
  }
  auto info = std::make_unique<start_info>(start_info{std::move(name), std::move(body)});
  pthread_t created{};
  const int failure = ::pthread_create(&created, &attributes, start, info.get());
  ::pthread_attr_destroy(&attributes);
  if (failure != 0) throw_errno("cannot start thread", info->name, failure);
  (void)info.release();  // start() owns it now
  handle_ = created;
  running_ = true;
}

thread::thread(thread&& other) noexcept
    : handle_(other.handle_), running_(std::exchange(other.running_, false)) {}

thread& thread::operator=(thread&& other) noexcept {
  if (this != &other) {
    join();
    handle_ = other.handle_;
    running_ = std::exchange(other.running_, false);
  }
  return *this;
}

thread::~thread() { join(); }

void thread::join() noexcept {
  if (!std::exchange(running_, false)) return;
  if (auto* s = simulated()) return s->join(handle_);
  const int failure = ::pthread_join(handle_, nullptr);
  GOSSAMER_ASSERT(failure == 0);
}

void set_thread_name(const std::string& name) noexcept {
  char shortened[16] = {};
  name.copy(shortened, sizeof shortened - 1);
  ::pthread_setname_np(::pthread_self(), shortened);
}

void yield_thread() noexcept {
  if (auto* s = simulated()) return s->yield();
  ::sched_yield();
}

std::uint64_t thread_id() noexcept { return static_cast<std::uint64_t>(::syscall(SYS_gettid)); }

stack_range thread_stack() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t bytes = 0;
  ::pthread_attr_getstack(&attributes, &low, &bytes);
  ::pthread_attr_destroy(&attributes);
  return {static_cast<std::byte*>(low), static_cast<std::byte*>(low) + bytes};
}

bool is_on_main_stack([[maybe_unused]] const void* address) noexcept {
#if defined(__GLIBC__)
  constexpr std::size_t k_usual_bytes = 8 << 20;
  auto* const end = static_cast<const std::byte*>(__libc_stack_end);
  return stack_range{const_cast<std::byte*>(end) - k_usual_bytes, const_cast<std::byte*>(end)}.contains(
      address);
#else
  return false;
#endif
}

std::uint64_t thread_cpu_ns() noexcept { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

std::uint64_t process_cpu_ns() noexcept { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace gossamer::machine
