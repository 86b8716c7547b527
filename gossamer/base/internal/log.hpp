#pragma once
// Lines for the person at the terminal, on standard error, prefixed with "gossamer: ". A line is
// written by one call, so that lines of several threads do not mix. A function that
// writes lines is handed a log; there is no global one.

#include <cstdio>
#include <string_view>

namespace gossamer {

class log {
 public:
  /// Writes to `stream`, which outlives the log. A quiet log says nothing but warnings.
  explicit log(bool quiet = false, std::FILE* stream = stderr) noexcept : stream_(stream), quiet_(quiet) {}

  bool quiet() const noexcept { return quiet_; }

  void info(std::string_view line) const;     // "gossamer: <line>", unless quiet
  void warning(std::string_view line) const;  // "gossamer: warning: <line>", always

 private:
  std::FILE* stream_;
  bool quiet_;
};

}  // namespace gossamer
