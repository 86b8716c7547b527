#pragma once
// A protocol of the runtime as the seeds of a simulation try it: a small job that uses little else, whose
// outcome is known exactly. Everything about a run follows from its seed: topology, network, faults, pools
// and what the job does.
//
// What a job finds out lies in memory of the program that all simulated processes see (they are one
// program), so that it needs no messages of the runtime under test. Handles and numbers are captured as ever.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <fmt/core.h>

#include "gossamer/base/random.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/simulation/faults.hpp"

namespace gossamer::test {

/// The numbers of one seed, one after the other.
class draws {
 public:
  explicit draws(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t next() { return hash64(seed_, number_++); }
  /// Draws a number below n.
  unsigned below(std::uint64_t n) { return static_cast<unsigned>(next() % n); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& of(const T (&choices)[N]) {
    return choices[below(N)];
  }

 private:
  std::uint64_t seed_, number_ = 0;
};

struct protocol {
  const char* name;
  /// Changes what is usual (usual_job()) to what tries this protocol hardest. May be null.
  void (*prepare)(job_options& o, draws& d);
  /// In the main fiber.
  void (*run)(draws& d);
  /// After the job: whatever can only be said then.
  void (*check)();
  /// Where runs may end in an error: what is wrong, given its text, or nothing for none. Fibers may be left
  /// behind then.
  std::string (*judge)(const std::string& error) = nullptr;
};

std::span<const protocol> protocols();

/// Reports that something is wrong. The first time counts; the run goes on, and fails with this text.
void complain(std::string what);

template <class... Args>
void complain_unless(bool right, fmt::format_string<Args...> format, Args&&... args) {
  if (!right) [[unlikely]]
    complain(fmt::format(format, std::forward<Args>(args)...));
}

/// Lets the others of this core run, and time go by, by as much as is drawn; often not at all.
void dawdle(draws& d);

/// One of the numbers of processes and cores, `processes` x `cores`.
struct shape {
  unsigned processes, cores;
};
void give(job_options& o, const shape& s);

/// Takes kinds of faults away.
void without(job_options& o, simulation::fault kind);

/// Returns the job of a seed, as prepared.
job_options job_of(const protocol& p, std::uint64_t seed);

/// Runs it; what is wrong, or nothing. What a failed run had under way is left behind.
std::string failure_of(const protocol& p, std::uint64_t seed, const job_options& o);

}  // namespace gossamer::test
