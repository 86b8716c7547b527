#include "micro/peers.hpp"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "gossamer/base/options.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/subprocess.hpp"

namespace gossamer::bench {
namespace {

enum class launcher { none, openmpi, openmpi_threads, mpich, mpich_threads };

struct peer_program {
  std::string_view name;  // gossamer-peer-<name>
  launcher how;
  std::string_view benches;
  std::string_view option = {};
};

constexpr std::array k_peers{
    peer_program{"boost-fiber", launcher::none, "yield create wake exchange exchange-processes pingpong"},
    peer_program{"threads", launcher::none, "yield create wake exchange exchange-processes"},
    peer_program{"argobots", launcher::none, "yield create wake exchange exchange-processes"},
    peer_program{"lockfree", launcher::none, "pool pool-cold structures"},
    peer_program{"concurrentqueue", launcher::none, "pool pool-cold"},
    peer_program{"tbb", launcher::none, "matching matching-cold structures sort"},
    peer_program{"libcuckoo", launcher::none, "matching matching-cold"},
    peer_program{"atomics", launcher::none, "gups gather"},
    peer_program{"openmpi", launcher::openmpi, "pingpong stream bandwidth"},
    peer_program{"openmpi", launcher::openmpi_threads, "pingpong", "--threads"},
    peer_program{"mpich", launcher::mpich, "pingpong stream bandwidth"},
    peer_program{"mpich", launcher::mpich_threads, "pingpong", "--threads"},
};

constexpr double k_limit_s = 300;
constexpr double k_quick_limit_s = 20;

bool has_word(std::string_view words, std::string_view word) {
  std::istringstream all{std::string(words)};
  for (std::string one; all >> one;)
    if (one == word) return true;
  return false;
}

/// Returns the words that launch two processes on this machine. With threads, the processes may use every
/// processor. Open MPI then yields when it waits: without that its threads take milliseconds a message.
std::vector<std::string> launch(launcher how) {
  switch (how) {
    case launcher::openmpi:
      return {"mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2"};
    case launcher::openmpi_threads:
      return {"mpirun.openmpi",
              "--allow-run-as-root",
              "--oversubscribe",
              "--bind-to",
              "none",
              "--mca",
              "mpi_yield_when_idle",
              "1",
              "-n",
              "2"};
    case launcher::mpich:
      return {"mpiexec.mpich", "-bind-to", "core", "-n", "2"};
    case launcher::mpich_threads:
      return {"mpiexec.mpich", "-n", "2"};
    case launcher::none:
      break;
  }
  return {};
}

std::optional<row> parse_row(const std::string& line) {
  const auto j = nlohmann::json::parse(line, nullptr, false);
  if (!j.is_object()) return std::nullopt;
  const auto number = [](const nlohmann::json& n) { return n.is_number() ? n.get<double>() : k_none; };
  const auto text = [](const nlohmann::json& t) {
    return t.is_string() ? t.get<std::string>() : std::string();
  };
  try {
    row r;
    r.bench = j.at("bench").get<std::string>();
    r.name = j.at("case").get<std::string>();
    r.unit = j.at("unit").get<std::string>();
    r.library = j.at("peer").get<std::string>();
    r.value = number(j.at("value"));
    r.low = number(j.at("spread").at(0));
    r.high = number(j.at("spread").at(1));
    r.curve = text(j.at("curve"));
    r.x = number(j.at("x"));
    r.checked = j.at("checked").get<bool>();
    if (const auto q = j.find("quartiles"); q != j.end() && q->is_array())
      r.lower_quartile = number(q->at(0)), r.upper_quartile = number(q->at(1));
    return r;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

/// Returns on one line how a program ended and what it wrote last.
std::string last_words(const machine::program_result& r, double limit_s) {
  if (r.timed_out) return fmt::format("no end after {}", format_duration(limit_s));
  std::string line;
  std::istringstream all(r.errors);
  for (std::string one; std::getline(all, one);)
    if (one.find_first_not_of(" -\t") != one.npos) line = one;
  const std::string end = r.signal_number != 0 ? fmt::format("signal {}", r.signal_number)
                                               : fmt::format("exit code {}", r.exit_code);
  return line.empty() ? end : fmt::format("{}: {}", end, gossamer::in_quotes(line, 200));
}

void add_requests(std::vector<std::string>& command, const requests& r) {
  const auto add = [&](const char* option, const auto& value) {
    if (value) command.insert(command.end(), {option, std::to_string(*value)});
  };
  add("--structure", r.structure);
  add("--combining", r.where);
  add("--puts", r.puts);
  add("--erases", r.erases);
  add("--keys", r.keys);
  add("--cells", r.cells);
  add("--fibers", r.fibers);
  add("--operations", r.operations);
  add("--payload", r.payload);
  if (r.bulk) command.insert(command.end(), {"--bulk", "1"});
}

void run_peer(const peer_program& p, const std::string& file, std::string_view bench, const settings& s,
              std::vector<row>& rows, function_ref<void(std::string)> warn) {
  std::vector<std::string> command = launch(p.how);
  command.insert(command.end(), {file, std::string(bench), "--repeats", std::to_string(s.repeats), "--cores",
                                 std::to_string(s.cores), "--table", std::to_string(s.table_bytes)});
  if (bench == "structures") add_requests(command, s.asked);
  if (!p.option.empty()) command.emplace_back(p.option);
  if (s.quick) command.emplace_back("--quick");
  const double limit_s = s.quick ? k_quick_limit_s : k_limit_s;
  const machine::program_result r = machine::run_program(command, limit_s);
  std::istringstream lines(r.output);
  for (std::string line; std::getline(lines, line);) {
    const auto one = parse_row(line);
    if (one && one->bench == bench)
      rows.push_back(*one);
    else if (!line.empty())
      warn(fmt::format("gossamer-peer-{}: expected a row of {}, found {}", p.name, bench,
                       gossamer::in_quotes(line)));
  }
  if (!r.ok()) warn(fmt::format("gossamer-peer-{} {}: {}", p.name, bench, last_words(r, limit_s)));
}

}  // namespace

std::vector<row> run_peers(std::string_view bench, const settings& s, function_ref<void(std::string)> warn) {
  const std::string folder = options().text("GOSSAMER_PEERS").value_or(machine::program_folder());
  std::vector<row> rows;
  for (const peer_program& p : k_peers) {
    const auto file = std::filesystem::path(folder) / fmt::format("gossamer-peer-{}", p.name);
    std::error_code unknown;
    if (has_word(p.benches, bench) && std::filesystem::exists(file, unknown))
      run_peer(p, file.string(), bench, s, rows, warn);
  }
  return rows;
}

void join(std::vector<row>& ours, std::vector<row> peers) {
  for (row& mine : ours) {
    for (const row& p : peers) {
      if (p.name != mine.name || !p.checked || !std::isfinite(p.value)) continue;
      if (!mine.peer.empty() && !p.better_than(mine.peer_value)) continue;
      mine.peer = p.library;
      mine.peer_value = p.value;
    }
    if (std::isfinite(mine.times_peer)) mine.budget = mine.times_peer * mine.peer_value;
  }
  for (row& p : peers) {
    p.peer_of = p.name;
    p.name = fmt::format("{} [{}]", p.name, p.library);
    ours.push_back(std::move(p));
  }
}

}  // namespace gossamer::bench
