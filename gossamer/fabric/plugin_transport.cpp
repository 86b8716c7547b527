#include "gossamer/fabric/plugin_transport.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/fabric/node_group.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/simulated_process.hpp"
#include "gossamer/fabric/transport_plugin.h"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/node_job.h"
#include "gossamer/machine/node_watch.hpp"
#include "gossamer/machine/process_end.hpp"
#include "gossamer/machine/shared_library.hpp"
#include "gossamer/machine/standard_error.hpp"
#include "gossamer/machine/standard_streams.hpp"
#include "gossamer/machine/subprocess.hpp"

// Defined in programs of the CMake package (cmake/gossamer_package.cpp): the plugins of the installed
// library.
extern "C" [[gnu::weak]] const char* gossamer_package_plugins();

namespace gossamer::fabric {
namespace {

namespace files = std::filesystem;

constexpr std::string_view k_prefix = "libgossamer-transport-";
constexpr std::string_view k_suffix = ".so";
constexpr std::string_view k_standard = "mpi-abi";

// ---- finding ----

/// Returns the folders in which plugins are searched, in order. The first are relative to this code and to
/// the program. Then comes the package that the program was built with: CMake compiles a function into the
/// program, and pkg-config adds the folder to those of the loader. Then come the folder where the build would
/// install plugins, and the one where `gossamer run` has found its own.
std::vector<std::string> plugin_folders() {
  std::vector<std::string> folders;
  const auto add = [&](const files::path& folder) {
    std::error_code unknown;
    const std::string real = files::canonical(folder, unknown).string();
    if (!unknown && std::find(folders.begin(), folders.end(), real) == folders.end()) folders.push_back(real);
  };
  for (const std::string& base : {machine::code_folder(), machine::program_folder()}) {
    if (base.empty()) continue;
    add(files::path(base) / "gossamer");
    add(files::path(base) / ".." / "lib" / "gossamer");
    add(files::path(base) / ".." / GOSSAMER_LIBDIR / "gossamer");
  }
  if (gossamer_package_plugins != nullptr) add(files::path(gossamer_package_plugins()));
  for (const std::string& folder : machine::library_folders())
    if (files::path(folder).filename() == "gossamer") add(folder);
  add(files::path(GOSSAMER_PLUGIN_FOLDER));
  if (const auto told = options().text(NODE_JOB_PLUGINS)) add(files::path(*told));
  return folders;
}

std::vector<found_plugin> list_plugins() {
  std::vector<found_plugin> all;
  for (const std::string& folder : plugin_folders()) {
    std::error_code unreadable;
    for (const auto& entry : files::directory_iterator(folder, unreadable)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with(k_prefix) || !file.ends_with(k_suffix)) continue;
      std::string name = file.substr(k_prefix.size(), file.size() - k_prefix.size() - k_suffix.size());
      const auto same = [&](const found_plugin& p) { return p.name == name; };
      if (std::none_of(all.begin(), all.end(), same))
        all.push_back({std::move(name), entry.path().string(), {}, {}, {}});
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

const found_plugin* named(const std::vector<found_plugin>& all, std::string_view name) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
  return at == all.end() ? nullptr : &*at;
}

std::string names_of(const std::vector<found_plugin>& all) {
  if (all.empty()) return "there is none";
  std::vector<std::string> names;
  for (const auto& p : all) names.push_back(p.name);
  return fmt::format("there {} {}", all.size() == 1 ? "is" : "are", fmt::join(names, ", "));
}

std::string where_looked() {
  const auto folders = plugin_folders();
  return folders.empty() ? std::string("lib/gossamer") : fmt::to_string(fmt::join(folders, ", "));
}

std::string plugin_asked_for(const std::string& asked, const std::vector<found_plugin>& all) {
  if (asked.find('/') != std::string::npos) return asked;
  if (const auto* p = named(all, asked)) return p->path;
  throw error(fmt::format("GOSSAMER_TRANSPORT: expected a path, none, or a plugin of {}, found \"{}\" ({})",
                          where_looked(), asked, names_of(all)));
}

/// Returns the plugins for that launcher, the best first: its own, the one for every MPI, a site's own.
std::vector<std::string> plugins_fitting(const machine::launch& launch,
                                         const std::vector<found_plugin>& all) {
  const auto ours = [](const found_plugin& p) { return p.name == "openmpi" || p.name == "mpich"; };
  std::vector<std::string> fitting;
  if (const auto* p = named(all, launch.mpi)) fitting.push_back(p->path);
  if (launch.mpi == "node") return fitting;
  if (const auto* p = named(all, k_standard)) fitting.push_back(p->path);
  for (const auto& p : all)
    if (p.name != "node" && p.name != k_standard && (!ours(p) || launch.mpi.empty()))
      fitting.push_back(p.path);
  return fitting;
}

/// Returns why the library does not load; empty if it does. It stays loaded, because it will be the plugin of
/// this process.
std::string problem_of_loading(const std::string& path) {
  try {
    machine::shared_library library(path);
    library.keep();
    return {};
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

/// Returns the path of the first plugin for that launcher that loads: the plugins of a wheel may be for an
/// MPI that is not installed. Throws gossamer::error if none exists or loads.
std::string plugin_fitting(const machine::launch& launch, const std::vector<found_plugin>& all) {
  std::vector<std::string> problems;
  for (const std::string& path : plugins_fitting(launch, all)) {
    std::string problem = problem_of_loading(path);
    if (problem.empty()) return path;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty())
    throw error(
        fmt::format("{}, but {}: install that MPI, or name the folder of its library by LD_LIBRARY_PATH",
                    launch.text(), fmt::join(problems, ", and ")));
  throw error(fmt::format(
      "{}, but no transport plugin{} was found in {} ({}): set GOSSAMER_TRANSPORT to "
      "the path of its file, {}{}{}{}",
      launch.text(), launch.mpi.empty() ? "" : " for " + launch.mpi, where_looked(), names_of(all), k_prefix,
      launch.mpi.empty() ? "NAME" : launch.mpi, k_suffix,
      launch.mpi == "node"
          ? ""
          : ", or build the library with that MPI's development files, or a plugin for the site's own "
            "(docs/clusters.md)"));
}

std::optional<std::string> asked_plugin() { return options().text("GOSSAMER_TRANSPORT"); }

// ---- loading ----

struct loaded_plugin {
  machine::shared_library library;
  const gossamer_transport* table;
};

loaded_plugin load(const std::string& path) {
  machine::shared_library library(path);
  const auto entry = reinterpret_cast<const gossamer_transport* (*)()>(library.find("gossamer_transport_v1"));
  if (entry == nullptr)
    throw error(fmt::format(
        "{}: expected a transport plugin, found a library without gossamer_transport_v1()", path));
  const gossamer_transport* table = entry();
  if (table->version != GOSSAMER_TRANSPORT_VERSION || table->struct_bytes < sizeof(gossamer_transport))
    throw error(fmt::format(
        "{}: expected version {} of the transport interface ({} bytes), found version {} ({} bytes): "
        "build the plugin anew (docs/clusters.md)",
        path, GOSSAMER_TRANSPORT_VERSION, sizeof(gossamer_transport), table->version, table->struct_bytes));
  return {std::move(library), table};
}

std::string plugin_name(const std::string& path) {
  std::string file = files::path(path).filename().string();
  if (!file.starts_with(k_prefix) || !file.ends_with(k_suffix)) return file;
  return file.substr(k_prefix.size(), file.size() - k_prefix.size() - k_suffix.size());
}

/// Returns which of the known MPIs has that name; empty if it is none of them.
std::string_view mpi_called(std::string_view description) {
  if (description.starts_with("Open MPI")) return "openmpi";
  if (description.starts_with("MPICH") || description.starts_with("Intel")) return "mpich";
  return {};
}

/// Returns whether the launcher is that of another MPI. If a batch system provides PMIx or PMI, any MPI may
/// use them.
bool is_of_another_mpi(const machine::launch& launch, std::string_view description) {
  const std::string_view mpi = mpi_called(description);
  const bool is_own = launch.launcher.starts_with("mpirun") || launch.launcher.starts_with("mpiexec");
  return is_own && !mpi.empty() && !launch.mpi.empty() && launch.mpi != "node" && launch.mpi != mpi;
}

std::string other_mpi(const machine::launch& launch, const std::string& plugin, const std::string& mpi) {
  return fmt::format(
      "{}, but {} (plugin {}) is another MPI than the launcher's: set GOSSAMER_TRANSPORT={}, or start "
      "with the launcher of that MPI (gossamer run --mpi {})",
      launch.text(), mpi, plugin, launch.mpi, mpi_called(mpi));
}

/// Describes what to do if the launcher and the plugin's MPI disagree about the number of processes.
std::string disagreement(const machine::launch& launch, const std::string& plugin, const std::string& mpi,
                         int size) {
  const char* advice =
      "start with the launcher that belongs to that MPI, or build the plugin for the MPI of this "
      "launcher (docs/clusters.md)";
  if (!launch.signs.empty())
    advice =
        "start with mpirun or mpiexec of that MPI, or by gossamer run; GOSSAMER_TRANSPORT=none makes every "
        "process a job of its own";
  else if (launch.launcher == "srun" && mpi_called(mpi) == "openmpi")
    advice =
        "try srun --mpi=pmix (srun --mpi=list tells which there are), or the mpirun of that MPI inside the "
        "allocation";
  else if (launch.launcher == "srun")
    advice =
        "try srun --mpi=pmi2 or --mpi=pmix (srun --mpi=list tells which there are), or the mpiexec of that "
        "MPI inside the allocation";
  return fmt::format("{}, but {} (plugin {}) knows of {}: {}", launch.text(), mpi, plugin, size, advice);
}

class plugin_transport final : public transport {
 public:
  plugin_transport(const std::string& path, machine::node_watch& node, void (*ending)())
      : plugin_(load(path)), path_(path), node_(node) {
    plugin_.library.keep();  // an MPI that has started may have threads after its end
    plugin_.table->at_end(ending);
    const machine::launch& launch = machine::find_launch();
    // Before it starts: the other MPI's start may end the process.
    if (is_of_another_mpi(launch, description()))
      throw error(other_mpi(launch, plugin_name(path), description()));
    if (mpi_called(description()) == "mpich") require_shared_memory();
    check(plugin_.table->open(k_receive_slots, k_send_slots));
    const int found = plugin_.table->size();
    const bool differs = launch.signs.empty() ? static_cast<unsigned>(found) != launch.processes : found == 1;
    if (launch.several() && differs) {
      const std::string what = disagreement(launch, plugin_name(path), description(), found);
      (void)plugin_.table->close();
      throw error(what);
    }
  }

  const std::string& path() const { return path_; }

  unsigned rank() const override { return static_cast<unsigned>(plugin_.table->rank()); }
  unsigned size() const override { return static_cast<unsigned>(plugin_.table->size()); }
  std::string description() const override { return plugin_.table->description(); }

  void receive(unsigned slot, std::span<std::byte> buffer) override {
    check(plugin_.table->receive(slot, buffer.data(), buffer.size()));
  }
  std::optional<arrival> received(unsigned slot) override {
    int from = 0;
    std::size_t bytes = 0;
    if (check(plugin_.table->received(slot, &from, &bytes)) == 0) return {};
    return arrival{static_cast<unsigned>(from), bytes};
  }
  void send(unsigned slot, unsigned to, std::span<const std::byte> data) override {
    check(plugin_.table->send(slot, static_cast<int>(to), data.data(), data.size()));
  }
  bool sent(unsigned slot) override { return check(plugin_.table->sent(slot)) != 0; }
  void cancel_receives() override { check(plugin_.table->cancel_receives()); }

  unsigned bulk_tags() const override {
    return plugin_.table->bulk_tags != nullptr ? plugin_.table->bulk_tags() : 0;
  }
  void bulk_send(unsigned slot, unsigned to, unsigned tag, std::span<const std::byte> data) override {
    check(plugin_.table->bulk_send(slot, static_cast<int>(to), tag, data.data(), data.size()));
  }
  void bulk_receive(unsigned slot, unsigned from, unsigned tag, std::span<std::byte> into) override {
    check(plugin_.table->bulk_receive(slot, static_cast<int>(from), tag, into.data(), into.size()));
  }
  void bulk_cancel(unsigned slot, bool sends) override {
    check(plugin_.table->bulk_cancel(slot, sends ? 1 : 0));
  }
  bool bulk_over(unsigned slot) override { return check(plugin_.table->bulk_over(slot)) != 0; }

  void barrier() override { check(plugin_.table->barrier()); }
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    GOSSAMER_ASSERT(all.size() == mine.size() * size());
    check(plugin_.table->all_gather(mine.data(), mine.size(), all.data()));
  }
  double plain_stream(unsigned from, unsigned to, std::size_t bytes, unsigned count) override {
    const double seconds =
        plugin_.table->plain_stream(static_cast<int>(from), static_cast<int>(to), bytes, count);
    check(seconds < 0 ? -1 : 0);
    return seconds;
  }

  bool outlive(bool wanted) override { return plugin_.table->outlive(wanted ? 1 : 0) != 0; }

  [[noreturn]] void abort(int code) override {
    node_.leaving();
    machine::end_process_after(k_abort_s, code);  // MPI's own end may hang
    plugin_.table->abort(code);
    std::_Exit(code);
  }

  void close() { check(plugin_.table->close()); }

 private:
  int check(int result) const {
    if (result >= 0) return result;
    throw error(fmt::format("transport: {}", plugin_.table->error()));
  }

  /// Refuses a node whose /dev/shm is full or not writable: MPICH would end the process with a page that
  /// names neither. If UCX_TLS restricts what MPICH uses, checks that instead.
  void require_shared_memory() const {
    constexpr std::uint64_t k_least_bytes = 256 << 10;
    const std::string problem = machine::problem_of_shared_memory(k_least_bytes);
    if (problem.empty() || options().text("UCX_TLS")) return;
    throw error(
        fmt::format("{} on {}: {} needs room there", problem, node_.self().host.data(), description()));
  }

  static constexpr unsigned k_abort_s = 2;

  loaded_plugin plugin_;
  std::string path_;
  machine::node_watch& node_;
};

/// The one connection of this process: MPI starts and ends once per process, for all jobs.
struct connection {
  bool asked = false;
  bool left = false;  // runs no more jobs
  std::exception_ptr failure;  // of the connecting, which is tried once
  std::uint64_t owner = 0;  // a forked child must not close its parent's
  std::unique_ptr<machine::node_watch> node;
  std::unique_ptr<plugin_transport> open;
  std::unique_ptr<peer_watch> peers;
  std::unique_ptr<node_group> neighbours;
};

connection& the_connection() {
  static auto* const only = new connection;  // never destroyed: at_exit closes it, and nothing unloads it
  return *only;
}

/// The most seconds for the end of MPI, once no process runs a job any more. Then the process ends with its
/// own code.
constexpr unsigned k_meeting_s = 10;  // in the last barrier
constexpr unsigned k_closing_s = 2;  // in MPI_Finalize
constexpr unsigned k_wanted_closing_s =
    10;  // the same, if the launcher treats an end without it as a failure
// A process that ends releases others that hang. They would continue to a barrier in the launcher, which
// cannot answer the one that has ended, and aborts. So all processes stop before the first one ends.
constexpr unsigned k_still_s = 1;

/// Ends the process after so many seconds, if its code is known.
void bound(std::optional<int> code, unsigned seconds) {
  if (code) machine::end_process_after(seconds, *code, k_still_s);
}

/// Waits until all processes have ended their jobs (until then a death is a loss), notifies the watch, and
/// closes. With a code the process ends within bounded time.
void close(connection& c, std::optional<int> code) {
  if (code) std::fflush(nullptr);  // nothing is printed any more
  if (c.open->size() > 1) c.open->end_jobs();
  c.node->closing();
  bound(code, k_meeting_s);
  if (c.open->size() > 1) c.open->barrier();
  bound(code, machine::find_launch().wants_end_of_mpi ? k_wanted_closing_s : k_closing_s);
  c.open->close();
  if (code) machine::end_process_no_more();
}

/// Leaves the other processes, once, when the program ends. `call` names the program's call that ends it.
/// `code` is the exit code, if the program ends at once.
void leave(const char* call, std::optional<int> code) {
  connection& c = the_connection();
  if (c.owner != machine::process_id() || std::exchange(c.left, true)) return;
  if (c.peers != nullptr && c.peers->is_alone()) return;  // no process is there to close with
  try {
    if (c.peers != nullptr && c.peers->in_job())  // the others could not come to the end
      c.peers->fail(fmt::format("{} was called inside a job", call).c_str());
    close(c, code);
  } catch (const std::exception& failure) {
    machine::print_error(failure.what());
  }
}

void at_exit(int code) { leave("exit()", code); }

void mpi_ends() { leave("MPI_Finalize()", {}); }

/// Connects with the other processes. A failure is kept: a transport opens once.
void connect(connection& c, const std::string& path, std::uint32_t timeout) {
  try {
    auto node = std::make_unique<machine::node_watch>(machine::find_launch().rank, timeout);
    c.open = std::make_unique<plugin_transport>(path, *node, &mpi_ends);
    c.node = std::move(node);
    c.owner = machine::process_id();
    if (!machine::at_exit(&at_exit)) throw error("out of memory");
    c.peers = std::make_unique<peer_watch>(*c.open, *c.node, timeout);
    c.neighbours = std::make_unique<node_group>(*c.open, c.peers->all());
  } catch (...) {
    c.failure = std::current_exception();
  }
}

std::uint32_t timeout_s() {
  constexpr std::uint64_t k_default = 20;
  return static_cast<std::uint32_t>(read_setting(options(), "GOSSAMER_PEER_TIMEOUT_S").value_or(k_default));
}

}  // namespace

std::string chosen_plugin() {
  if (const auto& open = the_connection().open) return open->path();
  const auto asked = asked_plugin();
  const machine::launch& launch = machine::find_launch();
  if (asked && *asked == "none") return {};
  if (!asked && !launch.several()) return {};
  const auto all = list_plugins();
  return asked ? plugin_asked_for(*asked, all) : plugin_fitting(launch, all);
}

std::vector<found_plugin> find_plugins(bool try_them) {
  auto all = list_plugins();
  for (auto& p : all) {
    if (!try_them || the_connection().open != nullptr) break;
    try {
      p.description = load(p.path).table->description();
      p.mpi = mpi_called(p.description);
    } catch (const std::exception& failure) {
      p.problem = failure.what();
    }
  }
  return all;
}

transport* connected_transport() {
  if (auto* s = current_simulated_process()) return s->between();
  machine::occupy_standard_streams();
  connection& c = the_connection();
  if (c.peers != nullptr && c.peers->is_alone())
    throw error("run: the other processes have gone: " + c.peers->loss());
  if (c.left)
    throw error("run: this process has left the others: the program has called MPI_Finalize(), or it exits");
  if (!c.asked) {
    const std::string path = chosen_plugin();
    const std::uint32_t timeout = timeout_s();
    c.asked = true;
    if (!path.empty()) connect(c, path, timeout);
  }
  if (c.failure) std::rethrow_exception(c.failure);
  return c.open != nullptr && c.open->size() > 1 ? c.open.get() : nullptr;
}

void leave_others(std::optional<int> code) { leave("leave_others()", code); }

void fail_before_connecting(const std::string& what) noexcept {
  constexpr int k_code = 2;
  try {
    const machine::launch& launch = machine::find_launch();
    const bool is_of_nodes =
        launch.several() && launch.mpi != "node" && current_simulated_process() == nullptr;
    if (!is_of_nodes || the_connection().open != nullptr) return;
    if (!machine::speaks_for_job()) {
      machine::let_speaker_report();  // whose end ends this process, where it has found the same
      machine::print_error(fmt::format("{}: {}", machine::identify(launch.rank).name(), what));
    }
    machine::wait_for_readers();
    machine::end_job_by_launcher(k_code);
  } catch (const std::exception&) {  // out of memory: the code says the rest
  }
}

peer_watch* peers() {
  if (current_simulated_process() != nullptr) return nullptr;
  connection& c = the_connection();
  return c.open != nullptr && c.open->size() > 1 ? c.peers.get() : nullptr;
}

std::string process_name(unsigned process) {
  const peer_watch* const known = peers();
  return known != nullptr ? known->name(process) : fmt::format("process {}", process);
}

const node_group* neighbours() {
  if (current_simulated_process() != nullptr) return nullptr;
  return the_connection().neighbours.get();
}

}  // namespace gossamer::fabric
