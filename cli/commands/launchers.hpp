#pragma once
// Finds the MPI launchers of this computer, for `gossamer run` and `gossamer doctor`.

#include <string>
#include <vector>

namespace gossamer::cli {

struct known_launcher {
  std::string mpi;   // "openmpi": the name of its plugin
  std::string file;  // /usr/bin/mpirun.openmpi
};

/// Returns the launchers in PATH. Runs one with a common name to find its MPI (tens of ms).
std::vector<known_launcher> find_launchers();

}  // namespace gossamer::cli
