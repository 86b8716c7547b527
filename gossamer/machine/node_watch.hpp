#pragma once
// Notices when a process of a job of several dies, stops, or is ended by its launcher, and sees to it that
// every process on this node ends: a small process of its own per node (forked before MPI starts, in a session of
// its own), because a launcher may end all processes of the job within a millisecond of the first death: a
// thread of theirs would not live to tell. It waits on the processes' descriptors (pidfd), which the kernel
// makes ready in the order of the deaths. It prints one line, asks the others to end (SIGTERM), and ends them
// a second later.
//
//   starting   watches the process that forked it            its death before the others are known: a line
//   --watch()-->     watching   all processes of this node   a death: a line, and the end of the others
//   --dismiss()-->   gone       another process's watches    (one per node is enough)
//   --closing()-->   closing    ends in order may come       a death by a signal: as above
//
// One process may live on (outlive()): it is told of a loss instead, and no line is printed.
//
// The end of the processes' parent, the launcher, while they are watched is a loss, too. A stopped process is
// looked for in both phases; at the start that is the one that forked the watch, and those of the same
// parent. Only processes of the same user can tell the watch anything: the sockets ask the kernel.
//
// From watch() on, the watches of several nodes give each other signs of life, by datagrams (ADR 0078): a node that was
// heard and is silent is lost, whatever MPI does meanwhile.
//
// It holds nothing but standard error. Needs Linux 5.3 (pidfd_open); before that there is no watch.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gossamer/machine/thread.hpp"

namespace gossamer::machine {

/// What a process tells the others of itself; exchanged as bytes.
struct process_identity {
  std::array<char, 64> host{};  // ends with 0
  std::array<char, 40> boot{};  // of the kernel: the same on one node
  std::array<char, 8> watch_address{};  // of its node_watch
  std::array<std::uint32_t, 4> heartbeat_hosts{};  // where its node_watch hears other nodes; 0: none
  std::uint32_t heartbeat_port = 0;  // the same; 0: none
  std::uint64_t pid_namespace = 0;  // process numbers mean the same where this is the same
  std::uint64_t start_time = 0;  // ticks after boot: tells a process from a later one of its number
  std::uint32_t pid = 0;
  std::uint32_t rank = 0;

  /// Returns whether both are on one node. Nodes of one kernel have names of their own, if not process numbers.
  bool on_node_of(const process_identity& other) const noexcept {
    return boot == other.boot && pid_namespace == other.pid_namespace && host == other.host;
  }
  /// Names the process: "process 1 (pid 1234 on host)".
  std::string name() const;
};

/// Returns the identity of this process, `rank` in its job.
process_identity identify(unsigned rank);

class node_watch {
 public:
  /// Starts the watch of this process. `rank`: its number in the job, for messages. Forks. A process of this
  /// node that is stopped for `stopped_s` before watch() is lost; so is the job where this one waits as long, and some
  /// seconds, for processes that are not on this node; 0: never. Throws gossamer::error where there are too few
  /// descriptors or processes.
  explicit node_watch(unsigned rank, std::uint32_t stopped_s = 0);
  /// Ends the watch, if it is this process's, without a word: an orderly end.
  ~node_watch();
  node_watch(const node_watch&) = delete;
  node_watch& operator=(const node_watch&) = delete;

  const process_identity& self() const noexcept { return self_; }

  /// Watches all processes of the job. The first of this node keeps its watch, which takes the others in;
  /// those end theirs. A process of this node that has been stopped (SIGSTOP) for `stopped_s` while others
  /// run is lost, too. So is a node that gives no sign of life for so long; 0: never.
  void watch(const std::vector<process_identity>& all, std::uint32_t stopped_s);

  /// Tells the watch that the processes agree on a job. From here on they know by its messages that the
  /// others are there.
  void job_begins() noexcept;

  /// Lets processes of this node end from here on. Every process calls it, then a barrier, then ends. Prints
  /// a warning where the watch has ended before.
  void closing() noexcept;

  /// Lets this process live on when another one of this node is lost, which ends all but this one. lost(why) is called then,
  /// once, by a thread of its own. Only for the first process of the node, after watch(). Returns false where there is no watch, or
  /// no thread.
  bool outlive(std::function<void(const std::string&)> lost);
  /// Lets this process end with the others again. Returns false where one was lost: then lost() has returned.
  bool end_with_others() noexcept;

  /// Returns whether a line has been printed about a lost process of this node, waiting for it up to
  /// `wait_ms`.
  bool has_spoken(unsigned wait_ms) const noexcept;

  /// Returns whether this process may print the line about a loss, once: of the watches and processes of this node one
  /// may.
  bool may_speak() const noexcept;

  /// Announces that this process is about to end the job and has said why: no line about its death. Any
  /// thread.
  void leaving() noexcept;

 private:
  struct shared_page;
  void find_launcher();
  void find_other_nodes(const std::vector<process_identity>& all, const process_identity& self);
  bool send_command(char what) const noexcept;
  void dismiss() noexcept;

  process_identity self_;
  shared_page* page_ = nullptr;  // shared with the watch
  bool has_begun_ = false;
  std::optional<thread> listener_;  // while this process lives on
  int control_ = -1;  // commands to it
  std::array<int, 2> links_{-1, -1};  // to the node's watch, which sees them close
};

/// Returns the number of this process, as the system has it.
std::uint64_t process_id() noexcept;

/// Waits until the reader of a piped standard error has read what this process wrote, for 200 ms at most: a
/// launcher that is told to end the job need not look at it any more.
void wait_for_readers() noexcept;

}  // namespace gossamer::machine
