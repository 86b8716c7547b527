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
  /// Returns the time of the core that runs, with what it has done so far.
  virtual std::uint64_t now() = 0;
  /// Returns how long the running context has slept, looked in vain and given way. Moves no clock.
  virtual std::uint64_t waited() const = 0;
  /// Charges the core that runs with so much busy time.
  virtual void charge(std::uint64_t ns) = 0;
  /// Announces that there may be something to find at that process at `at`: a context that spins there looks
  /// then. Where it is another process, `at` is at least model::lookahead_ns() after the core that runs began
  /// to send.
  virtual void expect(unsigned process, std::uint64_t at) = 0;
  /// Blocks the core that runs, of `process`, until one of every process has come; all go on at the latest
  /// time of theirs.
  virtual void meet(unsigned process) = 0;
  /// Returns a number below n: 0 unless the seed says otherwise. `what` is a literal.
  virtual unsigned choose(unsigned n, const char* what) = 0;
  /// Ends the simulation with an error: the job of that process has called transport::abort().
  [[noreturn]] virtual void aborted(unsigned process, int code) = 0;
};

}  // namespace gossamer::simulation
