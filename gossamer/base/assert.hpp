#pragma once
// Assertions. GOSSAMER_ASSERT is always on: use it where the check costs a compare or two.
// GOSSAMER_DEBUG_ASSERT is on in the `dev` and sanitizer presets (GOSSAMER_CHECKS=1) only.
// A failed assertion is a bug: it prints the expression, the place, the core, fiber and task that
// run (see set_failure_context) and a backtrace, then aborts.

#include <cstddef>

namespace gossamer {

/// Writes what runs (core, fiber, task) into `buffer`; returns the bytes written.
/// Must be async-signal-safe.
using failure_context = std::size_t (*)(char* buffer, std::size_t size);

/// Installs the writer of the context line. Called once by the runtime; null removes it.
void set_failure_context(failure_context writer) noexcept;

/// Prints the failure and aborts. Async-signal-safe, except the backtrace, which is best effort.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line,
                                   const char* message = nullptr) noexcept;

/// Reports a failure that is no expression: prints "gossamer: <line>", the context and a backtrace.
/// Async-signal-safe as assertion_failed() is.
void report_failure(const char* line) noexcept;
/// Calls report_failure(), then aborts.
[[noreturn]] void fatal(const char* line) noexcept;

}  // namespace gossamer

#define GOSSAMER_ASSERT(expression, ...) \
  (static_cast<bool>(expression)         \
       ? (void)0                         \
       : ::gossamer::assertion_failed(#expression, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__))

#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
#define GOSSAMER_DEBUG_ASSERT(expression, ...) GOSSAMER_ASSERT(expression __VA_OPT__(, ) __VA_ARGS__)
#else
#define GOSSAMER_DEBUG_ASSERT(expression, ...) ((void)sizeof(expression))
#endif
