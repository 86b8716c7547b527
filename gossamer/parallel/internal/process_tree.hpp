#pragma once
// A call on all processes: along a tree of two levels, where there are many (ADR 0017).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "gossamer/message/registry.hpp"
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

/// A body that travels to other processes: its bytes, and by number what runs a copy of them there. Of one type for all bodies,
/// so that each costs the compiler little.
struct travelling_body {
  std::uint16_t run;
  std::uint16_t bytes;
  const void* body;

  template <class F>
  static travelling_body of(const F& f) {
    static_assert(k_ships<F>);
    return {message::handler<runs_copy<F>>::entry.id, sizeof(F), &f};
  }

 private:
  template <class F>
  struct runs_copy {
    F f;
    static void run(const message::dispatch&, std::byte* at, std::uint32_t) {
      F mine(*std::launder(reinterpret_cast<const F*>(at)));
      mine();
    }
  };
};

/// Processes, counted from the root's.
struct process_range {
  std::uint32_t root, begin, end;
};
inline process_range all_from_here() { return {process(), 0, processes()}; }

/// Runs a body on the first core of every process of the range but its first. Each of them tells few others (fan_out()) and waits
/// for them, so that no core sends to or hears of all. Counted by the enclosing completion.
void tell_others(core& self, const travelling_body& f, process_range of);

/// Runs `elsewhere` on the first core of every other process and `here` on all cores of this one, and waits for all of them.
/// `call`: what the program has called.
void run_on_all(const travelling_body& elsewhere, const shared_body& here, const char* call);

}  // namespace gossamer::parallel
