#include "gossamer/graph/questions/internal/search_starts.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sources.hpp"

namespace gossamer::graph {

void search_starts::declare(parameter_list& p, std::string_view trials_help) {
  p.vertex("source", &source_, "start here (the vertex's label)")
      .also("-s")
      .of_python("source", "Where to start.");
  p.whole("trials", &trials_, trials_help, 1);
}

void search_starts::require(std::string_view question) const {
  constexpr std::uint64_t k_most_trials = 1 << 24;  // each keeps its result
  if (trials_ && *trials_ > k_most_trials)
    throw error(
        fmt::format("{}: --trials: expected at most {}, found {}", question, k_most_trials, *trials_));
  if (!source_ && !trials_)
    throw error(
        fmt::format("{0}: expected --source V or --trials N (gossamer {0} --help shows examples)", question));
}

std::vector<vertex_id> search_starts::all(const graph_view& g, std::uint64_t seed,
                                          std::string_view question) const {
  const std::uint64_t count = trials_.value_or(1);
  if (source_) return std::vector<vertex_id>(count, *source_);
  auto drawn = random_sources(g, count, seed);
  if (drawn.empty())
    throw error(fmt::format("{}: expected a graph with edges to start from, found none", question));
  const std::size_t distinct = drawn.size();  // fewer than `count` in a small graph: they are repeated
  while (drawn.size() < count) drawn.push_back(drawn[drawn.size() - distinct]);
  return drawn;
}

sentence reach_of(const graph& g, bool is_last_of_many, vertex_id source, std::uint64_t reached,
                  std::string beyond) {
  const std::uint64_t vertices = g.view().vertices;
  return {is_last_of_many ? "the last from " : "from ", g.names().label(source),
          fmt::format(": {} of {} ({}){}", format_count(reached), plural(vertices, "vertex", "vertices"),
                      percent(static_cast<double>(reached), static_cast<double>(vertices)), beyond)};
}

}  // namespace gossamer::graph
