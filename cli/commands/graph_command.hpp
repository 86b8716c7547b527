#pragma once
// A command about a graph, which it reads or generates. Declares G and the options for reading it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/job_command.hpp"
#include "commands/loaded_graph.hpp"
#include "output/input_file.hpp"

namespace gossamer::cli {

class graph_command : public job_command {
 public:
  using job_command::job_command;

  void check() override;
  void check_repeated(std::string_view by) const override;
  std::vector<std::string> files_read() const override;
  void describe(json_object& j) const override;

 protected:
  void declare_own(declaration& d) final;
  void declare_output(declaration& d) override;
  std::string_view seed_option() const override { return "--seed"; }
  void check_files() const override;
  session_options reporting() const override;

  /// Declares the options between G and those for reading it.
  virtual void declare_algorithm(declaration&) {}

  /// Reads or generates the graph and adds a description of it to the answer. Collective; by the main
  /// fiber.
  loaded_graph load(session& s, graph::weight_use weights = graph::weight_use::counted) const {
    return loaded_graph(s, graph_, source_, seed_, weights);
  }
  std::uint64_t vertices_to_list() const { return top_.value_or(10); }

  /// Returns the files that the command reads; some paths may be empty.
  virtual std::vector<input_file> inputs() const;

  std::string graph_;  // a file, or kron:… and the like
  graph_source source_;
  std::optional<std::uint64_t> top_;  // unset: 10 in commands that always have a ranking
  std::string output_;
};

}  // namespace gossamer::cli
