// Barrier: every algorithm, all cores of the job in step with nothing else to do. Wall time of core 0: the
// median of many short runs of barriers, as line transfers are measured. Started by a launcher, over its
// processes; then the processes other than 0 report nothing.

#include <optional>

#include "gossamer/machine/launcher.hpp"
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
    {"automatic", barrier_algorithm::automatic},
};
constexpr unsigned k_barriers = 200;  // of one run

/// Measures barriers on every core: `ns` gets the time of one in each repetition, as this core sees it.
/// Returns whether all cores have passed the same number.
bool meet_again_and_again(const settings& s, barrier_algorithm how, unsigned runs, samples& ns) {
  std::uint64_t passed = 0;
  const auto one_run = [&] {
    for (unsigned i = 0; i < k_barriers; ++i, ++passed) gossamer::barrier(how);
  };
  ns = repeat(s, [&] {
    samples each;
    for (unsigned r = 0; r < runs; ++r) each.push_back(wall_ns_of(one_run) / k_barriers);
    return median_of(each);
  });
  return all_reduce(passed, [](std::uint64_t a, std::uint64_t b) { return a == b ? a : 0; }) == passed;
}

std::string case_name(std::string_view how, const job_options& o, unsigned processes) {
  return processes == 1 ? fmt::format("{}, {} cores", how, o.cores)
                        : fmt::format("{}, {} processes of {} cores", how, processes, o.cores);
}

struct result {
  samples ns;
  bool right = false;
};

/// Measures one algorithm. Returns nothing in the processes that do not run the main fiber.
std::optional<row> measure(const settings& s, const job_options& o, std::string_view name,
                           barrier_algorithm how) {
  result of_core_0;
  run(o, [&] {
    const bool spins = processes() == 1 && o.cores <= allowed_processors().size();
    const unsigned runs = spins ? s.pick(500U, 10U) : s.pick(20U, 2U);
    scoped_per_core<result> all;
    on_all_cores([h = all.handle(), s, how, runs] {
      h.here().right = meet_again_and_again(s, how, runs, h.here().ns);
    });
    of_core_0 = all.here();
  });
  if (of_core_0.ns.empty()) return std::nullopt;
  return checked(row_of("barrier", case_name(name, o, machine::find_launch().processes), "ns", of_core_0.ns),
                 of_core_0.right);
}

}  // namespace

void barriers(const settings& s, const report& out) {
  const bool several = machine::find_launch().several();
  const row line = several ? row{} : line_transfer(s, "barrier");
  if (!several) out.add(line);
  const std::vector<unsigned> counts =
      several ? std::vector<unsigned>{std::max(1U, s.cores)} : core_counts(s);
  for (const unsigned cores : counts) {
    job_options o = job_options::from_environment();
    o.cores = cores;
    for (const auto& [name, how] : k_algorithms) {
      const std::optional<row> r = measure(s, o, name, how);
      const bool has_budget = !several && cores == 2 && how == barrier_algorithm::automatic;
      if (r) out.add(has_budget ? within_lines(*r, 0, 2, line.value) : *r);
    }
  }
}

}  // namespace gossamer::bench
