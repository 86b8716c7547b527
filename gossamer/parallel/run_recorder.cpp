#include "gossamer/parallel/run_recorder.hpp"

#include <algorithm>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/machine/thread.hpp"
#include "gossamer/message/delegate.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer {

/// Reads the counters of all cores at once. Their clocks differ; each is compared only with itself.
std::vector<run_recorder::moment> run_recorder::now() {
  std::vector<moment> all(cores());
  moment* const first = all.data();
  finish([first] {
    for (core_id c = 0; c < cores(); ++c)
      spawn([first, c] {
        first[c] = call_on(c, [] {
          auto& self = message::endpoint::here();
          self.count().idle_ns = self.idle_ns();
          return moment{machine::now_ns(), machine::simulated() == nullptr ? machine::thread_cpu_ns() : 0,
                        self.count()};
        });
      });
  });
  return all;
}

/// Returns the name under which a phase is recorded.
std::string_view run_recorder::name_in_record(std::string_view phase) const {
  constexpr std::size_t k_most_names = 200;
  if (phase.empty() || phase == phase_ || record_.phases.size() < k_most_names) return phase;
  const bool known = std::ranges::any_of(record_.phases, [phase](const auto& p) { return p.name == phase; });
  return known ? phase : "further phases";
}

/// Returns the running phase, which ends at `at`.
phase_record run_recorder::difference(const std::vector<moment>& at) const {
  phase_record done{.name = phase_, .cores = std::vector<core_record>(at.size())};
  for (std::size_t c = 0; c < at.size(); ++c) {
    core_record& r = done.cores[c];
    const moment &from = began_[c], &to = at[c];
    r.ns = to.at_ns - from.at_ns;
    r.cpu_ns = to.cpu_ns - from.cpu_ns;
    for (const counter_field& field : k_counter_fields)
      r.count.*field.member = to.count.*field.member - from.count.*field.member;
    r.count.fibers_peak = to.count.fibers_peak;  // not a difference: the maximum so far
  }
  return done;
}

void run_recorder::begin(std::string_view phase) {
  phase = name_in_record(phase);
  if (phase == phase_) return;
  std::vector<moment> at = now();
  if (!phase_.empty()) add_phase(record_.phases, difference(at));
  record_.cores_of_process = cores_per_process();
  record_.has_cpu_time = machine::simulated() == nullptr;
  phase_ = phase;
  began_ = std::move(at);
}

}  // namespace gossamer
