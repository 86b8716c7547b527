#include "gossamer/message/internal/capture_check.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/short_name.hpp"

namespace gossamer::message {

void check_captured_bytes(const fiber::scheduler& self, const void* bytes, std::size_t size,
                          const char* what) {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= size; at += alignof(std::uintptr_t)) {
    std::uintptr_t bits;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + at, sizeof bits);
    const void* const address = reinterpret_cast<const void*>(bits);
    if (!self.in_own_frames(address)) continue;
    const std::string message = fmt::format(
        "{} captured the address of a variable on a fiber's stack (byte {} of the capture): capture by value",
        shown(what).view(), at);
    assertion_failed("captures mean something on every core", __FILE__, __LINE__, message.c_str());
  }
}

}  // namespace gossamer::message
