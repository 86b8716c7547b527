#pragma once
// What a node_watch and the process that it forks have in common; and that process's main function. It runs
// in a fork of a process that may have threads: no allocation, no locks, no exceptions there.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gossamer::machine {

/// Commands, one byte each.
inline constexpr char k_watch = 'w', k_dismiss = 'd', k_began = 'b', k_closing = 'c', k_leaving = 'l';

inline constexpr std::size_t k_most_watched = 1024;  // processes of one node
inline constexpr std::size_t k_most_links = 2 * k_most_watched;

struct watched_process {
  int pid;
  std::uint32_t rank;
  std::uint64_t start_time;
};

// field       written by                     read by
// said        the watch, once                signal handlers of the process: a line has been printed already
// watch       the watch's parent, once       the process, after that one's end: to let the watch go on where
//                                            it was stopped, before its first instruction, too
// survivor    the process; the watch once    both: see survival
// loss        the watch, before survivor     the process, after it
// the others  the process, before the fork   the watch, after it (fork and socket order them)
//             or a command
/// Whether the process that has the watch lives on when another one is lost, and has been told so. A futex.
///
///   ends_too -> lives_on -> told       the watch: a process was lost. Ends all but this one
///               lives_on -> ends_too   the process
enum survival : std::uint32_t { k_ends_too, k_lives_on, k_told };

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
  int launcher = 0;  // the parent once the processes know each other; 0: none to watch
  std::uint64_t launcher_start = 0;
  std::uint32_t processes = 1;  // of the job, as the launcher says
  char launcher_name[16] = {};
  char rank_variable[32] = {};  // that holds a process's rank in its environment; empty: none
  char host[64] = {};
  watched_process peers[k_most_watched] = {};
};

inline constexpr std::size_t k_monitor_page_bytes = sizeof(monitor_page);

struct monitor_descriptors {
  int control, listener, own;
};

/// Runs the watch.
[[noreturn]] void run_monitor(monitor_page& page, monitor_descriptors given) noexcept;

/// Takes a name that one process of this user can have; returns false where another one has it. Before the
/// processes know each other each has its own watch, and one death is followed by others. All of them have
/// one parent on this node. A name made of it, outside the file system, can be taken once, and is held until
/// the end. Names that other users hold do not count: there are a few. Where all are held, a line is printed
/// twice at worst.
bool take_name(const char* what, std::uint64_t pid_namespace, int parent,
               std::uint64_t parent_start) noexcept;

/// Returns when a process started, in ticks after boot; 0 where there is none. Async-signal-safe.
std::uint64_t start_time_of(int pid) noexcept;

/// Returns whether the socket's other end belongs to the user of this process. Async-signal-safe.
bool connects_own_user(int connected) noexcept;

}  // namespace gossamer::machine
