// gossamer run: starts the same program in several processes. On one machine this process is the launcher.
// With a batch system, a list of hosts, or an MPI by --mpi, the launcher of an MPI replaces this process. So
// signals and the exit code are those of the job.

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "commands/launchers.hpp"
#include "commands/registry.hpp"
#include "commands/wrapping_command.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/node_job.h"
#include "gossamer/machine/node_launcher.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/parallel/job.hpp"

namespace gossamer::cli {
namespace {

constexpr command_text k_run_text{
    "run", "start a command or program in several processes, on this machine or by an MPI",
    "  gossamer run --np 2 bfs kron:20 --source 1\n"
    "  gossamer run --np 4 --cores 2 --mpi mpich uts T1L\n"
    "  gossamer run --np 4 ./mine --its-options    a program that calls gossamer::run()\n"};

constexpr const char* k_node = "node";  // the plugin that needs no MPI
constexpr const char* k_standard = "mpi-abi";  // the plugin for every MPI with the ABI of the standard

/// A launcher, and the plugin for the processes that it starts.
struct chosen_launcher {
  known_launcher by;
  std::string plugin;
};

class run_command final : public wrapping_command {
 public:
  run_command() : wrapping_command(k_run_text) {}

  void declare(declaration& d) override;
  void check() override {
    if (processes_ == 0)
      throw error("run: expected --np N, how many processes (gossamer run --help shows examples)");
  }
  std::optional<answer> check_wrapped() override;
  int run() override;

 private:
  /// Chooses the launcher; that of k_node has no file.
  chosen_launcher choose(const std::vector<known_launcher>& all) const;
  void add_open_mpi(std::vector<std::string>& words) const;

