#pragma once
// Digests of what the processes of one job must have in common: the program, its arguments, and its settings
// in the environment.

#include <cstdint>

namespace gossamer::machine {

struct program_digest {
  std::uint64_t program = 0;  // the linker's build id, or else a digest of the file
  std::uint64_t arguments = 0;  // without the program's own name
  std::uint64_t settings = 0;  // GOSSAMER_* variables, except those that processes may set differently
  bool operator==(const program_digest&) const = default;
};

/// Returns the digest of this process. `version` is part of `program`. Takes microseconds; without a build id
/// it reads the program's file, a millisecond or so for each 10 MB.
program_digest digest_of_self(const char* version);

}  // namespace gossamer::machine
