#pragma once
// What a node_watch shares with the process that it forks: memory, and commands of one byte.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gossamer/machine/internal/node_heartbeat.hpp"
#include "gossamer/machine/internal/process_table.hpp"

namespace gossamer::machine {

/// Commands, one byte each.
inline constexpr char k_watch = 'w', k_dismiss = 'd', k_began = 'b', k_closing = 'c', k_leaving = 'l';

/// Whether the process that has the watch survives the loss of another one, and has been notified of it. A
/// futex.
///
///   ends_too -> lives_on -> told       by the watch: a process was lost. Ends all but this one
///               lives_on -> ends_too   by the process
enum survival : std::uint32_t { k_ends_too, k_lives_on, k_told };

// field       written by                     read by
// said        the watch, once                signal handlers of the process: a line has been printed already
// watch the watch's parent, once the process, after the parent's end: to continue the watch if it was
// stopped,
//                                            also before its first instruction
// survivor    the process; the watch once    both: see survival
// loss        the watch, before survivor     the process, after it
// the others  the process, before the fork   the watch, after it (fork and socket order them)
//             or a command
struct monitor_page {
  std::atomic<bool> said{false};
  std::atomic<int> watch{0};  // its process number; none if below 1
  std::atomic<std::uint32_t> survivor{k_ends_too};
  char loss[256] = {};  // description of the loss; no newline
  std::uint32_t count = 1;
  std::uint32_t stopped_s = 0;
  std::int64_t since_s = 0;  // beginning of the job, by the wall clock
  int parent = 0;  // parent of the process when the watch began; the common parent of those of this node
  std::uint64_t parent_start = 0;
  std::uint64_t pid_namespace = 0;  // the namespace of the process numbers
  int launcher = 0;  // the parent; 0: not watched
  std::uint64_t launcher_start = 0;
  std::uint32_t processes = 1;  // of the job, as given by the launcher
  char launcher_name[16] = {};
  int top_launcher = 0;  // the farthest ancestor that belongs to the same MPI: mpiexec, above hydra_pmi_proxy
  std::uint64_t top_launcher_start = 0;
  char top_launcher_name[16] = {};
  char rank_variable[32] = {};  // environment variable of a process's rank; empty: none
  char host[64] = {};
  heartbeat_address next_node, first_node;  // no addresses: none
  heartbeat_peer own_node;
  std::uint32_t heard_nodes = 0;
  heartbeat_peer heard[node_heartbeat::k_most_heard] =
      {};  // of the first process of each node; the node before this one first
  watched_process peers[k_most_watched] = {};
};

}  // namespace gossamer::machine
