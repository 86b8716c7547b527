#include "gossamer/base/assert.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "gossamer/base/internal/backtrace.hpp"

namespace gossamer {
namespace {

// Set once before the cores start; read by a thread that fails.
std::atomic<failure_context> context_writer{nullptr};

// One line put together on the stack and written with a single write(2), so that lines of cores
// that fail together do not mix. What does not fit is cut.
class line_buffer {
 public:
  void append(const char* text) noexcept {
    if (text == nullptr) return;
    const std::size_t wanted = std::strlen(text);
    const std::size_t taken = wanted < room() ? wanted : room();
    std::memcpy(bytes_ + used_, text, taken);
    used_ += taken;
  }
  void append(int number) noexcept {
    char digits[12];
    char* first = digits + sizeof digits;
    *--first = '\0';
    unsigned rest = number < 0 ? 0U - static_cast<unsigned>(number) : static_cast<unsigned>(number);
    do {
      *--first = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (number < 0) *--first = '-';
    append(first);
  }
  /// Returns whether the writer has written anything.
  bool append(failure_context writer) noexcept {
    const std::size_t written = writer(bytes_ + used_, room());
    used_ += written < room() ? written : room();
    return written != 0;
  }
  void flush() noexcept {
    bytes_[used_++] = '\n';
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, bytes_, used_);
    clear();
  }
  void clear() noexcept { used_ = 0; }

 private:
  std::size_t room() const noexcept { return sizeof bytes_ - 1 - used_; }

  std::size_t used_ = 0;
  char bytes_[1024];
};

/// Returns whether the calling thread is the first to fail: one report tells enough. Other threads wait ten
/// seconds for the first to end the process, then get false. The first thread gets false, too, where it fails
/// again in its report.
bool is_first_to_fail() noexcept {
  static std::atomic<bool> failing{false};
  thread_local bool is_first = false;
  if (is_first) return false;
  is_first = !failing.exchange(true, std::memory_order_relaxed);  // nothing is published by it
  constexpr unsigned k_longest_s = 10;
  for (unsigned s = 0; !is_first && s < k_longest_s; ++s) ::sleep(1);
  return is_first;
}

void print_with_backtrace(line_buffer& out) noexcept {
  const bool first = is_first_to_fail();  // others wait: their lines would fall among its own
  out.flush();
  if (auto* writer = context_writer.load(std::memory_order_acquire)) {  // pairs with set_failure_context
    out.append("  in ");
    out.append(writer) ? out.flush() : out.clear();
  }
  if (!first) return;
  constexpr int k_frames = 32;
  void* frames[k_frames];
  const int found = ::backtrace(frames, k_frames);
  print_frames(frames, found);
}

}  // namespace

void set_failure_context(failure_context writer) noexcept {
  context_writer.store(writer, std::memory_order_release);  // pairs with print_with_backtrace's acquire
}

void assertion_failed(const char* expression, const char* file, int line, const char* message) noexcept {
  line_buffer out;
  out.append("gossamer: assertion failed: ");
  out.append(expression);
  if (message != nullptr) {
    out.append(" (");
    out.append(message);
    out.append(")");
  }
  out.append(" at ");
  out.append(file);
  out.append(":");
  out.append(line);
  print_with_backtrace(out);
  std::abort();
}

void report_failure(const char* line) noexcept {
  line_buffer out;
  out.append("gossamer: ");
  out.append(line);
  print_with_backtrace(out);
}

void fatal(const char* line) noexcept {
  report_failure(line);
  std::abort();
}

}  // namespace gossamer
