#pragma once
// Jobs for the benches of messages, and how their rates are taken.

#include <memory>
#include <string>

#include "gossamer/base/options.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "micro/measure.hpp"

namespace gossamer::bench {

/// Returns whether jobs run on a simulated cluster, by virtual time.
inline bool is_simulated() { return gossamer::options().text("GOSSAMER_SIMULATE").has_value(); }

inline job_options core_job(unsigned cores) {
  job_options o;
  o.cores = cores;
  return o;
}

/// Returns whether a launcher has started this process with another one: two cores are then of two processes.
inline bool of_two_processes() { return machine::find_launch().several(); }

/// Returns a job of two cores, of one process or two.
inline job_options two_core_job() { return core_job(of_two_processes() ? 1 : 2); }

/// Adds how many processes there are, where it is more than one.
inline std::string placed(std::string name) { return of_two_processes() ? name + ", 2 processes" : name; }

/// Runs f() on all cores at once, until all that it issued is done. Returns millions of operations a second.
template <class F>
double rate_on_all_cores(std::uint64_t operations, F f) {
  return static_cast<double>(operations) * 1e3 / wall_ns_of([&] { on_all_cores(f); });
}

/// [begin, end) of this core's block of n.
struct index_block {
  std::uint64_t begin, end;
};
inline index_block my_block(std::uint64_t n) { return {n * here() / cores(), n * (here() + 1) / cores()}; }

}  // namespace gossamer::bench
