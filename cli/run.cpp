// gossamer run: the same program in several processes, by the launcher of an MPI whose plugin is here. This
// process becomes the launcher, so signals and the exit code are the job's without further ado.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "gossamer/machine/topology.hpp"
#include "launchers.hpp"
#include "parse.hpp"

namespace gossamer::cli {
namespace {

/// Debian names both launchers of each MPI; elsewhere `mpirun` is asked whose it is.
struct known_mpi {
  const char* plugin;
  std::array<const char*, 3> launchers;
  std::array<const char*, 2> common;
  const char* answers;  // in what `mpirun --version` prints
};

constexpr std::array<known_mpi, 2> k_known{{
    {"openmpi", {"mpirun.openmpi", "orterun", "prterun"}, {"mpirun", "mpiexec"}, "Open MPI"},
    {"mpich", {"mpiexec.mpich", "mpiexec.hydra", "mpirun.mpich"}, {"mpiexec", "mpirun"}, "HYDRA"},
}};

std::string launcher_of(const known_mpi& mpi) {
  for (const char* name : mpi.launchers)
    if (std::string file = machine::find_program(name); !file.empty()) return file;
  for (const char* name : mpi.common) {
    std::string file = machine::find_program(name);
    if (file.empty()) continue;
    constexpr double k_seconds = 10;
    const auto said = machine::run_program({file, "--version"}, k_seconds);
    if ((said.output + said.errors).find(mpi.answers) != std::string::npos) return file;
  }
  return {};
}

std::string names_of(const std::vector<known_launcher>& all) {
  if (all.empty()) return "none";
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& l : all) names.push_back(l.mpi);
  return fmt::to_string(fmt::join(names, ", "));
}

/// The launcher asked for, or the first whose plugin is here.
known_launcher choose(const options& o, const std::vector<known_launcher>& all) {
  const auto plugins = fabric::find_plugins(false);
  const auto has_plugin = [&](const known_launcher& l) {
    return std::any_of(plugins.begin(), plugins.end(), [&](const auto& p) { return p.name == l.mpi; });
  };
  std::string wanted = o.mpi;
  if (wanted.empty()) {
    const auto set = gossamer::options().text("GOSSAMER_TRANSPORT");
    if (set && std::any_of(all.begin(), all.end(), [&](const auto& l) { return l.mpi == *set; }))
      wanted = *set;
  }
  for (const known_launcher& l : all)
    if (wanted.empty() ? has_plugin(l) : l.mpi == wanted) {
      if (has_plugin(l)) return l;
      throw error(
          fmt::format("run: {} has a launcher here ({}) but no transport plugin: build with its "
                      "development files, or build the plugin alone (docs/clusters.md)",
                      l.mpi, l.file));
    }
  if (!wanted.empty())
    throw error(
        fmt::format("run: expected the launcher of {} in PATH, found those of: {}", wanted, names_of(all)));
  throw error(
      fmt::format("run: expected an MPI whose launcher is in PATH and whose transport plugin is beside "
                  "the program; launchers: {}; plugins: {} (gossamer doctor shows both)",
                  names_of(all), plugins.size()));
}

/// In a batch system's allocation the launcher knows where to start, and on what.
bool in_allocation() { return gossamer::options().text("SLURM_JOB_ID").has_value(); }

void add_open_mpi(std::vector<std::string>& words, const options& o) {
  const machine::topology here = machine::discover_topology();
  if (machine::is_root()) words.emplace_back("--allow-run-as-root");
  const bool fits = o.processes * std::max(1u, o.cores) <= here.cores;
  if (!in_allocation() && o.processes > here.cores) words.emplace_back("--oversubscribe");
  if (o.cores > 0 && fits && !in_allocation())
    words.insert(words.end(), {"--map-by", fmt::format("slot:PE={}", o.cores), "--bind-to", "core"});
  else
    words.insert(words.end(), {"--bind-to", "none"});
  for (const std::string& name : machine::environment_names("GOSSAMER_"))
    words.insert(words.end(), {"-x", name});
}

}  // namespace

std::vector<known_launcher> find_launchers() {
  std::vector<known_launcher> all;
  for (const known_mpi& mpi : k_known)
    if (std::string file = launcher_of(mpi); !file.empty()) all.push_back({mpi.plugin, std::move(file)});
  return all;
}

void launch(const options& o) {
  if (const auto above = machine::find_launch(); above.several())
    throw error(
        fmt::format("run: expected to start the processes, found {} of them started by {}: leave `run` out",
                    above.processes, above.launcher));
  const known_launcher with = choose(o, find_launchers());
  const auto set = gossamer::options().text("GOSSAMER_TRANSPORT");
  if (!set || set->find('/') == std::string::npos) machine::set_environment("GOSSAMER_TRANSPORT", with.mpi);
  if (o.cores > 0) machine::set_environment("GOSSAMER_CORES", std::to_string(o.cores));
  std::vector<std::string> words{with.file, "-n", std::to_string(o.processes)};
  if (with.mpi == "openmpi") add_open_mpi(words, o);
  const auto started = words_to_start(o);
  words.insert(words.end(), started.begin(), started.end());
  machine::become_program(words);
}

}  // namespace gossamer::cli
