// gossamer network: prints the parameters of a network, as a file for `gossamer simulate --network`: those of
// a preset, with their sources, or measured between the first two processes of this job.

#include <fmt/ranges.h>

#include "commands/command.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/simulation/network.hpp"
#include "gossamer/simulation/network_probe.hpp"
#include "output/session.hpp"

namespace gossamer::cli {
namespace {

simulation::network find_or_measure(const std::string& name) {
  if (!name.empty()) return simulation::find_network(name);
  auto* const between = fabric::connected_transport();
  if (between == nullptr)
    throw error(
        fmt::format("network: expected {} or a file, or two processes to measure between "
                    "(gossamer run --np 2 network), found neither",
                    fmt::join(simulation::network_presets(), ", ")));
  return simulation::measure_network(*between, simulation::find_network("loopback"));
}

constexpr command_text k_network_text{
    "network", "the numbers of a network for simulate: a preset's, or of the one that is here",
    "  gossamer network qdr\n"
    "  gossamer run --np 2 network > ours.net    measured between two processes\n"};

class network_command final : public command {
 public:
  network_command() : command(k_network_text) {}

  void declare(declaration& d) override {
    d.argument("NAME|FILE", name_, "a preset or a file; without: measured between two processes");
    d.section(k_last_group);
    declare_reporting(d, "one JSON object on standard output and nothing else there",
                      "accepted, as everywhere");
  }

  int run() override {
    session s({.command = name(), .json = json_, .quiet = true});
    const simulation::network n = find_or_measure(name_);
    std::string text = simulation::print(n);
    text.pop_back();
    s.say("{}", text);
    s.json().set("network", std::string_view(n.name));
    for (const simulation::network_field& f : simulation::network_fields())
      s.json().set(fmt::format("numbers/{}", f.name), n.*f.value);
    return s.finish();
  }

 private:
  std::string name_;
};

}  // namespace

std::unique_ptr<command> make_network() { return std::make_unique<network_command>(); }

}  // namespace gossamer::cli
