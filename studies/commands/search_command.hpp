#pragma once
// Base of commands that search from one vertex: sources, trials, and the speed. A command makes its search
// and passes it to answer_by().

#include <optional>
#include <string>
#include <vector>

#include "commands/graph_command.hpp"
#include "gossamer/graph/algorithms/bfs.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::studies {

class search_command : public cli::graph_command {
 public:
  using cli::graph_command::graph_command;

  void check() override;
  void describe(cli::json_object& j) const final;

 protected:
  /// Declares the options of the search itself.
  virtual void declare_search(cli::declaration& d) = 0;
  /// Sets the keys of these options.
  virtual void describe_search(cli::json_object& j) const = 0;
  void declare_algorithm(cli::declaration& d) final;
  void declare_output(cli::declaration&) final {}

  /// Runs `search` from every source and adds the results. Search has run(source, progress) and parents(),
  /// like graph::bfs.
  template <class Search>
  void answer_by(Search& search, cli::session& s, const cli::loaded_graph& g) {
    const auto from = sources(g);
    std::vector<graph::bfs_result> runs;
    gossamer::check verified;
    s.step("bfs");
    for (const graph::vertex_id source : from) {
      if (from.size() > 1) s.steps().at(runs.size(), from.size());
      runs.push_back(search.run(source, from.size() > 1 ? graph::progress_hook() : cli::hook(s)));
      if (verify_ && verified) verified = graph::verify_bfs(g.view(), runs.back(), search.parents());
    }
    say(s, g, runs, verified);
  }

 private:
  std::vector<graph::vertex_id> sources(const cli::loaded_graph& g) const;
  void say(cli::session& s, const cli::loaded_graph& g, const std::vector<graph::bfs_result>& runs,
           const gossamer::check& verified) const;
  void say_speed(cli::session& s, const cli::loaded_graph& g,
                 const std::vector<graph::bfs_result>& runs) const;

  std::optional<std::string> from_;  // a label
  std::uint64_t trials_ = 0;  // 0: one run
};

}  // namespace gossamer::studies
