#pragma once
// Base of uts and uts-mem: options for the tree, and the answer about its size.

#include <cstdint>
#include <string>

#include "commands/job_command.hpp"
#include "gossamer/kernels/uts.hpp"

namespace gossamer::cli {

class tree_command : public job_command {
 public:
  using job_command::job_command;

  /// Parses the tree, so that mistakes are found before anything starts.
  void check() override;

 protected:
  /// Returns why a setting has no effect on a command with stealable tasks, but without range loops and
  /// structures.
  std::string ignores_loops_and_structures(std::string_view setting) const;
  void declare_own(declaration& d) override;
  std::string_view seed_option() const override { return "-r"; }
  void describe(json_object& j) const override;
  /// Returns --quiet alone: -q X is a probability of the tree, named as in the benchmark. Without X, -q is
  /// still --quiet (parse.cpp).
  std::string quiet_names() const override { return "--quiet"; }

  /// Returns the name of the tree ("T1L"), or its arguments if it has none.
  std::string tree_name() const;
  void say_size(session& s, const kernels::uts_size& size) const;
  static void say_speed(session& s, const kernels::uts_size& size, double seconds);
  /// Compares with the published size, if there is one; with --verify also with a serial count.
  void check_size(session& s, const kernels::uts_size& found) const;
  /// Returns a hook that shows the progress. `total`: nodes of the tree; 0: unknown.
  static kernels::uts_progress watch(session& s, std::uint64_t total);

  kernels::uts_tree tree_{};

 private:
  std::string words_;  // as typed
};

/// Formats a size: "4,130,071 nodes, 3,305,118 leaves, depth 10".
std::string text_of(const kernels::uts_size& size);

}  // namespace gossamer::cli
