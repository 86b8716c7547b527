#include "commands/cluster_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gossamer/base/error.hpp"
#include "gossamer/simulation/faults.hpp"
#include "gossamer/simulation/network.hpp"

namespace gossamer::cli {
namespace {

/// Throws gossamer::error with the name of the option if a word is wrong by itself.
void check_word(const std::string& option, const std::string& word) {
  try {
    (void)simulation::options::parse(word);
  } catch (const error& e) {
    const std::string_view what = e.what();
    throw error(option + std::string(what.substr(std::min(what.find(':'), what.size()))));
  }
}

}  // namespace

void cluster_options::word(declaration& d, const std::string& names, const std::string& type,
                           const std::string& key, const std::string& help) {
  d.value(names, type, help, [this, key](const auto& option, const auto& text) {
    if (text.empty() || text.find(' ') != text.npos) refuse(option, "one word", text);
    const std::string word = fmt::format("{}={}", key, text);
    if (key != "lose") check_word(option, word);  // that one depends on others
    words_ += " " + word;
  });
}

void cluster_options::compute(declaration& d) {
  word(d, "--compute", "HOW", "compute",
       "fixed: set costs, repeatable to the bit (default); measured: the time really used");
}

simulation::options cluster_options::read() const {
  const auto parse = [this] {
    try {
      return simulation::options::parse(words_);
    } catch (const error& e) {  // each word is right by itself
      std::string what = e.what();
      throw error("--lose" + what.substr(std::min(what.find(':'), what.size())));
    }
  };
  const auto cluster = parse();
  (void)simulation::fault_set::parse(cluster.faults);
  (void)simulation::find_network(cluster.network);
  return cluster;
}

}  // namespace gossamer::cli
