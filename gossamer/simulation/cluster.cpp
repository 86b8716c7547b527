#include "gossamer/simulation/cluster.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/machine/fault.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/simulation/internal/engine.hpp"
#include "gossamer/simulation/internal/model.hpp"
#include "gossamer/simulation/internal/process.hpp"

namespace gossamer::simulation {

namespace {

constexpr std::size_t k_main_stack_bytes = 1 << 20;

/// Appends a line about the run to the report file, for people and scripts. A file that cannot be written is
/// no reason to fail.
void report(const options& o, const outcome& end, const std::string& failure) {
  if (o.report.empty()) return;
  options what = o;
  what.report = what.trace = "";
  const std::string line =
      fmt::format("{}: {}.{:09} s of virtual time, {} steps, {} moves, digest {:016x}{}{}\n", what.print(),
                  end.virtual_ns / 1'000'000'000, end.virtual_ns % 1'000'000'000, end.steps, end.moves,
                  end.digest, failure.empty() ? "" : ", failed: ", failure);
  const bool to_screen = o.report == "-";
  std::FILE* const to = to_screen ? stderr : std::fopen(o.report.c_str(), "a");
  if (to == nullptr) return;
  std::fputs(line.c_str(), to);
  if (!to_screen) std::fclose(to);
}

/// Makes the node that begins with a process.
std::shared_ptr<node_share> make_node(const options& o, unsigned first) {
  auto made = std::make_shared<node_share>();
  for (unsigned p = first; p < std::min(first + std::max(1U, o.node), o.processes); ++p)
    made->what.processes.push_back(p);
  made->what.lane_packets = o.lane_packets;
  return made;
}

}  // namespace

outcome run(const options& o, function_ref<void(unsigned)> body) {
  GOSSAMER_ASSERT(machine::simulated() == nullptr && fiber::scheduler::current() == nullptr);
  machine::install_fault_handlers();  // bring in what is touched at common addresses
  const machine::fault_stack faults;  // of all simulated threads
  const std::unique_ptr<model> costs = make_model(o);
  std::vector<std::exception_ptr> thrown(o.processes);
  std::vector<std::unique_ptr<process>> processes;
  engine e(o, *costs);
  std::shared_ptr<node_share> node;
  for (unsigned p = 0; p < o.processes; ++p) {
    if (p % std::max(1U, o.node) == 0) node = make_node(o, p);
    processes.push_back(std::make_unique<process>(e, p, o.cores, o.seed,
                                                  o.processes > 1 ? costs->connect(p, e) : nullptr, node));
    e.set_system(p, *processes.back());
    e.add(
        p, "main",
        [&thrown, body, p] {
          try {
            body(p);
          } catch (...) {
            thrown[p] = std::current_exception();
          }
        },
        k_main_stack_bytes);
  }
  e.run();
  costs->ended();
  const outcome end{e.latest(), e.steps(), e.windows().moves(), e.digest()};
  report(o, end, e.failure());
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
  if (!e.failure().empty())
    throw error(fmt::format("{} (at {} ns of virtual time)", e.failure(), e.latest()));
  return end;
}

}  // namespace gossamer::simulation
