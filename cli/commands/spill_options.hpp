#pragma once
// Options of commands that use scratch files if the memory is too small.

#include <cstdint>
#include <string>

#include "output/session.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {

struct spill_options {
  std::uint64_t memory = 0;  // bytes; 0: not given
  std::string scratch, resume;

  /// Declares --memory and --scratch. `what` names the data that --memory bounds.
  void declare(declaration& d, const std::string& what);
  /// Declares --resume.
  void declare_resume(declaration& d);
  /// Returns the bound: that of --memory, or half of the memory that GOSSAMER_MEMORY_LIMIT leaves, or 0 if
  /// neither is set. Inside the job.
  std::uint64_t bound() const;
};

/// Reports the data in scratch files, and sets the keys spills, spilled_pairs and spilled_bytes.
void say_spills(session& s, std::uint64_t spills, std::uint64_t pairs, std::uint64_t bytes);
/// Reports the work of an earlier start, and sets the key tasks_before.
void say_tasks_before(session& s, std::uint64_t tasks);

}  // namespace gossamer::cli
