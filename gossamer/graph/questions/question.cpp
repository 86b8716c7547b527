#include "gossamer/graph/questions/question.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"

namespace gossamer::graph {

void asking::refuse(std::string_view why) const {
  throw error(graph_name.empty() ? std::string(why) : fmt::format("{}: {}", graph_name, why));
}

answer question::ask(const graph& g, const asking& how) const {
  if (text_.is_undirected && g.view().directed)
    how.refuse(fmt::format("{}expected an undirected graph, found a directed one{}",
                           how.graph_name.empty() ? fmt::format("{}: ", text_.name) : "",
                           how.graph_name.empty() ? "" : ": --undirected reads every edge both ways"));
  return compute(g, how);
}

}  // namespace gossamer::graph
