// Runtimes over several processes, for serves_test.py: serves_program MODE. Process 0 is the host and says how calls
// ended; the others serve and say how that ended. All end with 0 where that was as the mode asks.

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gossamer/fiber/sync.hpp"
#include "gossamer/host/runtime.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/collective.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace {

using namespace gossamer;

const unsigned k_rank = machine::find_launch().rank;

void say(std::string_view what) { machine::write_error(fmt::format("process {}: {}\n", k_rank, what)); }

/// Runs f(); says what it threw.
template <class F>
void attempt(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    say(e.what());
  }
}

/// Counts the cores that an array of one element each has been written by, in two calls.
void use(runtime& r) {
  const auto marks = r.keep([] { return scoped_array<std::uint64_t>(cores()); });
  r.call([&] { forall(marks->handle(), [](std::uint64_t& mark) { mark = here() + 1; }); });
  const auto sum = r.call([&] {
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < marks->size(); ++i) all += marks->read(i);
    return all;
  });
  attempt([&] {
    r.call([] {
      on_all_cores([] {
        if (here() == cores() - 1) throw std::out_of_range("at the last core");
      });
    });
  });
  say(fmt::format("{} processes, {} cores, sum {}", r.processes(), r.cores(), sum));
}

std::atomic<bool> began{false};  // in each process

/// Interrupts a loop that no process would ever end, and runs whole ones after it.
void interrupt(runtime& r) {
  began = false;
  auto endless = r.submit([] { forall(0, std::uint64_t{1} << 50, [](std::uint64_t) { began = true; }); });
  while (!began) {}
  if (!r.interrupt()) say("no call ran");
  attempt([&] { endless.get(); });
}

std::atomic<bool> was_interrupted{false};

/// Interrupts a call before a loop that stands between collectives of processes: it must not end in process 0 only.
void interrupt_between_collectives(runtime& r) {
  auto call = r.submit([] {
    on_all_processes([] {
      const uninterrupted collective;
      if (process() == 0) {
        began = true;
        while (!was_interrupted) parallel::core::here().yield();
      }
      std::atomic<std::uint64_t> pieces{0};
      local::forall_chunks(0, 100, 1, [&](std::uint64_t, std::uint64_t) { ++pieces; });
      for (const std::uint64_t n : all_gather_processes(pieces.load()))
        if (n != 100) say("a loop was cut");
    });
    check_interrupt();
    say("a call went on");
  });
  while (!began) {}
  if (!r.interrupt()) say("no call ran");
  was_interrupted = true;
  attempt([&] { call.get(); });
}

/// Loses the last process during a call, and goes on without a runtime.
void lose_process(runtime& r) {
  attempt([&] { r.call([] { on_core(cores() - 1, [] { (void)std::raise(SIGKILL); }); }); });
  attempt([&] { r.call([] {}); });
  r.end();
  attempt([] { runtime another({.cores = 2}); });
}

void submit_calls(std::string_view mode, runtime& r) {
  if (mode == "interrupts") {
    interrupt(r);
    interrupt(r);
  }
  if (mode == "interrupts-collectives") interrupt_between_collectives(r);
  use(r);
  if (mode == "stalls") {
    attempt([&] { r.call([] { fiber::semaphore(0).acquire(); }); });
    attempt([&] { r.call([] {}); });
  }
  if (mode == "loses") lose_process(r);
  if (mode == "exits") {
    (void)r.submit([] { say("the last call"); });
    std::exit(0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 2 ? argv[1] : "";
  for (int i = 0; i < (mode == "twice" ? 2 : 1); ++i) {
    auto* const r = new runtime({.cores = 2});  // never destroyed where the program exits
    if (k_rank == 0) {
      attempt([&] { r->serve(); });
      submit_calls(mode, *r);
    } else {
      attempt([&] { r->call([] {}); });
      attempt([&] { r->serve(); });
      say("has served");
    }
    delete r;
  }
  return 0;
}
