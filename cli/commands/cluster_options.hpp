#pragma once
// The simulated cluster in the options of simulate and scale: words of GOSSAMER_SIMULATE, which are checked all
// at once when they are read.

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
  /// Declares --compute, which simulate and scale both have.
  void compute(declaration& d);

  /// Throws gossamer::error where a word is wrong, also where the network or a fault is not known.
  simulation::options read() const;
  bool has(const std::string& key) const { return words_.find(" " + key + "=") != std::string::npos; }

 private:
  std::string words_;
};

}  // namespace gossamer::cli
