#pragma once
// What processes of one job must have in common, as numbers that can be compared: the program, its arguments,
// and the settings that it takes from the environment.

#include <cstdint>

namespace gossamer::machine {

struct program_digest {
  std::uint64_t program = 0;  // its build: the linker's build id, or else what the linker made
  std::uint64_t arguments = 0;  // all but the program's own name
  std::uint64_t settings = 0;  // GOSSAMER_* variables, but those that a process may have for itself
  bool operator==(const program_digest&) const = default;
};

/// Returns the digest of this process. `version` goes into `program`. Takes microseconds. Without a build id
/// the program's file is read, a millisecond or so for each 10 MB.
program_digest digest_of_self(const char* version);

}  // namespace gossamer::machine
