#pragma once
// Two calls of which the second one is made even if the first one throws.

namespace gossamer {

/// Calls first(), then second(), whatever first() threw. Returns what second() returns, or rethrows the exception of first().
template <class First, class Second>
decltype(auto) then_always(First first, Second second) {
  try {
    first();
  } catch (...) {
    (void)second();
    throw;
  }
  return second();
}

}  // namespace gossamer
