#pragma once
// Development builds: captures by reference compile, and mean nothing on another core.

#include <cstddef>

#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::message {

/// Ends the program when captured bytes hold the address of a variable of the caller's own frames. Other stacks are
/// not looked at: an address of another process, or two integers side by side, look like theirs now and then.
/// `what`: the name of the captured function object.
void check_captured_bytes(const fiber::scheduler& self, const void* bytes, std::size_t size,
                          const char* what);

}  // namespace gossamer::message
