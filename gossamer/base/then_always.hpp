#pragma once
// Two calls of which the second one is made even if the first one throws.

namespace gossamer {

/// Calls first(), then second(), whatever first() threw. Returns what second() returns, or rethrows the exception of first(): what
/// second() throws then is dropped, as a consequence.
template <class First, class Second>
decltype(auto) then_always(First first, Second second) {
  try {
    first();
  } catch (...) {
    try {
      (void)second();
    } catch (...) {}
    throw;
  }
  return second();
}

}  // namespace gossamer
