#pragma once
// An operating-system thread with a name (as `top -H` and debuggers show it) and a chosen stack.
// Joined by the destructor. An exception that leaves the function ends the program: catch it inside.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace gossamer::machine {

class thread {
 public:
  thread() noexcept = default;

  /// Starts `body`. `name` is cut to 15 bytes; stack_bytes 0 means the system's default (8 MiB). Throws
  /// gossamer::error if the system has no more threads.
  thread(std::string name, std::function<void()> body, std::size_t stack_bytes = 0);

  thread(thread&& other) noexcept;
  thread& operator=(thread&& other) noexcept;  // joins the old one first
  ~thread();

  bool joinable() const noexcept { return running_; }
  void join() noexcept;

 private:
  std::uintptr_t handle_ = 0;
  bool running_ = false;
};

/// Names the calling thread.
void set_thread_name(const std::string& name) noexcept;

/// Yields this processor to another runnable thread, if there is one.
void yield_thread() noexcept;

/// Returns the number of the calling thread in the kernel (as `ps -L` shows it).
std::uint64_t thread_id() noexcept;

struct stack_range {
  std::byte* low = nullptr;
  std::byte* high = nullptr;
  bool contains(const void* address) const noexcept {
    auto* byte = static_cast<const std::byte*>(address);
    return byte >= low && byte < high;
  }
};

/// Returns the stack that the operating system gave the calling thread.
stack_range thread_stack() noexcept;

/// Returns whether the address lies on the stack of the program's first thread, where main() has its
/// variables. A comparison: assumes the usual size of a stack (8 MiB). False if the C library does not
/// provide the end of the stack.
bool is_on_main_stack(const void* address) noexcept;

/// Returns the processor time that this thread has used; process_cpu_ns() returns that of the whole process.
std::uint64_t thread_cpu_ns() noexcept;
std::uint64_t process_cpu_ns() noexcept;

}  // namespace gossamer::machine
