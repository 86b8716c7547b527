#pragma once
// A hook by which a long algorithm reports its progress, and by which the caller stops it. The main fiber
// calls it between parallel phases, at least once per iteration, level or batch of sources. For graphs that
// fit a notebook that is more than once a second.

#include <cstdint>
#include <functional>

namespace gossamer::graph {

/// A progress hook. phase: a word to print ("pagerank"); done of total steps; total 0: not known.
/// The hook may throw: the exception leaves the algorithm at once, with nothing outstanding. That is how
/// an interrupt ends a run. An empty hook is not called.
using progress_hook = std::function<void(const char* phase, std::uint64_t done, std::uint64_t total)>;

/// Calls the hook if there is one.
inline void report(const progress_hook& hook, const char* phase, std::uint64_t done, std::uint64_t total) {
  if (hook) hook(phase, done, total);
}

}  // namespace gossamer::graph
