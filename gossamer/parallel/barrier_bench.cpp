// Barrier: every algorithm, on all cores of the job, which do nothing else. Wall time of core 0: the median
// of many short runs of barriers, as for line transfers. If started by a launcher, over its processes; then
// only process 0 reports. On a simulated cluster, in virtual time.

#include <optional>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/simulated.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

constexpr std::pair<std::string_view, barrier_algorithm> k_algorithms[] = {
    {"centralised", barrier_algorithm::centralised},
    {"tournament", barrier_algorithm::tournament},
    {"tree", barrier_algorithm::tree},
    {"dissemination", barrier_algorithm::dissemination},
    {"rcce", barrier_algorithm::rcce},
    {"automatic", barrier_algorithm::automatic},
};
constexpr unsigned k_barriers = 200;  // of one run

/// Measures barriers on every core: appends to `ns` the time of one in each repetition, as measured on this
/// core. Returns whether all cores have passed the same number.
bool meet_again_and_again(const settings& s, barrier_algorithm how, unsigned runs, samples& ns) {
  std::uint64_t passed = 0;
  const auto one_run = [&] {
    const std::uint64_t start = machine::now_ns();
    for (unsigned i = 0; i < k_barriers; ++i, ++passed) gossamer::barrier(how);
    return static_cast<double>(machine::now_ns() - start) / k_barriers;
  };
  ns = repeat(s, [&] {
    samples each;
    for (unsigned r = 0; r < runs; ++r) each.push_back(one_run());
    return median_of(each);
  });
  return all_reduce(passed, [](std::uint64_t a, std::uint64_t b) { return a == b ? a : 0; }) == passed;
}

/// Names a case, in the job that measures it.
std::string case_name(std::string_view how) {
  return processes() == 1
             ? fmt::format("{}, {} cores", how, cores())
             : fmt::format("{}, {} processes of {} cores", how, processes(), cores_per_process());
}

unsigned runs_of(const settings& s) {
  if (machine::simulated() != nullptr) return 1;  // in simulations all runs take the same time
  const bool spins = processes() == 1 && cores() <= allowed_processors().size();
  return spins ? s.pick(500U, 10U) : s.pick(20U, 2U);
}

struct result {
  samples ns;
  bool right = false;
};

/// Measures one algorithm. Returns nothing in the processes that do not run the main fiber.
std::optional<row> measure(const settings& s, const job_options& o, std::string_view name,
                           barrier_algorithm how) {
  result of_core_0;
  std::string called;
  run(o, [&] {
    scoped_per_core<result> all;
    on_all_cores([h = all.handle(), s, how, runs = runs_of(s)] {
      h.here().right = meet_again_and_again(s, how, runs, h.here().ns);
    });
    of_core_0 = all.here();
    called = case_name(name);
  });
  if (of_core_0.ns.empty()) return std::nullopt;
  return checked(row_of("barrier", called, "ns", of_core_0.ns), of_core_0.right);
}

}  // namespace

void barriers(const settings& s, const report& out) {
  const bool simulated = is_simulated();
  const bool here_alone = !simulated && !machine::find_launch().several();
  const row line = here_alone ? line_transfer(s, "barrier") : row{};
  if (here_alone) out.add(line);
  // 0 means all cores of the simulated cluster
  const std::vector<unsigned> counts =
      here_alone ? core_counts(s) : std::vector<unsigned>{simulated ? s.cores : std::max(1U, s.cores)};
  for (const unsigned cores : counts) {
    job_options o = job_options::from_environment();
    o.cores = cores;
    for (const auto& [name, how] : k_algorithms) {
      const std::optional<row> r = measure(s, o, name, how);
      const bool has_budget = here_alone && cores == 2 && how == barrier_algorithm::automatic;
      if (r) out.add(has_budget ? within_lines(*r, 0, 2, line.value) : *r);
    }
  }
}

}  // namespace gossamer::bench
