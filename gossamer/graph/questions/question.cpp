#include "gossamer/graph/questions/question.hpp"

#include <fmt/format.h>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/store/vertex_error.hpp"

namespace gossamer::graph {

void asking::refuse(std::string_view why) const {
  throw error(graph_name.empty() ? std::string(why) : fmt::format("{}: {}", graph_name, why));
}

std::vector<std::string> question::row_names() const {
  std::vector<std::string> names;
  for (const column_text& each : text_.rows) names.emplace_back(each.name);
  return names;
}

answer question::ask(const graph& g, const asking& how) const {
  const std::string in_python = how.graph_name.empty() ? fmt::format("{}: ", text_.name) : std::string();
  if (text_.is_undirected && g.view().directed)
    how.refuse(fmt::format("{}expected an undirected graph, found a directed one{}", in_python,
                           in_python.empty() ? ": --undirected reads every edge both ways" : ""));
  if (text_.is_directed && !g.view().directed)
    how.refuse(fmt::format("{}expected a directed graph, found an undirected one{}", in_python,
                           in_python.empty() ? ": --directed reads every edge one way" : ""));
  try {
    return compute(g, how);
  } catch (const vertex_error& wrong) {
    throw error(wrong.with_labels(g.names()));
  }
}

}  // namespace gossamer::graph
