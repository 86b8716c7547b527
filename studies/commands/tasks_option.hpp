#pragma once
// The option --tasks of commands with tasks that wait.

#include <string>

#include "parse/declaration.hpp"

namespace gossamer::studies {

/// Declares --tasks: whether idle cores may take tasks.
inline void declare_tasks(cli::declaration& d, std::string& kind) {
  d.word("--tasks", "KIND", kind,
         "stealable: idle cores take tasks (default); private: they stay where they were started",
         {"stealable", "private"});
}

/// Returns whether idle cores may take tasks.
inline bool are_stealable(const std::string& kind) { return kind != "private"; }

}  // namespace gossamer::studies
