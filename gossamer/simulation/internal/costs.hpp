#pragma once
// The cost of computing in virtual time. `fixed` charges fixed costs for the counters of a core: reproducible
// to the bit. `measured` charges the computing time, scaled: it differs from run to run. The rest of the
// model is the same. The counted code paths are not instrumented: the engine compares the counters of a core
// when it polls or reads the time.

#include <cstdint>

#include "gossamer/base/counters.hpp"
#include "gossamer/simulation/network.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

/// Picoseconds of each counted event; traffic between cores of a process is in network.hpp.
struct unit_costs {
  std::uint64_t switch_ps = 5'000;  // context switch with its share of the ready ring
  std::uint64_t record_ps = 4'000;  // record issued into a packet
  std::uint64_t run_ps = 5'000;  // typed run issued
  std::uint64_t handled_ps = 5'000;  // record run for the core that issued it
  std::uint64_t task_ps = 30'000;  // task run: taken, called, counted
  std::uint64_t fiber_ps = 20'000;  // fiber begun: stack taken and returned
  std::uint64_t steal_attempt_ps = 60'000;  // poll of a victim: two lines of another core
  std::uint64_t wake_remote_ps = 60'000;  // wake-up of a fiber from another core
  std::uint64_t combine_request_ps = 10'000;  // request merged into its core's batch
};

class costs {
 public:
  /// Reads the rate of the processor's ticks: not inside a simulation.
  costs(const options& o, const network& n, const unit_costs& units = {});

  /// Returns the cost, in nanoseconds, of a core's work between the two counts, during so many processor
  /// ticks.
  std::uint64_t of(const counters& before, const counters& now, std::uint64_t real_ticks) const;

 private:
  std::uint64_t counted_ps(const counters& before, const counters& now) const;

  bool measured_;
  std::uint64_t scale_percent_, ticks_per_us_;
  std::uint64_t local_packet_ps_, local_byte_ps_;
  unit_costs units_;
};

}  // namespace gossamer::simulation
