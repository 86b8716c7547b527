#include "commands/launchers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "gossamer/base/options.hpp"
#include "gossamer/machine/subprocess.hpp"

namespace gossamer::cli {
namespace {

/// An MPI and the names of its launchers. Debian has a distinct name for each MPI; elsewhere `mpirun
/// --version` shows which MPI it is. Excludes `prterun`, on which launchers of new Open MPI are based: it has
/// other options and gives the processes less information.
struct known_mpi {
  const char* plugin;
  std::array<const char*, 3> launchers;
  std::array<const char*, 2> common;
  std::array<const char*, 2> answers;  // the output of `mpirun --version` contains one of these
};

constexpr std::array<known_mpi, 2> k_known{{
    {"openmpi", {"mpirun.openmpi", "orterun", ""}, {"mpirun", "mpiexec"}, {"Open MPI", "Open MPI"}},
    {"mpich",
     {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich"},
     {"mpiexec", "mpirun"},
     {"HYDRA", "Intel(R) MPI"}},
}};

/// Returns the index in PATH of the folder of a file that find_program() has found.
std::size_t place_in_path(std::string_view file) {
  const std::string path = gossamer::options().text("PATH").value_or("");
  const std::string_view folder = file.substr(0, file.rfind('/'));
  std::size_t place = 0;
  for (std::string_view left = path; !left.empty(); ++place) {
    const auto end = std::min(left.find(':'), left.size());
    if (left.substr(0, end) == folder) break;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return place;
}

bool is_of(const known_mpi& mpi, const std::string& file) {
  constexpr double k_seconds = 10;
  const auto said = machine::run_program({file, "--version"}, k_seconds);
  const std::string text = said.output + said.errors;
  return std::ranges::any_of(mpi.answers, [&](const char* a) { return text.find(a) != std::string::npos; });
}

/// Returns the launcher of that MPI in the first folder of PATH that has one. So a Python environment takes
/// precedence over the system.
std::string launcher_of(const known_mpi& mpi) {
  std::string best;
  std::size_t place = std::numeric_limits<std::size_t>::max();
  const auto take = [&](const char* name, bool is_known) {
    std::string file = *name == '\0' ? "" : machine::find_program(name);
    if (file.empty() || place_in_path(file) >= place || (!is_known && !is_of(mpi, file))) return;
    place = place_in_path(file);
    best = std::move(file);
  };
  for (const char* name : mpi.launchers) take(name, true);
  for (const char* name : mpi.common) take(name, false);
  return best;
}

}  // namespace

std::vector<known_launcher> find_launchers() {
  std::vector<known_launcher> all;
  for (const known_mpi& mpi : k_known)
    if (std::string file = launcher_of(mpi); !file.empty()) all.push_back({mpi.plugin, std::move(file)});
  return all;
}

}  // namespace gossamer::cli
