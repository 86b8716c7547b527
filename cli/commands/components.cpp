// gossamer components: how a graph falls apart.

#include "gossamer/graph/algorithms/components.hpp"

#include <bit>

#include "commands/graph_command.hpp"
#include "commands/registry.hpp"
#include "gossamer/graph/verify/verify.hpp"

namespace gossamer::cli {
namespace {

/// Component sizes gathered by powers of two: from 2^b up to, not including, 2^(b+1).
struct size_bin {
  std::uint64_t least = 0, most = 0, components = 0, vertices = 0;
};

std::vector<size_bin> binned(const std::vector<graph::component_size>& sizes) {
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

void say_sizes(session& s, const graph::components_result& r, std::uint64_t vertices) {
  s.json().set_array("sizes");
  for (const auto& [size, count] : r.sizes) {
    json_object row;
    row.set("size", size);
    row.set("components", count);
    s.json().append("sizes", std::move(row));
  }
  table rows({{"size"}, {"components"}, {"vertices"}, {"share"}});
  for (const auto& bin : binned(r.sizes)) {
    const std::string size = bin.least == bin.most
                                 ? format_count(bin.least)
                                 : fmt::format("{}–{}", format_count(bin.least), format_count(bin.most));
    rows.row({size, format_count(bin.components), format_count(bin.vertices),
              percent(static_cast<double>(bin.vertices), static_cast<double>(vertices))});
  }
  if (rows.empty()) return;
  s.say("");
  s.say(rows);
}

void say_top(session& s, const loaded_graph& g, const graph::components_result& r, std::uint64_t most) {
  std::vector<graph::vertex_id> size(r.component.size());
  for (const auto id : r.component) ++size[id];
  auto top = best(size.size(), most, [&](graph::vertex_id v) { return static_cast<double>(size[v]); });
  std::erase_if(top, [](const auto& entry) { return entry.score == 0; });
  set_top(s, g, top);
  table rows({{"component of", table::align::left}, {"vertices"}});
  for (const auto& [vertex, score] : top)
    rows.row({g.text_of(vertex), format_count(static_cast<std::uint64_t>(score))});
  s.say("");
  s.say(rows);
}

void write_rows(row_writer& rows, const loaded_graph& g, const graph::components_result& r) {
  for (graph::vertex_id v = 0; v < r.component.size(); ++v) {
    rows.field(g.label_of(v)).field(g.label_of(r.component[v])).end_row();
  }
}

constexpr command_text k_components_text{
    "components", "connected components, direction ignored",
    "  gossamer components web.tsv.gz\n"
    "  gossamer components web.tsv --output parts.tsv  vertex, component\n"
    "  gossamer components kron:18 --verify\n"};

class components_command final : public graph_command {
 public:
  components_command() : graph_command(k_components_text) {}

 private:
  void answer(session& s) override;
};

void components_command::answer(session& s) {
  s.open_rows({"vertex", "component"});
  const loaded_graph g = load(s);
  const auto result = graph::connected_components(g.view(), hook(s));
  s.json().set("components", result.components);
  s.json().set("largest", result.largest);
  s.took("run", result.seconds);
  s.say("\n{}, the largest of {} ({}), found in {}",
        s.colours().bold(plural(result.components, "component", "components")),
        plural(result.largest, "vertex", "vertices"),
        percent(static_cast<double>(result.largest), static_cast<double>(g.view().vertices)),
        format_duration(result.seconds));
  say_sizes(s, result, g.view().vertices);
  if (top_) say_top(s, g, result, vertices_to_list());
  if (verify_) {
    s.steps().step("verifying");
    const auto check = graph::verify_components(g.view(), result);
    s.verified(check.ok, check.reason, "union-find over all edges");
  }
  if (auto* rows = s.rows()) write_rows(*rows, g, result);
}

}  // namespace

std::unique_ptr<command> make_components() { return std::make_unique<components_command>(); }

}  // namespace gossamer::cli
