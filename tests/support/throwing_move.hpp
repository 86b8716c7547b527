#pragma once
// A body for tasks and fibers whose n-th move throws: so every move on its way into the runtime can fail
// once.

#include <stdexcept>

namespace gossamer::test {

struct throwing_move {
  int* left;
  explicit throwing_move(int* moves) : left(moves) {}
  throwing_move(throwing_move&& other) : left(other.left) {
    if (--*left == 0) throw std::length_error("no memory for the body");
  }
  void operator()() const {}
};

/// Calls start(body) with bodies that throw in their first move, in their second, and so on, until one is
/// made. Returns how many were refused.
template <class F>
int start_until_made(F start) {
  for (int moves = 1;; ++moves) {
    int left = moves;
    try {
      start(throwing_move(&left));
      return moves - 1;
    } catch (const std::length_error&) {}
  }
}

}  // namespace gossamer::test
