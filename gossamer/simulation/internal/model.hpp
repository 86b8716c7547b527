#pragma once
// The interface between the engine of a simulation and its models: costs, network, and choices of the seed.
// Integers only: results do not depend on the compiler.

#include <cstdint>
#include <memory>

#include "gossamer/base/counters.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/simulation/internal/engine_interface.hpp"
#include "gossamer/simulation/simulation_options.hpp"

namespace gossamer::simulation {

class model {
 public:
  model() = default;
  model(const model&) = delete;
  model& operator=(const model&) = delete;
  virtual ~model() = default;

  /// Returns the minimum time from the beginning of a send until another process can receive the message, at
  /// least 1. A process may be ahead of the others by so much.
  virtual std::uint64_t lookahead_ns() const = 0;

  /// Returns the process's end of the network. Called once for every process, before any of them runs.
  virtual std::unique_ptr<fabric::transport> connect(unsigned process, engine_interface& engine) = 0;

  /// Returns the nanoseconds of the work of a core between two polls, from its counters then and now. `process`
  /// and core count from 0. Also gets the elapsed processor ticks, 0 if computing time is not measured.
  virtual std::uint64_t cost(unsigned process, unsigned core, const counters& before, const counters& now,
                             std::uint64_t real_ticks) = 0;

  virtual std::uint64_t look_ns() const = 0;  // one poll of data that others publish, which finds nothing
  virtual std::uint64_t wake_ns() const = 0;  // from the wake-up to the sleeper's next instruction
  virtual std::uint64_t start_ns() const = 0;  // of a thread
  virtual std::uint64_t yield_ns() const = 0;  // of a system call that yields

  /// Returns a number below n, n > 0, decided by seed and position: equal calls give equal answers.
  virtual unsigned choose(unsigned n, const char* what) = 0;

  /// Records an event of a trace. `what` is a literal.
  enum class trace_event : std::uint8_t { run, idle, timed_wait, wake, arrival, meet, end };
  virtual void note(trace_event, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
                    std::uint64_t argument) = 0;

  /// Ends the run, successful or not, and writes the trace if one was requested. Throws gossamer::error.
  virtual void ended() = 0;
};

/// Makes the models for the options. Throws gossamer::error on an unknown network.
std::unique_ptr<model> make_model(const options& o);

}  // namespace gossamer::simulation
