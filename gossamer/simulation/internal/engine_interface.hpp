#pragma once
// The engine of a simulation as its models (network, faults) see it; tests of the models bring their own.
// All times are nanoseconds of virtual time since the simulation began.

#include <cstdint>

namespace gossamer::simulation {

class engine_interface {
 public:
  engine_interface() = default;
  engine_interface(const engine_interface&) = delete;
  engine_interface& operator=(const engine_interface&) = delete;
  virtual ~engine_interface() = default;

  virtual unsigned processes() const = 0;
  /// Returns the time of the running core, including its work so far.
  virtual std::uint64_t now() = 0;
  /// Returns how long the running context has slept, polled without success and yielded. Does not advance the
  /// clock.
  virtual std::uint64_t waited() const = 0;
  /// Charges the running core with so much busy time.
  virtual void charge(std::uint64_t ns) = 0;
  /// Announces an arrival at that process at time `at`: a context that spins there polls then. For another
  /// process, `at` is at least model::lookahead_ns() after the running core began to send.
  virtual void expect(unsigned process, std::uint64_t at) = 0;
  /// Blocks the running core, of `process`, until one core of every process has called it; all continue at
  /// the latest of their times.
  virtual void meet(unsigned process) = 0;
  /// Returns a number below n: 0 unless the seed decides otherwise. `what` is a literal.
  virtual unsigned choose(unsigned n, const char* what) = 0;
  /// Ends the simulation with an error: the job of that process has called transport::abort().
  [[noreturn]] virtual void aborted(unsigned process, int code) = 0;
};

}  // namespace gossamer::simulation
