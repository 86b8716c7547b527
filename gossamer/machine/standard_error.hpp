#pragma once
// Lines on standard error, each written by one system call. C libraries split long lines (glibc 2.41: after
// 128 bytes), and a launcher that merges the output of many processes puts lines of others in between.

#include <string_view>

namespace gossamer::machine {

/// Writes text to standard error by one system call, if the system takes all of it. Any thread; keeps errno.
void write_error(std::string_view text) noexcept;

/// Writes "error: <what>" and a line end as write_error() does.
void print_error(std::string_view what) noexcept;

/// Writes "warning: <what>" and a line end as write_error() does.
void print_warning(std::string_view what) noexcept;

}  // namespace gossamer::machine
