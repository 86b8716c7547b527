#include "commands/launchers.hpp"

#include <array>
#include <utility>

#include "gossamer/machine/subprocess.hpp"

namespace gossamer::cli {
namespace {

/// Debian names both launchers of each MPI; elsewhere `mpirun` is asked whose it is. `prterun`, below Open MPI's of today, is none: it
/// takes other options, and tells the processes less.
struct known_mpi {
  const char* plugin;
  std::array<const char*, 3> launchers;
  std::array<const char*, 2> common;
  const char* answers;  // in what `mpirun --version` prints
};

constexpr std::array<known_mpi, 2> k_known{{
    {"openmpi", {"mpirun.openmpi", "orterun", ""}, {"mpirun", "mpiexec"}, "Open MPI"},
    {"mpich", {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich"}, {"mpiexec", "mpirun"}, "HYDRA"},
}};

std::string launcher_of(const known_mpi& mpi) {
  for (const char* name : mpi.launchers)
    if (std::string file = *name == '\0' ? "" : machine::find_program(name); !file.empty()) return file;
  for (const char* name : mpi.common) {
    std::string file = machine::find_program(name);
    if (file.empty()) continue;
    constexpr double k_seconds = 10;
    const auto said = machine::run_program({file, "--version"}, k_seconds);
    if ((said.output + said.errors).find(mpi.answers) != std::string::npos) return file;
  }
  return {};
}

}  // namespace

std::vector<known_launcher> find_launchers() {
  std::vector<known_launcher> all;
  for (const known_mpi& mpi : k_known)
    if (std::string file = launcher_of(mpi); !file.empty()) all.push_back({mpi.plugin, std::move(file)});
  return all;
}

}  // namespace gossamer::cli
