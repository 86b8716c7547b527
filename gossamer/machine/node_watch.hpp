#pragma once
// Detects when a process of a job dies, stops, or is ended by its launcher, and makes every process on this
// node end. It is a small process of its own per node, forked before MPI starts, in its own session. A thread
// would not live long enough to report, because a launcher may end all processes of the job within a
// millisecond of the first death. It waits for the processes' descriptors (pidfd), which the kernel makes
// ready in the order of the deaths. It prints one line, sends SIGTERM to the others, and kills them a second
// later.
//
//   starting   watches the process that forked it            its death before the others are known: a line
//   --watch()-->     watching   all processes of this node   a death: a line, and the end of the others
//   --dismiss()-->   gone       another process's watches    (one per node is enough)
//   --closing()-->   closing    ends in order may come       a death by a signal: as above
//
// One process may survive (outlive()): it is notified of a loss instead, and no line is printed.
//
// The end of the launcher, the processes' parent, while they are watched is a loss, too. Stopped processes
// are detected in both phases; at the start these are the process that forked the watch, and others with the
// same parent. The sockets accept only processes of the same user, checked by the kernel.
//
// From watch() on, the watches of several nodes send each other heartbeats, by datagrams (ADR 0078): a node
// that was heard and is silent is lost, whatever MPI does meanwhile.
//
// It keeps no descriptor of the job open but standard error. Needs Linux 5.3 (pidfd_open); before that there
// is no watch.

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

/// The identity of a process, exchanged as bytes.
struct process_identity {
  std::array<char, 64> host{};  // ends with 0
  std::array<char, 40> boot{};  // boot id of the kernel: the same on one node
  std::array<char, 8> watch_address{};  // of its node_watch
  std::array<std::uint32_t, 4>
      heartbeat_hosts{};  // addresses at which its node_watch receives heartbeats; 0: none
  std::uint32_t heartbeat_port = 0;  // port for heartbeats; 0: none
  std::uint64_t pid_namespace = 0;  // process numbers are comparable if this is equal
  std::uint64_t start_time = 0;  // ticks after boot: distinguishes processes with a reused number
  std::uint32_t pid = 0;
  std::uint32_t rank = 0;

  /// Returns whether both are on one node. Nodes with one kernel have different host names, if not different
  /// process numbers.
  bool on_node_of(const process_identity& other) const noexcept {
    return boot == other.boot && pid_namespace == other.pid_namespace && host == other.host;
  }
  /// Returns the name of the process: "process 1 (pid 1234 on host)".
  std::string name() const;
};

/// Returns the identity of this process, `rank` in its job.
process_identity identify(unsigned rank);

class node_watch {
 public:
  /// Starts the watch of this process. `rank`: its number in the job, for messages. Forks. A process of this
  /// node that is stopped for `stopped_s` before watch() is lost. So is the job if this process waits as
  /// long, and some seconds, for processes that are not on this node; 0: never. Throws gossamer::error if
  /// there are too few descriptors or processes.
  explicit node_watch(unsigned rank, std::uint32_t stopped_s = 0);
  /// Ends the watch, if it belongs to this process, without a message: an orderly end.
  ~node_watch();
  node_watch(const node_watch&) = delete;
  node_watch& operator=(const node_watch&) = delete;

  const process_identity& self() const noexcept { return self_; }

  /// Watches all processes of the job. The first process of this node keeps its watch, which takes over the
  /// others; those end theirs. A process of this node that is stopped (SIGSTOP) for `stopped_s` while others
  /// run is lost, too. So is a node without heartbeats for so long; 0: never.
  void watch(const std::vector<process_identity>& all, std::uint32_t stopped_s);

  /// Notifies the watch that the processes have agreed on a job. From here on they detect each other by their
  /// messages.
  void job_begins() noexcept;

  /// Allows processes of this node to end from here on. Every process calls it, then a barrier, then ends.
  /// Prints a warning if the watch has already ended.
  void closing() noexcept;

  /// Lets this process survive the loss of another one of this node, which ends all but this one. Then a
  /// separate thread calls lost(why), once. Only for the first process of the node, after watch(). Returns
  /// false if there is no watch, or no thread.
  bool outlive(std::function<void(const std::string&)> lost);
  /// Makes this process end with the others again. Returns false if one was lost: then lost() has returned.
  bool end_with_others() noexcept;

  /// Returns whether a line about a lost process of this node has been printed; waits for it up to `wait_ms`.
  bool has_spoken(unsigned wait_ms) const noexcept;

  /// Returns whether this process may print the line about a loss. Only one of the watches and processes of
  /// this node may, once.
  bool may_speak() const noexcept;

  /// Announces that this process is about to end the job and has printed the reason: no line about its death.
  /// Any thread.
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
  std::optional<thread> listener_;  // while this process may survive
  int control_ = -1;  // commands to it
  std::array<int, 2> links_{-1, -1};  // connections to the node's watch, which detects that they close
};

/// Returns the process number of this process in the system.
std::uint64_t process_id() noexcept;

/// Waits, for 200 ms at most, until the reader of a piped standard error has read the output of this process:
/// a launcher that is told to end the job may not read it any more.
void wait_for_readers() noexcept;

}  // namespace gossamer::machine
