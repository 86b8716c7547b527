#pragma once
// Captures by reference compile, and mean nothing on another core. Calls that are made once for many bodies (loops, on_all_cores()) look for
// them in every build. Calls that are made for each message (async(), call()) look for them in development builds.

#include <cstddef>
#include <source_location>
#include <type_traits>

#include "gossamer/base/short_name.hpp"
#include "gossamer/fiber/scheduler.hpp"

namespace gossamer::message {

/// Ends the program when captured bytes hold the address of a variable of the caller's own frames. Of loops, also one on the stack of main().
/// Stacks of other fibers and threads are not looked at: an address of another process, or two integers side by side, look like
/// theirs now and then. `what`: the name of the captured function object. `where`: the line of the program that passes it to a loop; null
/// of messages.
void check_captured_bytes(const fiber::scheduler& self, const void* bytes, std::size_t size, const char* what,
                          const std::source_location* where);

// Padding holds bytes of old stacks, which look like captures. Compilers that cannot clear it look at what has none.
//
// GCC 12 counts an array of 8 records and more as no bytes when it clears padding, and then clears the wrong ones: behind such an array
// a word of nothing but padding may still look like a capture.
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

/// The largest function objects that loops look at, in every build. Larger ones hold arrays, of which the part that was never written may
/// have the bytes of an old stack: a right program must not end.
inline constexpr std::size_t k_most_looked_at_bytes = 128;

/// Looks for addresses of the caller's stack in a function object, in every build. Costs some tens of instructions and a copy of it.
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
