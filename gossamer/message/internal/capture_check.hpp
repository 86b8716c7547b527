#pragma once
// Captures by reference compile, but are invalid on another core. Calls made once for many bodies (loops,
// on_all_cores()) check for them in every build. Calls made for each message (async(), call()) check in
// development builds.

#include <cstddef>
#include <source_location>
#include <type_traits>

#include "gossamer/base/short_name.hpp"
#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::message {

/// Ends the program if captured bytes hold the address of a variable in the caller's own frames; in loops,
/// also of one on the stack of main(). Does not check for stacks of other fibers and threads: an address of
/// another process, or two adjacent integers, may look like such an address. `what`: name of the captured
/// function object. `where`: line of the program that passes it to a loop; null for messages.
void check_captured_bytes(const fiber::scheduler& self, const void* bytes, std::size_t size, const char* what,
                          const std::source_location* where);

// Padding holds bytes of old stacks, which look like captures. With compilers that cannot clear padding, only
// objects without padding are checked.
//
// GCC 12 counts an array of 8 records or more as no bytes when it clears padding, and then clears the wrong
// bytes. So a word of padding behind such an array may still look like a capture.
#if __has_builtin(__builtin_clear_padding)
template <class F>
inline constexpr bool k_finds_captures = sizeof(F) >= sizeof(void*);
template <class F>
void clear_padding(F& f) {
  if constexpr (std::is_trivially_copyable_v<F>) __builtin_clear_padding(&f);
}
#else
template <class F>
inline constexpr bool k_finds_captures =
    sizeof(F) >= sizeof(void*) && std::has_unique_object_representations_v<F>;
template <class F>
void clear_padding(F&) {}
#endif

/// The largest function objects that loops check in every build. Larger ones hold arrays, whose unwritten
/// part may have the bytes of an old stack: a correct program must not end.
inline constexpr std::size_t k_most_looked_at_bytes = 128;

/// Checks a function object for addresses of the caller's stack, in every build. Costs some tens of
/// instructions and a copy of the object.
template <class F>
void find_captures([[maybe_unused]] const F& f, [[maybe_unused]] const fiber::scheduler& self,
                   [[maybe_unused]] const std::source_location* where) {
  if constexpr (k_finds_captures<F>) {
    if (where != nullptr && sizeof(F) > k_most_looked_at_bytes) return;
    F captured(f);
    clear_padding(captured);
    check_captured_bytes(self, &captured, sizeof captured, name_of<F>(), where);
  }
}

}  // namespace gossamer::message
