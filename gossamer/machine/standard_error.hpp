#pragma once
// Lines on standard error, each by one system call. A launcher gathers the lines of many processes, and C libraries
// print long ones in pieces (glibc 2.41: 128 bytes), between which it puts those of other processes.

#include <string_view>

namespace gossamer::machine {

/// Writes text to standard error by one system call, where the system takes all of it. Any thread; keeps errno.
void write_error(std::string_view text) noexcept;

/// Writes "error: <what>" and a line end as write_error() does.
void print_error(std::string_view what) noexcept;

/// Writes "warning: <what>" and a line end as write_error() does.
void print_warning(std::string_view what) noexcept;

}  // namespace gossamer::machine
