// Communities, and their modularity.
#include "gossamer/graph/algorithms/communities.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/component_answer.hpp"
#include "gossamer/graph/questions/internal/iterations.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

class communities_question final : public question {
  static constexpr std::string_view k_methods_there_are[] = {"leiden", "louvain", "labels"};
  static constexpr real_range k_not_negative{"a number of 0 or more", [](double x) {
                                               return x >= 0 && x < std::numeric_limits<double>::infinity();
                                             }};
  static constexpr column_text k_columns[] = {
      {"community",
       "A vertex of its community, the same for all of them: the one with the smallest number."}};
  static constexpr python_method k_methods[] = {
      {"communities", 0, "Communities", "Find communities: parts with more edges inside than by chance.",
       "For each vertex the number of the smallest vertex of its community; ``count``, ``modularity``, "
       "``top(k)``, ``groups()``."}};
  static constexpr question_text k_text{
      .name = "communities",
      .summary = "parts with more edges inside than by chance: Leiden, Louvain, labels",
      .definition =
          "Leiden and Louvain seek a large modularity: the sum over communities of w/m − γ·(k/2m)², with w "
          "the weight of the edges inside, k that of the edges at its vertices, each edge at both ends, m "
          "that of all edges, and γ the resolution. Of a directed graph it is w/m − γ·k⁺·k⁻/m², with k⁺ and "
          "k⁻ of outgoing and incoming arcs. It is NetworkX's `modularity`. By Leiden every community is "
          "connected; by either no two communities gain by being one. Labels: each vertex takes "
          "the label with the most weight among its neighbours, of both directions; it keeps its own if "
          "that is among them, else takes the smallest. The seed draws the order; for one seed the answer is "
          "the "
          "same on any number of cores and processes. Edges without weights count 1, and so does an edge "
          "that a file has several times. Self-loops, which NetworkX counts, are left out, and a note says "
          "so.",
      .examples =
          "  gossamer communities data/debian-depends.tsv.gz --undirected --top 10\n"
          "  gossamer communities roads.csv --undirected --method louvain --resolution 0.5\n"
          "  gossamer communities web.tsv --output communities.tsv  vertex, community\n",
      .verifier = "count of weights inside and between communities",
      .columns = k_columns,
      .methods = k_methods,
      .weights = weight_use::kept};

 public:
  communities_question() : question(k_text) {}

  void declare(parameter_list& p) override {
    p.one_of("method", &method_, "how communities are found: leiden, louvain or labels").of_python("method");
    p.real("resolution", &how_.resolution, k_not_negative,
           "of modularity: above 1 more and smaller communities, below fewer")
        .of_python("resolution");
    p.whole("seed", &seed, "of the order in which vertices move").of_python("seed").not_in_program();
  }

 private:
  answer compute(const graph& g, const asking& how) const override;

  choice method_{.names = k_methods_there_are};
  community_options how_;
};

answer communities_question::compute(const graph& g, const asking& how) const {
  community_options options = how_;
  options.method = static_cast<community_method>(method_.picked);
  options.seed = seed;
  check_weights(g, how);
  const auto found = std::make_shared<communities_result>(find_communities(g.view(), options, how.progress));
  const std::shared_ptr<components_result> groups(found, &found->groups);
  found->groups.seconds = found->seconds;
  answer a = answer_of_components(
      groups, {.one = "community", .many = "communities", .key = "communities", .top = "community of"});
  if (found->modularity) {
    a.known.push_back({"modularity", *found->modularity});
    a.sentences.push_back(
        {"modularity ", fmt::format("{:.6f}", *found->modularity),
         fmt::format(" by {}, {} on {}", method_.name(), plural(found->rounds, "round", "rounds"),
                     plural(found->levels, "level", "levels"))});
  } else {
    a.sentences.push_back({"modularity is not defined: there is no weight"});
  }
  a.known.push_back({"levels", found->levels});
  a.known.push_back({"rounds", found->rounds});
  if (!found->converged)
    a.shortfall = fmt::format("stopped after {} rounds, while labels still changed", found->rounds);
  note_loops(a, g, how, "communities", "NetworkX counts");
  if (found->raised_weights)
    a.notes.push_back(
        "weights are so far apart that the smallest count as more than they are: those at one vertex "
        "may be taken for equal");
  a.verified = how.checked([&] { return verify_communities(g.view(), options, *found); });
  return a;
}

}  // namespace

std::unique_ptr<question> make_communities() { return std::make_unique<communities_question>(); }

}  // namespace gossamer::graph
