#include "commands/cluster_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gossamer/base/error.hpp"
#include "gossamer/simulation/faults.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::cli {
namespace {

/// Returns the options that words of GOSSAMER_SIMULATE stand for. Errors name `option` in place of the variable.
simulation::options parse(const std::string& option, const std::string& words) {
  try {
    return simulation::options::parse(words);
  } catch (const error& e) {
    const std::string_view what = e.what();
    throw error(option + std::string(what.substr(std::min(what.find(':'), what.size()))));
  }
}

}  // namespace

void cluster_options::word(declaration& d, const std::string& names, const std::string& type,
                           const std::string& key, const std::string& help) {
  d.value(names, type, help, [this, key](const auto& option, const auto& text) {
    if (text.empty()) refuse(option, "one word", text);
    const std::string word = fmt::format("{}={}", key, simulation::options::escaped(text));
    if (key != "lose") (void)parse(option, word);  // read() checks that one, which depends on the processes
    words_ += " " + word;
  });
}

void cluster_options::compute(declaration& d) {
  word(d, "--compute", "HOW", "compute",
       "fixed: set costs, repeatable to the bit (default); measured: the time really used");
}

simulation::options cluster_options::read() const {
  const auto cluster = parse("--lose", words_);
  (void)simulation::fault_set::parse(cluster.faults);
  (void)simulation::find_network(cluster.network);
  return cluster;
}

}  // namespace gossamer::cli
