#pragma once
// The launchers that this computer has, for `gossamer run` and `gossamer doctor`.

#include <string>
#include <vector>

namespace gossamer::cli {

struct known_launcher {
  std::string mpi;   // "openmpi", as its plugin is called
  std::string file;  // /usr/bin/mpirun.openmpi
};

/// Finds those in PATH. Asks a launcher of a common name whose it is (tens of ms).
std::vector<known_launcher> find_launchers();

}  // namespace gossamer::cli
