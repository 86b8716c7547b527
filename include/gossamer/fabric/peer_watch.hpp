#pragma once
// The processes of a job as each other's neighbours: who they are, whether they are there, and what is said
// when one is not. Deaths and stops on this node are machine::node_watch's, which needs nobody's help. What
// happens on other nodes is known only by what comes from there: whoever receives says heard_from(), whoever
// sends sees to it that something leaves every heartbeat_ns(), and whoever polls asks quiet_too_long().
//
//   field    written by                    read by     protected by
//   heard_   whoever receives, any thread  any thread  atomics, relaxed: times, nothing hangs on them
//   in_job_  between jobs                  at exit     atomic

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/node_watch.hpp"

namespace gossamer::fabric {

class peer_watch {
 public:
  /// Collective: all processes of the transport tell each other who they are. Throws gossamer::error, the
  /// same one everywhere, where they are different programs or have different arguments or settings.
  /// `timeout_s`: how long a process may be silent; 0: for ever.
  peer_watch(transport& between, machine::node_watch& node, std::uint32_t timeout_s);

  /// "process 1 (pid 1234 on host)"
  std::string name(unsigned process) const { return all_[process].name(); }
  const std::vector<machine::process_identity>& all() const noexcept { return all_; }

  /// How many processes of this node, this one included, may use the very processors that this one may.
  unsigned sharing_processors() const noexcept { return sharing_; }

  /// A job begins: everybody counts as heard from now. Until job_ended() an exit() of this process ends
  /// the job.
  void job_began() noexcept;
  void job_ended() noexcept { in_job_.store(false, std::memory_order_relaxed); }
  bool in_job() const noexcept { return in_job_.load(std::memory_order_relaxed); }

  /// Something came from that process. One store and a look at the clock.
  void heard_from(unsigned process) noexcept {
    heard_[process].store(machine::now_ns(), std::memory_order_relaxed);
  }
  /// Whether nothing came for longer than the time-out. Ask now and then, not at every poll.
  bool quiet_too_long(unsigned process) const noexcept {
    return timeout_ns_ != 0 && process != rank_ &&
           machine::now_ns() > heard_[process].load(std::memory_order_relaxed) + timeout_ns_;
  }
  /// How often something should be sent to each process that may be waiting for it; 0: never.
  std::uint64_t heartbeat_ns() const noexcept { return timeout_ns_ / 4; }

  /// Of this process's failure that the others cannot know of: says "error: process 1 (pid 1234 on host):
  /// what" and ends the job everywhere.
  [[noreturn]] void fail(const char* what);

  /// Says "error: process 1 (pid 1234 on host) has not answered for 60 s" and ends the job everywhere.
  [[noreturn]] void give_up(unsigned process);

 private:
  [[noreturn]] void end_job();

  transport& between_;
  machine::node_watch& node_;
  const unsigned rank_;
  unsigned sharing_ = 0;
  const std::uint64_t timeout_ns_;
  std::vector<machine::process_identity> all_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> heard_;
  std::atomic<bool> in_job_{false};
};

}  // namespace gossamer::fabric
