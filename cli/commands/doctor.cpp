// gossamer doctor: the facts about the computer that a bug report needs. Under a launcher also those about
// the job: plugin and MPI, the number of processes, and the processors of each.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "commands/command.hpp"
#include "commands/launchers.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/hash.hpp"
#include "gossamer/fabric/peer_watch.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/fabric/routes.hpp"
#include "gossamer/machine/environment.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/parallel/job.hpp"
#include "output/session.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

/// Converts a name to a JSON key: "huge pages" becomes huge_pages, "stack (-s)" stack.
std::string key_of(std::string_view text) {
  std::string key;
  for (const char c : text.substr(0, text.find(" ("))) {
    const auto byte = static_cast<unsigned char>(c);
    key += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return key;
}

/// Returns processor numbers as ranges: "0-3 8".
std::string ranges(const std::vector<unsigned>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : " ", ids[i]);
    if (end - i > 1) text += fmt::format("-{}", ids[end - 1]);
    i = end;
  }
  return text;
}

/// The processors of one process, exchanged between all processes.
struct place {
  unsigned allowed = 0;  // processors
  unsigned usable = 0;   // of these, within the quota
  std::array<char, 96> processors{};  // the beginning of their list
  std::uint64_t list_hash = 0;  // of the whole list
};

place own_place() {
  const auto ids = machine::affinity();
  const std::string text = ranges(ids);
  place own{static_cast<unsigned>(ids.size()),
            machine::usable_processors(),
            {},
            hash_bytes(text.data(), text.size())};
  std::memcpy(own.processors.data(), text.data(), std::min(text.size(), own.processors.size() - 1));
  return own;
}

std::vector<place> all_places(fabric::transport& between) {
  std::vector<place> all(between.size());
  const place own = own_place();
  between.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// Describes how many processes of the node share the processors of process p.
std::string pinning_text(const std::vector<machine::process_identity>& identities,
                         const std::vector<place>& where, std::size_t p) {
  std::size_t sharing = 0;
  for (std::size_t other = 0; other < identities.size(); ++other)
    if (identities[other].on_node_of(identities[p]) && where[other].list_hash == where[p].list_hash)
      ++sharing;
  if (sharing == 1) return "to itself";
  return fmt::format("shared by {} processes", sharing);
}

std::string routes_text(const fabric::transport& between) {
  const fabric::routes routing(between.size(), between.rank(), job_options::from_environment().routes);
  if (!routing.over_grid()) return "direct";
  return fmt::format("two hops (2D), {} x {} processes", routing.rows(), routing.columns());
}

std::vector<machine::fact> job_facts() {
  constexpr const char* k_group = "job";
  const machine::launch launch = machine::find_launch();
  std::vector<machine::fact> facts;
  fabric::transport* const between = fabric::connected_transport();
  if (between == nullptr) {
    if (!launch.launcher.empty()) facts.push_back({k_group, "launcher", launch.launcher});
    facts.push_back({k_group, "processes",
                     launch.several()          ? "1 (GOSSAMER_TRANSPORT=none)"
                     : launch.launcher.empty() ? "1 (no launcher)"
                                               : "1"});
    return facts;
  }
  const auto where = all_places(*between);
  const auto& identities = fabric::peers()->all();
  facts.push_back({k_group, "launcher", launch.several() ? launch.launcher : "unknown"});
  facts.push_back({k_group, "processes", fmt::to_string(between->size())});
  facts.push_back({k_group, "MPI", between->description()});
  facts.push_back({k_group, "plugin", fabric::chosen_plugin()});
  facts.push_back({k_group, "routes", routes_text(*between)});
  for (std::size_t p = 0; p < identities.size(); ++p)
    facts.push_back({k_group, fmt::format("process {}", p),
                     fmt::format("{}, pid {}, processor{} {} ({})", identities[p].host.data(),
                                 identities[p].pid, where[p].allowed == 1 ? "" : "s",
                                 where[p].processors.data(), pinning_text(identities, where, p))});
  return facts;
}

/// Lists plugins and launchers for jobs of several processes; not called inside such a job. `tries`: also
/// loads the plugins, which must not be done in a process whose MPI has started.
std::vector<machine::fact> transport_facts(bool tries) {
  constexpr const char* k_group = "transports";
  std::vector<machine::fact> facts;
  for (const auto& p : fabric::find_plugins(tries))
    facts.push_back({k_group, "plugin " + p.name,
                     !p.problem.empty()      ? p.problem
                     : p.description.empty() ? p.path
                                             : fmt::format("{}, {}", p.description, p.path)});
  if (facts.empty()) facts.push_back({k_group, "plugins", "none: built where no MPI was found"});
  for (const auto& l : find_launchers()) facts.push_back({k_group, "launcher " + l.mpi, l.file});
  return facts;
}

constexpr command_text k_doctor_text{
    "doctor", "processors, memory, huge pages, compiler, libraries: what a bug report needs",
    "  gossamer doctor\n"
    "  gossamer doctor --json\n"};

class doctor_command final : public command {
 public:
  doctor_command() : command(k_doctor_text) {}

  void declare(declaration& d) override {
    d.section(k_last_group);
    declare_reporting(d, "one JSON object on standard output and nothing else there",
                      "accepted, as everywhere");
  }
  int run() override;
};

int doctor_command::run() {
  session s({.command = name(), .json = json_, .quiet = true});
  std::string problem;
  const auto job_or_problem = [&]() -> std::vector<machine::fact> {
    try {
      return job_facts();
    } catch (const error& e) {
      problem = e.what();
      return {{"job", "problem", problem}};
    }
  };
  auto job = job_or_problem();  // first: it connects, and from then on this process has a share of the memory
  auto facts = machine::environment_facts();
  const auto add = [&](std::vector<machine::fact> more) {
    facts.insert(facts.end(), more.begin(), more.end());
  };
  add(std::move(job));
  if (fabric::peers() == nullptr) add(transport_facts(problem.empty()));
  s.say("{}", s.colours().bold(fmt::format("gossamer {}", k_version)));
  std::size_t width = 0;
  for (const auto& f : facts) width = std::max(width, display_width(f.name));
  std::string group;
  for (const auto& f : facts) {
    if (f.group != group) s.say("\n{}", s.colours().bold(group = f.group));
    s.say("  {}{}  {}", f.name, std::string(width - display_width(f.name), ' '), printable(f.value));
    s.json().set(key_of(f.group) + "/" + key_of(f.name), std::string_view(f.value));
  }
  const int code = s.finish();
  if (problem.empty()) return code;
  throw error(problem);  // last, so that it is easy to find
}

}  // namespace

std::unique_ptr<command> make_doctor() { return std::make_unique<doctor_command>(); }

}  // namespace gossamer::cli
