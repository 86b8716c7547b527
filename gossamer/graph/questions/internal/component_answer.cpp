#include "gossamer/graph/questions/internal/component_answer.hpp"

#include <fmt/format.h>

#include <bit>

#include "gossamer/base/units.hpp"

namespace gossamer::graph {
namespace {

/// The components of a range of sizes: from 2^b to 2^(b+1) - 1.
struct size_bin {
  std::uint64_t least = 0, most = 0, components = 0, vertices = 0;
};

std::vector<size_bin> binned(const std::vector<component_size>& sizes) {
  std::vector<size_bin> bins;
  for (const auto& [size, count] : sizes) {
    const bool is_new = bins.empty() || std::bit_width(bins.back().least) != std::bit_width(size);
    if (is_new) bins.push_back({.least = size});
    bins.back().most = size;
    bins.back().components += count;
    bins.back().vertices += size * count;
  }
  return bins;
}

text_table size_table(const components_result& r, std::string_view key) {
  const auto vertices = static_cast<double>(r.component.size());
  text_table table{.titles = {"size", std::string(key), "vertices", "share"}};
  for (const auto& bin : binned(r.sizes))
    table.rows.push_back({bin.least == bin.most
                              ? format_count(bin.least)
                              : fmt::format("{}–{}", format_count(bin.least), format_count(bin.most)),
                          format_count(bin.components), format_count(bin.vertices),
                          percent(static_cast<double>(bin.vertices), vertices)});
  return table;
}

/// Returns a function from a vertex to the size of the component that is named after it.
std::function<std::optional<double>(vertex_id)> sizes_of(const std::vector<vertex_column>& all) {
  const auto& ids = std::get<std::vector<vertex_id>>(all[0].values);
  std::vector<vertex_id> sizes(ids.size());
  for (const vertex_id id : ids) ++sizes[id];
  return [sizes = std::move(sizes)](vertex_id v) {
    return sizes[v] == 0 ? std::nullopt : std::optional(static_cast<double>(sizes[v]));
  };
}

}  // namespace

answer answer_of_components(const std::shared_ptr<components_result>& found, const part_names& names) {
  histogram sizes{.of = "size", .counts = names.key, .bins = {}};
  for (const auto& [size, count] : found->sizes) sizes.bins.emplace_back(size, count);
  answer a;
  a.seconds = found->seconds;
  a.known = {
      {std::string(names.key), found->components}, {"largest", found->largest}, {"sizes", std::move(sizes)}};
  a.sentences = {
      {"", plural(found->components, names.one, names.many),
       fmt::format(", the largest of {} ({}), found in {}", plural(found->largest, "vertex", "vertices"),
                   percent(static_cast<double>(found->largest), static_cast<double>(found->component.size())),
                   format_duration(found->seconds))}};
  a.tables = {size_table(*found, names.key)};
  a.top = {.title = names.top,
           .score = "vertices",
           .how = vertex_ranking::form::counts,
           .is_asked_for = true,
           .scores = sizes_of};
  a.columns = [found] {
    return std::vector<vertex_column>{
        {.form = vertex_column::kind::vertices, .values = std::move(found->component)}};
  };
  return a;
}

}  // namespace gossamer::graph
