#pragma once
// The options of commands that go to scratch files where the memory is not enough.

#include <cstdint>
#include <string>

#include "output/session.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {

struct spill_options {
  std::uint64_t memory = 0;  // bytes; 0: not given
  std::string scratch, resume;

  /// Declares --memory and --scratch. `what` is bounded.
  void declare(declaration& d, const std::string& what);
  /// Declares --resume.
  void declare_resume(declaration& d);
  /// Returns the bound: of --memory, or else half of what GOSSAMER_MEMORY_LIMIT leaves, or 0 where that is not set.
  /// Inside of the job.
  std::uint64_t bound() const;
};

/// Says what went to scratch files, and sets the keys spills, spilled_pairs and spilled_bytes.
void say_spills(session& s, std::uint64_t spills, std::uint64_t pairs, std::uint64_t bytes);
/// Says what an earlier start had done, and sets the key tasks_before.
void say_tasks_before(session& s, std::uint64_t tasks);

}  // namespace gossamer::cli
