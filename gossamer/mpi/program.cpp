// Where a program of gossamer-mpicc begins and ends. The linker's --wrap=main and --wrap=exit bring the start-up code here: main()
// is called by a fiber on the home core of every process, and exit() in a fiber ends that process's part of the job. Nothing
// else refers to this file, so that other programs do not get it from the archive.
#include <algorithm>
#include <cstdlib>

#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/mpi/internal/engine.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/parallel/remote.hpp"

extern "C" {
int __real_main(int argc, char** argv, char** environment);
[[noreturn]] void __real_exit(int code);
int __wrap_main(int argc, char** argv, char** environment);
[[noreturn]] void __wrap_exit(int code);
}

namespace gossamer::mpi {
namespace {

constexpr std::size_t k_main_stack_bytes = 8 << 20;  // what programs for threads are used to
constexpr std::size_t k_thread_stack_bytes = 256 << 10;

job_options options_of_program() {
  job_options o = job_options::from_environment();
  if (o.simulate || simulation::options::from_environment())
    throw error(
        "GOSSAMER_SIMULATE: a program of gossamer-mpicc cannot be simulated: its ranks would share their "
        "globals");
  if (o.cores == 0) o.cores = 1;
  o.main_stack_bytes = std::max(o.main_stack_bytes, k_main_stack_bytes);
  if (!read_setting(gossamer::options(), "GOSSAMER_STACK_BYTES")) o.stack_bytes = k_thread_stack_bytes;
  return o;
}

}  // namespace
}  // namespace gossamer::mpi

int __wrap_main(int argc, char** argv, char** environment) {
  using namespace gossamer;
  mpi::engine here(argc, argv, environment, &__real_main);
  const int failed = parallel::report_errors([] {
    run(mpi::options_of_program(),
        [] { on_all_processes([] { mpi::engine::of_process()->run_program(); }); });
  });
  return failed != 0 ? failed : here.exit_code();
}

void __wrap_exit(int code) {
  const auto* core = gossamer::fiber::scheduler::current();
  auto* const engine = gossamer::mpi::engine::of_process();
  if (engine != nullptr && core != nullptr && core->running() != nullptr) engine->exit_program(code);
  __real_exit(code);
}
