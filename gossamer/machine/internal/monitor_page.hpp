#pragma once
// What a node_watch and the process that it forks have in common: memory, and commands of one byte.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gossamer/machine/internal/node_heartbeat.hpp"
#include "gossamer/machine/internal/process_table.hpp"

namespace gossamer::machine {

/// Commands, one byte each.
inline constexpr char k_watch = 'w', k_dismiss = 'd', k_began = 'b', k_closing = 'c', k_leaving = 'l';

/// Whether the process that has the watch lives on when another one is lost, and has been told so. A futex.
///
///   ends_too -> lives_on -> told       the watch: a process was lost. Ends all but this one
///               lives_on -> ends_too   the process
enum survival : std::uint32_t { k_ends_too, k_lives_on, k_told };

// field       written by                     read by
// said        the watch, once                signal handlers of the process: a line has been printed already
// watch       the watch's parent, once       the process, after that one's end: to let the watch go on where
//                                            it was stopped, before its first instruction, too
// survivor    the process; the watch once    both: see survival
// loss        the watch, before survivor     the process, after it
// the others  the process, before the fork   the watch, after it (fork and socket order them)
//             or a command
struct monitor_page {
  std::atomic<bool> said{false};
  std::atomic<int> watch{0};  // its process number; none where it is below 1
  std::atomic<std::uint32_t> survivor{k_ends_too};
  char loss[256] = {};  // what was lost; no newline
  std::uint32_t count = 1;
  std::uint32_t stopped_s = 0;
  std::int64_t since_s = 0;  // when the job began, by the wall clock
  int parent = 0;  // of the process when the watch began; the common one of those of this node
  std::uint64_t parent_start = 0;
  std::uint64_t pid_namespace = 0;  // in which the process numbers count
  int launcher = 0;  // the parent; 0: none to watch
  std::uint64_t launcher_start = 0;
  std::uint32_t processes = 1;  // of the job, as the launcher says
  char launcher_name[16] = {};
  int top_launcher = 0;  // the farthest above it that is of the same MPI: mpiexec, above hydra_pmi_proxy
  std::uint64_t top_launcher_start = 0;
  char top_launcher_name[16] = {};
  char rank_variable[32] = {};  // that holds a process's rank in its environment; empty: none
  char host[64] = {};
  heartbeat_address next_node, first_node;  // without addresses: none
  heartbeat_peer own_node;
  std::uint32_t heard_nodes = 0;
  heartbeat_peer heard[node_heartbeat::k_most_heard] =
      {};  // by the first process of each; the one before this node first
  watched_process peers[k_most_watched] = {};
};

}  // namespace gossamer::machine
