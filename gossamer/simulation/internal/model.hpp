#pragma once
// What the engine of a simulation asks of its models: what things cost, how packets travel, what the seed
// decides. Integers only: the answers are the same whatever compiler made them.

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

  /// Returns the least time from when a core begins to send until another process can find the message, at
  /// least 1. A process may be so far ahead of the others.
  virtual std::uint64_t lookahead_ns() const = 0;

  /// Returns the process's end of the network. Called once for every process, before any of them runs.
  virtual std::unique_ptr<fabric::transport> connect(unsigned process, engine_interface& engine) = 0;

  /// Returns the nanoseconds of what a core of a process (both counted from 0) has done between two looks.
  /// Given are its counters then and now, and the processor's real ticks that went by, 0 where computing is
  /// not measured.
  virtual std::uint64_t cost(unsigned process, unsigned core, const counters& before, const counters& now,
                             std::uint64_t real_ticks) = 0;

  virtual std::uint64_t look_ns() const = 0;  // one look at what others publish, which finds nothing
  virtual std::uint64_t wake_ns() const = 0;  // from the wake-up to the sleeper's next instruction
  virtual std::uint64_t start_ns() const = 0;  // of a thread
  virtual std::uint64_t yield_ns() const = 0;  // to the operating system

  /// Returns a number below n, n > 0, decided by seed and position: the same calls give the same answers.
  virtual unsigned choose(unsigned n, const char* what) = 0;

  /// What the engine tells for a trace. `what` is a literal.
  enum class trace_event : std::uint8_t { run, idle, timed_wait, wake, arrival, meet, end };
  virtual void note(trace_event, unsigned process, unsigned core, std::uint64_t from, std::uint64_t to,
                    std::uint64_t argument) = 0;

  /// Ends the run, well or not, and writes a trace that was asked for. Throws gossamer::error.
  virtual void ended() = 0;
};

/// Makes the models that the options ask for. Throws gossamer::error on an unknown network.
std::unique_ptr<model> make_model(const options& o);

}  // namespace gossamer::simulation
