#pragma once
// Options of simulate, scale and sweep for the simulated cluster. They become words of GOSSAMER_SIMULATE;
// read() checks all of them.

#include <string>

#include "gossamer/simulation/simulation_options.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {

class cluster_options {
 public:
  explicit cluster_options(std::string defaults = {}) : words_(std::move(defaults)) {}

  /// Declares an option that becomes the word `key`=value.
  void word(declaration& d, const std::string& names, const std::string& type, const std::string& key,
            const std::string& help);
  /// Declares --compute.
  void compute(declaration& d);

  /// Returns the options of the cluster. Throws gossamer::error if a word is wrong, or the network or a fault
  /// is unknown.
  simulation::options read() const;
  bool has(const std::string& key) const { return words_.find(" " + key + "=") != std::string::npos; }

 private:
  std::string words_;
};

}  // namespace gossamer::cli
