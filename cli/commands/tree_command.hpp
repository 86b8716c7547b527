#pragma once
// What uts and uts-mem share: the tree in their options, and the answer about its size.

#include <cstdint>
#include <string>

#include "commands/job_command.hpp"
#include "gossamer/kernels/uts.hpp"

namespace gossamer::cli {

class tree_command : public job_command {
 public:
  using job_command::job_command;

  /// Reads the tree, so that a slip is known before anything starts.
  void check() override;

 protected:
  /// Says why a setting changes nothing for a tree whose tasks are stealable and that has no structures.
  std::string ignores_loops_and_structures(std::string_view setting) const;
  void declare_own(declaration& d) override;
  void describe(json_object& j) const override;
  /// Returns --quiet alone. Of trees -q X is the probability that the benchmark calls so; without X it is
  /// --quiet.
  std::string quiet_names() const override { return "--quiet"; }

  /// Returns "T1L", or the arguments where the tree has no name.
  std::string tree_name() const;
  void say_size(session& s, const kernels::uts_size& size) const;
  static void say_speed(session& s, const kernels::uts_size& size, double seconds);
  /// Compares with the published size, always; with a serial count where --verify asks for it.
  void check_size(session& s, const kernels::uts_size& found) const;
  /// Shows how much of so many nodes is done; 0 where that is unknown.
  static kernels::uts_progress watch(session& s, std::uint64_t total);

  kernels::uts_tree tree_{};

 private:
  std::string words_;  // as typed
};

/// Formats a size: "4,130,071 nodes, 3,305,118 leaves, depth 10".
std::string text_of(const kernels::uts_size& size);

}  // namespace gossamer::cli
