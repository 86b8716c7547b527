#pragma once
// The parameters that searches from one vertex share: the source, and the number of trials.

#include <cstdint>
#include <optional>
#include <vector>

#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {

class search_starts {
 public:
  /// Declares --source, and --trials with the given help.
  void declare(parameter_list& p, std::string_view trials_help);
  /// Throws gossamer::error if neither is given.
  void require(std::string_view question) const;
  /// Returns a start for each trial: the source, or random vertices.
  std::vector<vertex_id> all(const graph_view& g, std::uint64_t seed, std::string_view question) const;
  /// Returns whether --trials was given.
  bool are_trials() const { return trials_.has_value(); }

  /// Calls search(source, hook) for each start, and on request verify(result) after each until one fails.
  /// Returns the results, and the result of the verification.
  template <class Result, class Search, class Verify>
  std::pair<std::vector<Result>, check> run(const std::vector<vertex_id>& from, const asking& how,
                                            const char* phase, Search search, Verify verify) const {
    std::vector<Result> runs;
    check verified;
    for (const vertex_id source : from) {
      report(how.progress, phase, runs.size(), from.size() > 1 ? from.size() : 0);
      runs.push_back(search(source, from.size() > 1 ? progress_hook() : how.progress));
      if (!how.verify || !verified) continue;
      if (from.size() == 1) report(how.progress, "verifying", 0, 0);
      verified = verify(runs.back());
    }
    return {std::move(runs), std::move(verified)};
  }

 private:
  std::optional<vertex_id> source_;
  std::optional<std::uint64_t> trials_;
};

/// Returns a sentence about the start of a search and the share of the graph that it reached: "from a: 3 of 4
/// vertices (75.0 %)", then `beyond`.
sentence reach_of(const graph& g, bool is_last_of_many, vertex_id source, std::uint64_t reached,
                  std::string beyond);

}  // namespace gossamer::graph
