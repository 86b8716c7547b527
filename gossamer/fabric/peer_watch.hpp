#pragma once
// The processes of a job as each other's neighbours: what they are, whether they are there, and what is said
// when one is not. Deaths and stops on this node are machine::node_watch's, which needs no other process. What
// happens on other nodes is known only by what comes from there: wire::heartbeat() looks.
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

  /// Names a process: "process 1 (pid 1234 on host)".
  std::string name(unsigned process) const { return all_[process].name(); }
  const std::vector<machine::process_identity>& all() const noexcept { return all_; }

  /// Returns how many processes of this node, this one included, may use the very processors that this one
  /// may.
  unsigned sharing_processors() const noexcept { return sharing_; }

  /// Notes that a job has begun: until job_ended() an exit() of this process ends the job.
  void job_began() noexcept {
    in_job_.store(true, std::memory_order_relaxed);
    node_.job_begins();
  }
  void job_ended() noexcept { in_job_.store(false, std::memory_order_relaxed); }
  bool in_job() const noexcept { return in_job_.load(std::memory_order_relaxed); }

  /// Returns how many seconds a process may be silent; 0: for ever.
  std::uint32_t timeout_s() const noexcept { return timeout_s_; }

  /// Lets this process, the first of all, live on when another one is lost: the others end, lost(why) is called by a thread of
  /// its own. Returns false where the launcher would end this one, too.
  bool outlive(std::function<void(const std::string&)> lost);
  /// Lets this process end with the others again. Returns false where one was lost: lost() has returned, and this process
  /// is alone from here on.
  bool end_with_others();
  bool is_alone() const noexcept { return !loss_.empty(); }
  /// Returns what was lost; empty: nothing.
  const std::string& loss() const noexcept { return loss_; }

  /// Reports a failure of this process that the others cannot know of, and ends the job everywhere. Prints
  /// "error: process 1 (pid 1234 on host): what", unless the loss of a process has been reported.
  [[noreturn]] void fail(const char* what);

  /// Says "error: process 1 (pid 1234 on host) has not answered for 20 s" and ends the job everywhere.
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
