#include "output/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/standard_error.hpp"

namespace gossamer::cli {
namespace {

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value != '\0';
}

bool dumb() {
  const char* term = std::getenv("TERM");
  return !term || std::strcmp(term, "dumb") == 0;
}

}  // namespace

bool output_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool error_is_terminal() { return isatty(STDERR_FILENO) == 1; }
std::size_t error_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool output_has_colours() { return output_is_terminal() && !set("NO_COLOR") && !dumb(); }

void write_output(std::string_view text) {
  const bool all = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (all && std::fflush(stdout) == 0) return;
  throw error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void write_error(std::string_view text) noexcept { machine::write_error(text); }

}  // namespace gossamer::cli
