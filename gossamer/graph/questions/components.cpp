// Connected components.
#include "gossamer/graph/algorithms/components.hpp"

#include <fmt/format.h>

#include <bit>

#include "gossamer/base/units.hpp"
#include "gossamer/graph/questions/internal/makers.hpp"
#include "gossamer/graph/questions/question.hpp"

namespace gossamer::graph {
namespace {

/// Component sizes gathered by powers of two: from 2^b up to, not including, 2^(b+1).
struct size_bin {
  std::uint64_t least = 0, most = 0, components = 0, vertices = 0;
};

std::vector<size_bin> binned(const std::vector<component_size>& sizes) {
  std::vector<size_bin> bins;
  for (const auto& [size, count] : sizes) {
    const bool fresh = bins.empty() || std::bit_width(bins.back().least) != std::bit_width(size);
    if (fresh) bins.push_back({.least = size});
    bins.back().most = size;
    bins.back().components += count;
    bins.back().vertices += size * count;
  }
  return bins;
}

text_table size_table(const components_result& r, std::uint64_t vertices) {
  text_table table{.titles = {"size", "components", "vertices", "share"}};
  for (const auto& bin : binned(r.sizes))
    table.rows.push_back({bin.least == bin.most
                              ? format_count(bin.least)
                              : fmt::format("{}–{}", format_count(bin.least), format_count(bin.most)),
                          format_count(bin.components), format_count(bin.vertices),
                          percent(static_cast<double>(bin.vertices), static_cast<double>(vertices))});
  return table;
}

/// Returns the size of the component that a vertex stands for.
std::function<std::optional<double>(vertex_id)> sizes_of(const std::vector<vertex_column>& all) {
  const auto& ids = std::get<std::vector<vertex_id>>(all[0].values);
  std::vector<vertex_id> sizes(ids.size());
  for (const vertex_id id : ids) ++sizes[id];
  return [sizes = std::move(sizes)](vertex_id v) {
    return sizes[v] == 0 ? std::nullopt : std::optional(static_cast<double>(sizes[v]));
  };
}

class components_question final : public question {
  static constexpr column_text k_columns[] = {
      {"component",
       "A vertex of its component, the same for all of them: the one with the smallest number."}};
  static constexpr python_method k_methods[] = {
      {"components", 0, "Components",
       "Find the connected components; direction is ignored (weak components).",
       "For each vertex the number of the smallest vertex of its component; ``count``, ``top(k)``, "
       "``groups()``."}};
  static constexpr question_text k_text{
      .name = "components",
      .summary = "connected components, direction ignored",
      .definition =
          "Weakly connected components: direction is ignored, so a directed graph has those of its "
          "undirected version.",
      .examples =
          "  gossamer components web.tsv.gz\n"
          "  gossamer components web.tsv --output parts.tsv  vertex, component\n"
          "  gossamer components kron:18 --verify\n",
      .verifier = "union-find over all edges",
      .columns = k_columns,
      .methods = k_methods};

 public:
  components_question() : question(k_text) {}

 private:
  answer compute(const graph& g, const asking& how) const override;
};

answer components_question::compute(const graph& g, const asking& how) const {
  const auto found = std::make_shared<components_result>(connected_components(g.view(), how.progress));
  histogram sizes{.of = "size", .counts = "components", .bins = {}};
  for (const auto& [size, count] : found->sizes) sizes.bins.emplace_back(size, count);
  answer a;
  a.seconds = found->seconds;
  a.known = {{"components", found->components}, {"largest", found->largest}, {"sizes", std::move(sizes)}};
  const std::uint64_t vertices = g.view().vertices;
  a.sentences = {
      {"", plural(found->components, "component", "components"),
       fmt::format(", the largest of {} ({}), found in {}", plural(found->largest, "vertex", "vertices"),
                   percent(static_cast<double>(found->largest), static_cast<double>(vertices)),
                   format_duration(found->seconds))}};
  a.tables = {size_table(*found, vertices)};
  a.top = {.title = "component of",
           .score = "vertices",
           .how = vertex_ranking::form::counts,
           .is_asked_for = true,
           .scores = sizes_of};
  a.verified = how.checked([&] { return verify_components(g.view(), *found); });
  a.columns = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .values = std::move(found->component)}};
  };
  return a;
}

}  // namespace

std::unique_ptr<question> make_components() { return std::make_unique<components_question>(); }

}  // namespace gossamer::graph
