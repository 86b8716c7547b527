#pragma once
// What a one-sided transfer refuses: places outside their array, sides of different sizes, sides that overlap.

#include <cstdint>
#include <string>

#include "gossamer/memory/transfer.hpp"

namespace gossamer::memory {

/// Blocks on a line: elements of an array by index, or bytes by address.
struct blocks {
  std::uint64_t at, count, block, stride;
  std::uint64_t end() const { return at + (count - 1) * stride + block; }
};

/// Returns whether they have a place in common.
bool overlap(blocks a, blocks b);

/// Ends the program with a line that names the call.
[[noreturn, gnu::cold]] void refuse_transfer(const char* call, const std::string& why);

/// Refuses sides that no transfer may have.
void check_sides(const char* call, const side& to, const side& from);

}  // namespace gossamer::memory
