#pragma once
// A call on all processes: along a tree of two levels, where there are many (ADR 0017).

#include <algorithm>
#include <cstdint>

#include "gossamer/parallel/internal/launch.hpp"

namespace gossamer::parallel {

/// Returns how many other processes one tells or asks, one after the other, before a tree of two levels is
/// faster.
inline std::uint32_t fan_out() {
  std::uint32_t n = 16;
  if (processes() - 1 > n)
    for (n = 5; n * n < processes();) ++n;
  return n;
}

/// f() on the first core of a process, and of others further down the tree: a process tells few others
/// (fan_out()) and waits for them, so that no core sends to or hears of all. Processes are counted from
/// the root's.
template <class F>
struct spread {
  F f;
  std::uint32_t root, begin, end;  // of the processes this is the first

  void operator()() {
    if (begin + 1 == end) return f();
    under_completion(
        [this](core& self, message::completion&) {
          tell_others(self);
          self.request_flush();
          f();
        },
        "on_all_cores");
  }
  /// Tells all processes of the range but the first. Counted by the enclosing completion.
  void tell_others(core& self) const {
    const std::uint32_t others = end - begin - 1, parts = std::min(others, fan_out());
    for (std::uint32_t k = parts; k-- > 0;) {
      const std::uint32_t first = begin + 1 + others * k / parts, last = begin + 1 + others * (k + 1) / parts;
      self.issue(first_core((root + first) % processes()),
                 remote_launch_record<spread>{{f, root, first, last}});
    }
  }
};
template <class F>
spread<F> spread_from_here(F f) {
  return {f, process(), 0, processes()};
}

}  // namespace gossamer::parallel
