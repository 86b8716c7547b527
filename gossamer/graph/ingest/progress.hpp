#pragma once
// How a long algorithm tells its caller where it is, and how the caller stops it. The hook is called
// from the main fiber between parallel phases, at least once per iteration, level or batch of sources: on
// graphs that fit a notebook, never more than a fraction of a second apart.

#include <cstdint>
#include <functional>

namespace gossamer::graph {

/// phase: a word to print ("pagerank"); done of total steps; total 0: not known.
/// May throw: the exception leaves the algorithm at once, with nothing in flight (this is how
/// an interrupt ends a run). Empty: none.
using progress_hook = std::function<void(const char* phase, std::uint64_t done, std::uint64_t total)>;

/// Calls the hook where there is one.
inline void report(const progress_hook& hook, const char* phase, std::uint64_t done, std::uint64_t total) {
  if (hook) hook(phase, done, total);
}

}  // namespace gossamer::graph
