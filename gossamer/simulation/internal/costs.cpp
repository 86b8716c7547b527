#include "gossamer/simulation/internal/costs.hpp"

#include "gossamer/machine/clock.hpp"

namespace gossamer::simulation {

costs::costs(const options& o, const network& n, const unit_costs& units)
    : measured_(o.compute == options::computing::measured),
      scale_percent_(o.scale_percent),
      ticks_per_us_(measured_ ? machine::ticks_per_us() : 1),
      local_packet_ps_(n.local_packet_ns * 1000),
      local_byte_ps_(n.local_byte_ps),
      units_(units) {}

std::uint64_t costs::of(const counters& before, const counters& now, std::uint64_t real_ticks) const {
  const std::uint64_t ns =
      measured_ ? real_ticks * 10 * scale_percent_ / ticks_per_us_ : (counted_ps(before, now) + 999) / 1000;
  return std::max<std::uint64_t>(ns, 1);
}

std::uint64_t costs::counted_ps(const counters& before, const counters& now) const {
  const auto times = [&](std::uint64_t counters::* what) { return now.*what - before.*what; };
  return times(&counters::switches) * units_.switch_ps + times(&counters::messages) * units_.record_ps +
         times(&counters::runs) * units_.run_ps + times(&counters::tasks) * units_.task_ps +
         times(&counters::fibers_created) * units_.fiber_ps +
         times(&counters::steal_attempts) * units_.steal_attempt_ps +
         times(&counters::wakes_remote) * units_.wake_remote_ps +
         times(&counters::combine_requests) * units_.combine_request_ps +
         times(&counters::packets) * local_packet_ps_ + times(&counters::handled) * units_.handled_ps +
         times(&counters::received_bytes) * local_byte_ps_ + times(&counters::work_ns) * 1000;
}

}  // namespace gossamer::simulation
