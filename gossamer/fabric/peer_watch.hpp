#pragma once
// Detects lost processes of a job, and reports them. machine::node_watch detects deaths and stops on this
// node without other processes. Losses on other nodes are detected by missing messages: wire::heartbeat()
// counts them.
//
//   field      written by                     read by                     protected by
//   in_job_    between jobs                   at exit                     atomic
//   outlives_  the thread that runs the job   the same
//   loss_      the node watch's thread, once  after end_with_others()     which joins that thread

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/node_watch.hpp"

namespace gossamer::fabric {

class peer_watch {
 public:
  /// Collective: all processes of the transport introduce themselves. Throws gossamer::error, the
  /// same one everywhere, where they are different programs or have different arguments or settings.
  /// `timeout_s`: how long a process may be silent; 0: for ever.
  peer_watch(transport& between, machine::node_watch& node, std::uint32_t timeout_s);

  /// Returns the name of a process: "process 1 (pid 1234 on host)".
  std::string name(unsigned process) const { return all_[process].name(); }
  const std::vector<machine::process_identity>& all() const noexcept { return all_; }

  /// Returns how many processes of this node, this one included, may run on the same processors as this one.
  unsigned sharing_processors() const noexcept { return sharing_; }

  /// Notes that a job has begun: until job_ended(), an exit() of this process ends the job.
  void job_began() noexcept {
    in_job_.store(true, std::memory_order_relaxed);
    node_.job_begins();
  }
  void job_ended() noexcept { in_job_.store(false, std::memory_order_relaxed); }
  bool in_job() const noexcept { return in_job_.load(std::memory_order_relaxed); }

  /// Returns how many seconds a process may be silent; 0: for ever.
  std::uint32_t timeout_s() const noexcept { return timeout_s_; }

  /// Lets this process, which must be process 0, survive the loss of another one. Then the others end, and a
  /// separate thread calls lost(why). Returns false if the launcher would end this process, too.
  bool outlive(std::function<void(const std::string&)> lost);
  /// Makes this process end with the others again. Returns false if one was lost: lost() has returned, and
  /// this process is alone.
  bool end_with_others();
  bool is_alone() const noexcept { return !loss_.empty(); }
  /// Returns the description of the loss; empty if there was none.
  const std::string& loss() const noexcept { return loss_; }

  /// Reports a failure that only this process can detect, and ends the job everywhere. Prints "error: process
  /// 1 (pid 1234 on host): what", unless the loss of a process has been reported.
  [[noreturn]] void fail(const char* what);

  /// Prints "error: process 1 (pid 1234 on host) has not answered for 20 s" and ends the job everywhere.
  [[noreturn]] void give_up(unsigned process);

 private:
  [[noreturn]] void end_job();

  transport& between_;
  machine::node_watch& node_;
  const unsigned rank_;
  unsigned sharing_ = 0;
  const std::uint32_t timeout_s_;
  std::vector<machine::process_identity> all_;
  std::atomic<bool> in_job_{false};
  bool outlives_ = false;
  std::string loss_;
};

}  // namespace gossamer::fabric
