#include "commands/cluster_options.hpp"

#include <fmt/format.h>

#include "gossamer/simulation/faults.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::cli {

void cluster_options::word(declaration& d, const std::string& names, const std::string& type,
                           const std::string& key, const std::string& help) {
  d.value(names, type, help, [this, key](const auto& option, const auto& text) {
    if (text.empty() || text.find(' ') != text.npos) refuse(option, "one word", text);
    words_ += fmt::format(" {}={}", key, text);
  });
}

void cluster_options::compute(declaration& d) {
  word(d, "--compute", "HOW", "compute",
       "fixed: set costs, repeatable to the bit (default); measured: the time really used");
}

simulation::options cluster_options::read() const {
  auto cluster = simulation::options::parse(words_);
  (void)simulation::fault_set::parse(cluster.faults);
  (void)simulation::find_network(cluster.network);
  return cluster;
}

}  // namespace gossamer::cli
