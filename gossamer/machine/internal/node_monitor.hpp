#pragma once
// The main function of the process that a node_watch forks. It runs in a fork of a process that may have
// threads: no allocation, no locks, no exceptions there.

#include "gossamer/machine/internal/monitor_page.hpp"

namespace gossamer::machine {

/// The descriptors that the watch inherits; below 0: none.
struct monitor_descriptors {
  int control;  // commands of its process
  int listener;  // of links
  int own;  // pidfd of its process
  int heartbeat;  // of open_heartbeat()
};

/// Runs the watch.
[[noreturn]] void run_monitor(monitor_page& page, monitor_descriptors given) noexcept;

}  // namespace gossamer::machine
