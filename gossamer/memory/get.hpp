#pragma once
// Bulk reads of another core's memory.

#include <cstddef>
#include <span>

#include "gossamer/message/core_id.hpp"

namespace gossamer::memory {

/// Copies bytes that lie at `from` on core `owner` (another one) to `into`; returns before they are there:
/// counted by the enclosing completion. By any fiber; suspends where packets are exhausted. A question of 40
/// bytes and an answer for each ~1 KiB.
void get(core_id owner, const std::byte* from, std::span<std::byte> into);

}  // namespace gossamer::memory
