#pragma once
// Kinds of faults that a seed may inject. Each choice (simulated_system::choose, engine_interface::choose)
// names its kind by its literal. While that kind is off, the answer is 0, the usual course. The harmless
// kinds (another order, another delay) may happen on any machine; no protocol may fail because of them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::simulation {

enum class fault : std::uint8_t {
  order,  // which of several cores with near clocks goes first; where development builds preemption_point
  ready,  // order of ready fibers, length of a turn
  steal,  // which core is the victim, and when
  delay,  // extra time of a message; order between different pairs of processes
  spin,  // which spinning core detects an arrival
  cost,  // cost of a step, from half to four times
  slow,  // cores that are always slower than the others
  pause,  // cores that the operating system preempts for 50 us to 5 ms
  lock,  // a try_lock fails because another core holds the lock
  pools,  // pools of packets, fibers and buffers at their minimum
  compute,  // fibers that compute for 10 us to 20 ms before a call, while their core does not poll; in development builds
};

inline constexpr unsigned k_faults = 11;

struct fault_kind {
  fault kind;
  const char* name;  // as in --faults order,delay and as the `what` of a choice
  const char* meaning;  // a line of help
};

inline constexpr std::array<fault_kind, k_faults> k_fault_kinds{{
    {fault::order, "order", "which of several cores goes first"},
    {fault::ready, "ready", "order of ready fibers, length of a turn"},
    {fault::steal, "steal", "who is robbed, and when"},
    {fault::delay, "delay", "messages that take longer, other order between different pairs"},
    {fault::spin, "spin", "which spinning core sees an arrival"},
    {fault::cost, "cost", "steps that take from half to four times as long"},
    {fault::slow, "slow", "slow cores"},
    {fault::pause, "pause", "cores taken away for 50 us to 5 ms"},
    {fault::lock, "lock", "tried locks that are taken"},
    {fault::pools, "pools", "pools at their minimum"},
    {fault::compute, "compute", "fibers that compute for 10 us to 20 ms between calls"},
}};

/// A set of kinds.
class fault_set {
 public:
  constexpr fault_set() = default;
  static constexpr fault_set all() { return fault_set((1U << k_faults) - 1); }

  /// Parses "none", "all", or names separated by commas. Throws gossamer::error that names an unknown one.
  static fault_set parse(std::string_view text);
  std::string print() const;

  constexpr bool has(fault f) const { return (bits_ >> static_cast<unsigned>(f) & 1) != 0; }
  constexpr void add(fault f) { bits_ |= 1U << static_cast<unsigned>(f); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const fault_set&) const = default;

 private:
  constexpr explicit fault_set(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

/// Returns the kind of that name. An unknown name counts as `order`, so that no new choice is omitted.
fault fault_named(std::string_view what);

}  // namespace gossamer::simulation
