// gossamer network: a network's numbers as a file for `gossamer simulate --network`: those of a preset with
// their sources, or measured between the first two processes of this job.

#include <fmt/ranges.h>

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/fabric/plugin_transport.hpp"
#include "gossamer/simulation/network.hpp"
#include "gossamer/simulation/network_probe.hpp"

namespace gossamer::cli {
namespace {

simulation::network asked_for(const std::string& name) {
  if (!name.empty()) return simulation::find_network(name);
  auto* const between = fabric::connected_transport();
  if (between == nullptr)
    throw error(
        fmt::format("network: expected {} or a file, or two processes to measure between "
                    "(gossamer run --np 2 network), found neither",
                    fmt::join(simulation::network_presets(), ", ")));
  return simulation::measure_network(*between, simulation::find_network("loopback"));
}

}  // namespace

void network(session& s) {
  const simulation::network n = asked_for(s.asked().network);
  std::string text = simulation::print(n);
  text.pop_back();
  s.say("{}", text);
  s.json().set("network", std::string_view(n.name));
  for (const simulation::network_field& f : simulation::network_fields())
    s.json().set(fmt::format("numbers/{}", f.name), n.*f.value);
}

}  // namespace gossamer::cli
