#include "gossamer/graph/questions/internal/iterations.hpp"

#include <fmt/format.h>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/sssp.hpp"
#include "gossamer/graph/questions/internal/lengths.hpp"

namespace gossamer::graph {

void declare_limits(parameter_list& p, double& tolerance, std::uint64_t& max_iterations) {
  p.real("tolerance", &tolerance, k_positive, "stop when the scores change less than this in sum")
      .of_python("tol",
                 "Stop when all scores together change less than this in an iteration. NetworkX multiplies "
                 "its `tol` "
                 "by the number of vertices; the backend for NetworkX does so, too.");
  p.whole("max-iterations", &max_iterations, "stop after N iterations at the latest", 1)
      .of_python("max_iter", "Stop after so many iterations.");
}

void declare_weighted(parameter_list& p, bool& weighted) {
  p.flag("weighted", &weighted, "count edges by their weights")
      .of_python("weighted", "Count edges by their weights; else each counts 1.");
}

void declare_unweighted(parameter_list& p, bool& unweighted) {
  p.flag("unweighted", &unweighted, "count each edge 1, whatever its weight")
      .of_python("unweighted", "Count each edge 1, whatever its weight.");
}

void say_iteration(answer& a, const graph& g, const iteration_result& r) {
  a.seconds = r.seconds;
  for (fact each : facts{{"iterations", r.iterations}, {"change", r.change}, {"converged", r.converged}})
    a.known.push_back(std::move(each));
  a.sentences.push_back(
      {fmt::format("{} in {}, last change {:.1e}", plural(r.iterations, "iteration", "iterations"),
                   format_duration(r.seconds), r.change)});
  if (!r.converged && g.view().vertices > 0)
    a.shortfall =
        fmt::format("stopped after {} iterations, before the tolerance was reached: last change {:.1e}",
                    r.iterations, r.change);
}

void check_weights(const graph& g, const asking& how, bool above_zero) {
  if (g.view().weights == weight_type::none) return;
  if (const auto bad = find_bad_length(g.view(), above_zero))
    how.refuse(fmt::format("expected weights {}, found {} from {} to {}",
                           above_zero ? "above 0" : "of 0 or more", bad->weight, g.names().label(bad->from),
                           g.names().label(bad->to)));
}

void check_weights_asked_for(const graph& g, const asking& how, bool weighted, answer& a, bool above_zero) {
  if (!weighted) return;
  check_for_lengths(g, how);
  check_weights(g, how, above_zero);
  if (g.view().weights == weight_type::none) a.notes.emplace_back("edges have no weights: each counts 1");
}

void note_loops(answer& a, const graph& g, const asking& how, std::string_view what,
                std::string_view libraries) {
  if (const std::uint64_t loops = g.statistics().self_loops; loops != 0 && !is_generator(how.graph_name))
    a.notes.push_back(fmt::format("{} without its {}, which {}", what,
                                  plural(loops, "self-loop", "self-loops"), libraries));
}

}  // namespace gossamer::graph
