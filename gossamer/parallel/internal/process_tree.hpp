#pragma once
// Calls on all processes, along a tree of two levels if there are many processes (ADR 0017).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "gossamer/message/registry.hpp"
#include "gossamer/parallel/internal/launch.hpp"

namespace gossamer::parallel {

/// Returns up to how many other processes one process sends to directly, before a tree of two levels is
/// faster.
inline std::uint32_t fan_out() {
  std::uint32_t n = 16;
  if (processes() - 1 > n)
    for (n = 5; n * n < processes();) ++n;
  return n;
}

/// A body that is sent to other processes: its bytes, and the number of the function that runs a copy of it.
/// One type for all bodies reduces compile time.
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

/// A range of processes, numbered relative to the root.
struct process_range {
  std::uint32_t root, begin, end;
};
inline process_range all_from_here() { return {process(), 0, processes()}; }

/// Runs a body on the first core of every process of the range except its first. Each of them sends to at
/// most fan_out() others and waits for them, so no core sends to all or receives from all. The enclosing
/// completion counts the calls.
void tell_others(core& self, const travelling_body& f, process_range of);

/// Runs `elsewhere` on the first core of every other process and `here` on all cores of this one, and waits
/// for all of them. `call`: the called function, for errors.
void run_on_all(const travelling_body& elsewhere, const shared_body& here, const char* call);

}  // namespace gossamer::parallel
