#pragma once
// The checksum of the native format: 64 bits over a block, at memory speed (eight lanes of a 64-bit word
// each: xor, rotate, multiply). Detects accidental damage, not forgery. docs/native-format.md defines it.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gossamer::io {

std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace gossamer::io
