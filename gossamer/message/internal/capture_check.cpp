#include "gossamer/message/internal/capture_check.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/thread.hpp"

namespace gossamer::message {

void check_captured_bytes(const fiber::scheduler& self, const void* bytes, std::size_t size, const char* what,
                          const std::source_location* where) {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= size; at += alignof(std::uintptr_t)) {
    std::uintptr_t bits;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + at, sizeof bits);
    const void* const address = reinterpret_cast<const void*>(bits);
    const bool of_main = where != nullptr && machine::is_on_main_stack(address);
    if (!of_main && !self.in_own_frames(address)) continue;
    const std::string place =
        where == nullptr ? std::string() : fmt::format("{}:{}: ", where->file_name(), where->line());
    fatal(fmt::format(
              "{}{} captures the address of a variable on {} stack (byte {} of the capture). It is copied to "
              "other cores: "
              "capture numbers and handles by value; forall() with start and operation, or per_core, add up",
              place, shown(what).view(), of_main ? "main()'s" : "a fiber's", at)
              .c_str());
  }
}

}  // namespace gossamer::message