  unsigned processes_ = 0;
  unsigned cores_ = 0;
  std::string mpi_;  // empty: chosen automatically
};

void run_command::declare(declaration& d) {
  d.wraps_command();
  d.section("Processes");
  d.number("-n,--np", processes_, "how many", 1, 1 << 20);
  d.number("--cores", cores_, "of each process (default: this node's processors divided among its processes)",
           1, k_most_cores);
  d.word("--mpi", "NAME", mpi_,
         "openmpi, mpich, or node: none, by memory of this node (default: node; the first MPI that is "
         "here inside a batch system's allocation, or where a list of hosts is set)",
         {"openmpi", "mpich", k_node});
  d.section(k_last_group);
  d.flag("-q,--quiet", quiet_, "given to the command");
}

std::optional<answer> run_command::check_wrapped() {
  if (quiet_ && wraps_own_command()) words_.insert(words_.begin() + 1, "--quiet");
  return check_command_or_program(&command::not_for_several);
}

std::string names_of(const std::vector<known_launcher>& all) {
  if (all.empty()) return "none";
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& l : all) names.push_back(l.mpi);
  return fmt::to_string(fmt::join(names, ", "));
}

/// Returns whether the environment has one of these variables.
bool any_is_set(std::initializer_list<const char*> names) {
  const gossamer::options given;
  return std::ranges::any_of(names, [&](const char* name) { return given.text(name).has_value(); });
}

/// Returns whether this process is in an allocation of a batch system, which tells launchers the nodes and
/// processors.
bool in_allocation() {
  return any_is_set(
      {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOB_ID", "COBALT_JOBID", "FLUX_URI", "PE_HOSTFILE"});
}

/// Returns whether a list of hosts is set for an MPI's launcher.
bool has_host_list() {
  return any_is_set({"HYDRA_HOST_FILE", "OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"});
}

/// Returns the name of the plugin for the processes of that launcher: that of its MPI, or that of the
/// standard if it loads the same MPI. If both are present, the first that loads: the MPI of a plugin in a
/// wheel may be missing here. Empty if there is none.
std::string plugin_for(const known_launcher& l, const std::vector<fabric::found_plugin>& plugins) {
  const auto is_here = [&](std::string_view name) {
    return std::ranges::any_of(plugins, [&](const auto& p) { return p.name == name; });
  };
  if (!is_here(k_standard)) return is_here(l.mpi) ? l.mpi : "";
  const auto loaded = fabric::find_plugins(true);
  const auto fits = [&](std::string_view name) {
    return std::ranges::any_of(loaded, [&](const auto& p) { return p.name == name && p.mpi == l.mpi; });
  };
  if (fits(l.mpi)) return l.mpi;
  if (fits(k_standard)) return k_standard;
  return is_here(l.mpi) ? l.mpi : "";
}

/// Returns the built-in launcher. Throws gossamer::error if it cannot start so many.
chosen_launcher by_memory_of(unsigned processes, std::string_view transport) {
  if (processes <= machine::most_on_node()) return {{k_node, {}}, std::string(transport)};
  throw error(fmt::format("run: expected at most {} processes without an MPI, found --np {}",
                          machine::most_on_node(), processes));
}

/// Chooses for a GOSSAMER_TRANSPORT that names no launcher here: none, for which every process is a job of its own, or a site's plugin.
chosen_launcher choose_for(const std::string& transport, unsigned processes,
                           const std::vector<known_launcher>& all,
                           const std::vector<fabric::found_plugin>& plugins) {
  if (transport == "none") return by_memory_of(processes, transport);
  (void)fabric::chosen_plugin();  // throws where there is none of that name
  // These two need a launcher of their own, which is not here.
  const bool is_for_any = transport != "openmpi" && transport != "mpich";
  for (const known_launcher& l : all)
    if (is_for_any && (transport != k_standard || plugin_for(l, plugins) == transport)) return {l, transport};
  throw error(fmt::format("run: expected a launcher in PATH for the transport {}, found those of: {}",
                          transport, names_of(all)));
}

/// Returns the requested launcher. If none is requested: on one machine the built-in one, which needs no MPI,
/// and on several machines the first MPI whose plugin is present.
chosen_launcher run_command::choose(const std::vector<known_launcher>& all) const {
  const auto plugins = fabric::find_plugins(false);
  const auto by_node = [&] {
    return std::ranges::any_of(plugins, [](const auto& p) { return p.name == k_node; });
  };
  std::string wanted = mpi_;
  if (wanted.empty()) {
    const auto set = gossamer::options().text("GOSSAMER_TRANSPORT");
    if (set &&
        (*set == k_node || std::any_of(all.begin(), all.end(), [&](const auto& l) { return l.mpi == *set; })))
      wanted = *set;
  }
  const auto named = gossamer::options().text("GOSSAMER_TRANSPORT");
  const bool by_path = named && named->find('/') != std::string::npos;
  if (named && wanted.empty() && !by_path) return choose_for(*named, processes_, all, plugins);
  if (wanted.empty() && !by_path && by_node() && processes_ <= machine::most_on_node() && !in_allocation() &&
      !has_host_list())
    return by_memory_of(processes_, k_node);
  for (const known_launcher& l : all) {
    if (!wanted.empty() && l.mpi != wanted) continue;
    if (std::string plugin = plugin_for(l, plugins); !plugin.empty()) return {l, std::move(plugin)};
    if (wanted.empty()) continue;
    throw error(
        fmt::format("run: {} has a launcher here ({}) but no transport plugin: build with its "
                    "development files, or build the plugin alone (docs/clusters.md)",
                    l.mpi, l.file));
  }
  if (wanted == k_node && !by_node())
    throw error("run: expected the transport plugin node beside the program (gossamer doctor shows where)");
  if (wanted == k_node || (wanted.empty() && !by_path && by_node())) return by_memory_of(processes_, k_node);
  if (!wanted.empty())
    throw error(
        fmt::format("run: expected the launcher of {} in PATH, found those of: {}", wanted, names_of(all)));
  throw error(
      fmt::format("run: expected an MPI whose launcher is in PATH and whose transport plugin is beside "
                  "the program; launchers: {}; plugins: {} (gossamer doctor shows both)",
                  names_of(all), plugins.size()));
}

void run_command::add_open_mpi(std::vector<std::string>& words) const {
  const machine::topology here = machine::discover_topology();
  if (machine::is_root()) words.emplace_back("--allow-run-as-root");
  const bool fits = processes_ * std::max(1u, cores_) <= here.cores;
  if (!in_allocation() && processes_ > here.cores) words.emplace_back("--oversubscribe");
  if (cores_ > 0 && fits && !in_allocation())
    words.insert(words.end(), {"--map-by", fmt::format("slot:PE={}", cores_), "--bind-to", "core"});
  else
    words.insert(words.end(), {"--bind-to", "none"});
  for (const std::string& name : machine::environment_names("GOSSAMER_"))
    words.insert(words.end(), {"-x", name});
  if (any_is_set({NODE_JOB_PLUGINS})) words.insert(words.end(), {"-x", NODE_JOB_PLUGINS});
}

/// Sets the folder of the plugin in the environment of the processes: a program that was linked by hand does
/// not know it.
void tell_plugins(const std::string& plugin) {
  for (const fabric::found_plugin& p : fabric::find_plugins(false))
    if (p.name == plugin)
      machine::set_environment(NODE_JOB_PLUGINS, std::filesystem::path(p.path).parent_path().string());
}

/// Replaces this process by the launcher of an MPI, or launches the processes itself and waits for the end of
/// the job.
int run_command::run() {
  if (const auto above = machine::find_launch(); above.several())
    throw error(fmt::format("run: expected to start the processes, but {}: leave `run` out", above.text()));
  const auto [with, plugin] = choose(find_launchers());
  const auto set = gossamer::options().text("GOSSAMER_TRANSPORT");
  if (!set || set->find('/') == std::string::npos) {
    // The variables of the built-in launcher select its plugin; a given GOSSAMER_TRANSPORT may contradict
    // them.
    if (set || with.mpi != k_node) machine::set_environment("GOSSAMER_TRANSPORT", plugin);
    tell_plugins(plugin);
  }
  if (cores_ > 0) machine::set_environment("GOSSAMER_CORES", std::to_string(cores_));
  const auto started = words_to_start();
  if (with.mpi == k_node) return machine::launch_on_node(started, processes_);
  std::vector<std::string> words{with.file, "-n", std::to_string(processes_)};
  if (with.mpi == "openmpi") add_open_mpi(words);
  words.insert(words.end(), started.begin(), started.end());
  machine::become_program(words);
}

}  // namespace

std::unique_ptr<command> make_run() { return std::make_unique<run_command>(); }

}  // namespace gossamer::cli
