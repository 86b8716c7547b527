#pragma once
// A job: one run of a program. Its cores are threads of this process (core 0 is the calling thread),
// its program is one function, the main fiber, on core 0; the job ends when that and everything it
// started have finished.

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

/// How a job runs. Sizes are bytes; limits are of each core.
struct job_options {
  unsigned cores = 0;                       // 0: the processors this process may use
  std::uint64_t seed = 1;                   // for programs that draw random numbers
  std::size_t stack_bytes = 64 << 10;  // of a task; a fiber has half as much more for tasks of its finish()
  /// Of the main fiber.
  std::size_t main_stack_bytes = 1 << 20;
  std::size_t fibers = fiber::k_most_fibers;  // per core, at most at once: memory ends sooner
  std::size_t small_stack_bytes = 16 << 10;  // of a fiber started as stack_class::small; from 4 KiB
  std::size_t small_fibers = fiber::k_most_fibers;  // of those, per core
  std::size_t packet_bytes = 8 << 10;  // 2 KiB to 64 KiB
  std::size_t packets = 512;  // per core
  std::size_t unexpected = 1 << 20;  // two-sided messages that a core keeps until they are received
  std::size_t unexpected_bytes = 64 << 20;  // of those
  std::size_t payload_bytes_in_flight = 64 << 20;  // of large payloads of one core that are not used yet
  std::uint64_t flush_delay_us = 200;  // the longest a message waits for company while its core is busy
  bool aggregate = true;  // off: a packet for every message, to see what aggregation gives
  /// How long an idle core looks for work before it sleeps. Automatic: 50; 500 in a job of several processes, whose cores cannot
  /// wake one another.
  std::optional<std::uint64_t> spin_us = std::nullopt;
  std::size_t steal_tasks = 0;  // that a thief of another process gets at most; 0: half of what is on offer
  std::size_t steal_chunk =
      0;  // tasks that a thief of the same process takes at most; 0: half of what is on offer
  std::uint64_t loop_grain =
      0;  // indices of a task of forall() where the call does not say; 0: by the size, 16 to 4,096
  std::uint64_t activity_us = 0;  // from so long intervals on activities() counts active fibers; 0: not
  std::size_t wire_packet_bytes = 64 << 10;  // what goes to another process at once; 4 KiB to 1 MiB
  std::size_t wire_packets = 0;  // of each core, for requests and for answers; 4 to 64; 0: by the neighbours
  std::size_t bulk_bytes = 64 << 10;  // a transfer moves blocks from so many on past all packets; 0: none
  routing routes = routing::automatic;  // how packets travel between processes (fabric/routes.hpp)
  /// Of barrier() and the collectives.
  barrier_algorithm barrier = barrier_algorithm::automatic;
  combine combining = combine::automatic;  // of structures that do not say it themselves
  /// Whether cores stay on a processor each.
  enum class pinning : std::uint8_t {
    automatic,
    on,
    off
  } pin = pinning::automatic;  // automatic: with a core per processor

  /// The job runs on a simulated cluster, on the calling thread: what GOSSAMER_SIMULATE says, unless
  /// something is said here. `cores` counts where it is given, else the simulation's.
  std::optional<simulation::options> simulate = {};
  simulation::outcome* simulated = nullptr;  // filled in at the end of such a run

  /// Returns the defaults, changed by what the environment sets: GOSSAMER_CORES, _SEED, _FIBERS and the others of
  /// docs/settings.md. Throws gossamer::error on a value that makes no sense.
  static job_options from_environment();
};

namespace parallel {
struct host_link;
/// Does what run() says. `host`: of a job that works for a host program (parallel/host_link.hpp).
void run_job(const job_options& options, function_ref<void()> main, const host_link* host = nullptr);
int report_errors(function_ref<void()> body) noexcept;
}  // namespace parallel

/// Starts the cores, runs main() in a fiber on core 0 and returns when it and all that it started have
/// finished. Rethrows what main threw. Throws gossamer::error for options that make no sense, for lack of
/// memory, and when the job stalls: every fiber waits and nothing is under way (the message lists the fibers that wait
/// for what). Not from inside a job. One job at a time: throws gossamer::error while another thread of the
/// process runs one. Costs ~100 us to start and end.
/// Started by a launcher with other processes (mpirun, srun), the job runs over all of them: each calls run()
/// the same number of times, main() runs in process 0 only, and in the others run() returns when that has
/// ended. Where main() throws or the job stalls, run() throws in all of them: what main threw in process 0,
/// in the others a gossamer::error with its text. Where a process has ended meanwhile, or begins another job,
/// run() throws gossamer::error in those that begin one. A program may start MPI itself (with
/// MPI_THREAD_SERIALIZED or more) and end it after its last job.
template <class F>
void run(const job_options& options, F main) {
  parallel::run_job(options, main);
}

/// Runs a job for a program's main(): options from the environment, errors as one line on standard error.
/// Returns the exit code: 0, what main returned, or 2 after an error.
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

/// Returns what each core has counted so far. From a fiber. Costs a call to every core, which looks through
/// the stacks it has used (stack_deepest).
std::vector<counters> statistics();
/// Returns how many fibers of each core were active since the job began, and how many of them waited. From a fiber. Empty unless
/// job_options::activity_us is set. Costs a call to every core.
std::vector<activity> activities();

/// Formats to standard output: `{}` for each argument (fmt syntax). A format of printf(), or one that leaves an argument out, does not compile.
template <class... Args>
void print(print_format<std::type_identity_t<Args>...> format, Args&&... args) {
  fmt::print(format.get(), std::forward<Args>(args)...);
}

}  // namespace gossamer
