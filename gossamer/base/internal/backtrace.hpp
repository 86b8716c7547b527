#pragma once
// The functions on a stack, for reports of failures: short names, also of functions that are not exported.

namespace gossamer {

/// Writes the functions of `frames` (return addresses, innermost first) to standard error, one per line.
/// Reads the symbol tables of the files that the program was loaded from. On a stack of its own, one thread at a time. Takes no memory but for demangling;
/// where that does not come back (the heap is broken), the names that are left follow as they are, and the
/// program aborts.
void print_frames(void* const* frames, int count) noexcept;

}  // namespace gossamer
