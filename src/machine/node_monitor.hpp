#pragma once
// What a node_watch and the process that it forks have in common; and that process's main function. It runs
// in a fork of a process that may have threads: no allocation, no locks, no exceptions there.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gossamer::machine {

/// Commands, one byte each.
inline constexpr char k_watch = 'w', k_dismiss = 'd', k_closing = 'c', k_leaving = 'l';

inline constexpr std::size_t k_most_watched = 1024;  // processes of one node

struct watched_process {
  int pid;
  std::uint32_t rank;
  std::uint64_t start_time;
};

// field       written by                     read by
// said        the watch, once                signal handlers of the process: a line has been printed already
// the others  the process, before a command  the watch, after it (the pipe orders them)
struct monitor_page {
  std::atomic<bool> said{false};
  std::uint32_t count = 1;
  std::uint32_t stopped_s = 0;
  std::int64_t since_s = 0;  // when the job began, by the wall clock
  int parent = 0;
  std::uint64_t parent_start = 0;
  char host[64] = {};
  watched_process peers[k_most_watched] = {};
};

inline constexpr std::size_t k_monitor_page_bytes = sizeof(monitor_page);

struct monitor_descriptors {
  int control, listener, own;
};

/// The watch itself.
[[noreturn]] void run_monitor(monitor_page& page, monitor_descriptors given) noexcept;

/// When a process started, in ticks after boot; 0 where there is none. Async-signal-safe.
std::uint64_t start_time_of(int pid) noexcept;

}  // namespace gossamer::machine
