#include "gossamer/base/internal/log.hpp"

#include <string>

namespace gossamer {
namespace {

void write_line(std::FILE* stream, std::string_view prefix, std::string_view line) {
  std::string whole(prefix);
  whole += line;
  whole += '\n';
  std::fwrite(whole.data(), 1, whole.size(), stream);
  std::fflush(stream);
}

}  // namespace

void log::info(std::string_view line) const {
  if (!quiet_) write_line(stream_, "gossamer: ", line);
}

void log::warning(std::string_view line) const { write_line(stream_, "gossamer: warning: ", line); }

}  // namespace gossamer
