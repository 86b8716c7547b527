#pragma once
// A job is one run of a program. Its cores are threads of this process; core 0 is the calling thread.
// Its program is one function, which runs in the main fiber on core 0. The job ends when that function, and everything
// that it started, have finished.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "gossamer/base/activity.hpp"
#include "gossamer/base/counters.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/function_ref.hpp"
#include "gossamer/base/print_format.hpp"
#include "gossamer/fabric/routes.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/message/core_id.hpp"
#include "gossamer/parallel/barrier.hpp"
#include "gossamer/parallel/combine.hpp"
#include "gossamer/simulation/cluster.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer {

/// The most cores of a process.
inline constexpr unsigned k_most_cores = 4096;

/// The settings of a job. Sizes are in bytes; limits are per core.
struct job_options {
  unsigned cores = 0;  // 0: as many as processors that this process may use
  std::uint64_t seed = 1;  // for programs that draw random numbers
  /// Stack size of a task, 16 KiB to 1 GiB. A fiber has half as much more for tasks of its finish().
  std::size_t stack_bytes = 64 << 10;
  /// Stack size of the main fiber, 16 KiB to 1 GiB.
  std::size_t main_stack_bytes = 1 << 20;
  std::size_t fibers = fiber::k_most_fibers;  // at once, per core; memory is usually the tighter limit
  std::size_t small_stack_bytes = 16 << 10;  // of a fiber of stack_class::small; 4 KiB to 1 GiB
  std::size_t small_fibers = fiber::k_most_fibers;  // fibers of stack_class::small, per core
  std::size_t packet_bytes = 8 << 10;  // 2 KiB to 64 KiB
  std::size_t packets = 512;  // per core
  std::size_t unexpected = 1 << 20;  // two-sided messages that a core stores until they are received
  std::size_t unexpected_bytes = 64 << 20;  // bytes of these messages
  std::size_t payload_bytes_in_flight = 64 << 20;  // large payloads of one core that are outstanding
  std::uint64_t flush_delay_us =
      200;  // the longest time that a message waits to be aggregated while its core is busy
  bool aggregate = true;  // false: a packet per message, to measure what aggregation gains
  /// How long an idle core polls for work before it sleeps. Default: 50; 500 in a job of several processes, whose cores cannot
  /// wake one another.
  std::optional<std::uint64_t> spin_us = std::nullopt;
  std::size_t steal_tasks = 0;  // most tasks that a thief of another process takes; 0: half of those on offer
  std::size_t steal_chunk =
      0;  // most tasks that a thief of the same process takes; 0: half of those on offer
  std::uint64_t loop_grain =
      0;  // most indices of a task of forall() if the call passes no grain; 0: by the size, 16 to 4,096
  std::uint64_t activity_us = 0;  // the shortest interval of activities(); 0: active fibers are not counted
  std::size_t wire_packet_bytes = 64 << 10;  // size of a wire packet; 4 KiB to 1 MiB
  std::size_t wire_packets =
      0;  // wire packets per core for requests, and as many for replies; 4 to 64; 0: by the neighbours
  std::size_t bulk_bytes =
      64 << 10;  // transfers move blocks of at least this size in bulk, without packets; 0: none
  routing routes = routing::automatic;  // paths of packets between processes (fabric/routes.hpp)
  /// The algorithm of barrier() and the collectives.
  barrier_algorithm barrier = barrier_algorithm::automatic;
  combine combining = combine::automatic;  // for structures that do not choose it themselves
  /// Whether each core is bound to a processor.
  enum class pinning : std::uint8_t {
    automatic,
    on,
    off
  } pin = pinning::automatic;  // automatic: if there is a processor for each core

  /// Runs the job on a simulated cluster, on the calling thread. Default: as GOSSAMER_SIMULATE says. `cores`
  /// overrides the number of cores of the simulation.
  std::optional<simulation::options> simulate = {};
  simulation::outcome* simulated = nullptr;  // receives the outcome of a simulated run

  /// Returns the defaults, overridden by the environment: GOSSAMER_CORES, _SEED, _FIBERS and the others of
  /// docs/settings.md. Throws gossamer::error for an invalid value.
  static job_options from_environment();
};

namespace parallel {
struct host_link;
/// Runs a job as gossamer::run() does. `host` connects it to a host program (parallel/host_link.hpp).
void run_job(const job_options& options, function_ref<void()> main, const host_link* host = nullptr);
int report_errors(function_ref<void()> body) noexcept;
}  // namespace parallel

/// Starts the cores and runs main() in a fiber on core 0. Returns when main() and all that it started have
/// finished. Rethrows exceptions of main. Throws gossamer::error for invalid options, for lack of memory,
/// inside a job, and while another thread of the process runs a job. Throws it also if the job stalls: every
/// fiber waits and nothing is under way. The message then lists the waiting fibers. Costs about 100 us to
/// start and end.
///
/// A launcher (mpirun, srun, gossamer run) starts several processes; the job then runs over all of them. Each
/// calls run() the same number of times. main() runs in process 0 only; in the others run() returns when it
/// has ended. If main() throws or the job stalls, run() throws in all processes: the exception of main in
/// process 0, a gossamer::error with its text in the others. If a process has ended meanwhile, or begins
/// another job, run() throws gossamer::error in the processes that begin this one. A program may start MPI
/// itself (with MPI_THREAD_SERIALIZED or more) and end it after its last job.
template <class F>
void run(const job_options& options, F main) {
  parallel::run_job(options, main);
}

/// Runs a job for a program's main(): options come from the environment, an error is printed as one line on
/// standard error. What the program has printed is written at the end of the job; if it cannot be, that is an error. Returns
/// the exit code: 2 after an error, else the result of main, or 0.
template <class F>
int run(int, char**, F main) {
  int code = 0;
  const int failed = parallel::report_errors([&] {
    run(job_options::from_environment(), [&] {
      if constexpr (std::is_convertible_v<std::invoke_result_t<F&>, int>)
        code = main();
      else
        main();
    });
  });
  return failed != 0 ? failed : code;
}

/// Returns the counters of each core so far. By a fiber. Costs a call to every core, which scans the stacks
/// that it has used (stack_deepest).
std::vector<counters> statistics();
/// Returns how many fibers of each core were active since the job began, and how many of them waited. By a fiber. Empty unless
/// job_options::activity_us is set. Costs a call to every core.
std::vector<activity> activities();

/// Prints to standard output: `{}` stands for an argument (fmt syntax). Formats of printf(), and formats that leave an argument out, do not compile.
template <class... Args>
void print(print_format<std::type_identity_t<Args>...> format, Args&&... args) {
  fmt::print(format.get(), std::forward<Args>(args)...);
}

}  // namespace gossamer
