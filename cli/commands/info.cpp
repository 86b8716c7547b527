// gossamer info: sizes, degrees and memory of a graph.

#include <algorithm>

#include "commands/degree_answer.hpp"
#include "commands/graph_command.hpp"
#include "commands/recount.hpp"
#include "commands/registry.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/store/remote_row_cache.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::cli {
namespace {

std::string range_text(std::size_t bin) {
  const auto [from, to] = degree_bin(bin);
  return from == to ? format_count(from) : fmt::format("{}–{}", format_count(from), format_count(to));
}

std::vector<std::string> summary_row(std::string_view side, const graph::degree_summary& d,
                                     const loaded_graph& g) {
  const std::string where = d.max_vertex == graph::k_no_vertex ? "" : g.text_of(d.max_vertex);
  return {std::string(side),
          format_count(d.min),
          fmt::format("{:g}", d.median),
          fmt::format("{:.2f}", d.mean),
          format_count(d.max),
          where};
}

void say_degrees(session& s, const graph::degrees_result& d, const loaded_graph& g) {
  const bool directed = g.view().directed;
  table summary({{"degree", table::align::left},
                 {"least"},
                 {"median"},
                 {"mean"},
                 {"most"},
                 {"at", table::align::left}});
  summary.row(summary_row(directed ? "out" : "edges", d.out, g));
  if (directed) summary.row(summary_row("in", d.in, g));
  s.say("");
  s.say(summary);

  std::vector<table::column> columns{{"degree"}, {directed ? "vertices by out" : "vertices"}, {"share"}};
  if (directed) columns.insert(columns.end(), {{"by in"}, {"share"}});
  table bins(columns);
  const double n = static_cast<double>(g.view().vertices);
  const auto cells = [n](const graph::degree_summary& side, std::size_t bin) {
    const std::uint64_t count = bin < side.histogram.size() ? side.histogram[bin] : 0;
    return std::pair{format_count(count), percent(static_cast<double>(count), n)};
  };
  for (std::size_t bin = 0; bin < std::max(d.out.histogram.size(), d.in.histogram.size()); ++bin) {
    const auto [out, out_share] = cells(d.out, bin);
    const auto [in, in_share] = cells(d.in, bin);
    bins.row(directed ? std::vector{range_text(bin), out, out_share, in, in_share}
                      : std::vector{range_text(bin), out, out_share});
  }
  if (bins.empty()) return;
  s.say("");
  s.say(bins);
}

void say_memory(session& s, const loaded_graph& g) {
  const std::uint64_t bytes = g.whole().memory_bytes();
  const std::uint64_t edges = g.view().edges();
  const double per_edge = edges == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(edges);
  s.json().set("memory/bytes", bytes);
  s.json().set("memory/bytes_per_edge", per_edge);
  s.say("\nmemory {}{}", format_bytes(bytes),
        edges == 0 ? "" : fmt::format(", {:.1f} bytes per edge", per_edge));
}

void say_top(session& s, const loaded_graph& g, std::uint64_t most) {
  const auto view = g.view();
  const graph::remote_row_cache out(view, view.out), in(view, view.in);
  const auto total = [&](graph::vertex_id v) {
    return static_cast<double>(out.degree(v) + (view.directed ? in.degree(v) : 0));
  };
  const auto top = best(view.vertices, most, total);
  set_top(s, g, top);
  table rows({{"vertex", table::align::left}, {"degree"}});
  for (const auto& [vertex, score] : top)
    rows.row({g.text_of(vertex), format_count(static_cast<std::uint64_t>(score))});
  s.say("");
  s.say(rows);
}

void write_rows(row_writer& rows, const loaded_graph& g) {
  const auto view = g.view();
  const graph::remote_row_cache out(view, view.out), in(view, view.in);
  for (graph::vertex_id v = 0; v < view.vertices; ++v) {
    rows.field(g.label_of(v)).field(out.degree(v)).field(in.degree(v)).end_row();
  }
}

constexpr command_text k_info_text{
    "info", "vertices, edges, degree distribution and memory of a graph",
    "  gossamer info web.tsv.gz\n"
    "  gossamer info web.tsv --header --top 20     the 20 vertices with most edges\n"
    "  gossamer info kron:16 --output degrees.csv  vertex, out, in\n"};

class info_command final : public graph_command {
 public:
  info_command() : graph_command(k_info_text) {}

  std::string ignores(std::string_view setting) const override {
    return ignores_tasks_and_structures(setting);
  }

 private:
  void answer(session& s) override;
};

void info_command::answer(session& s) {
  s.open_rows({"vertex", "out", "in"});
  const loaded_graph g = load(s);
  s.step("counting degrees");
  const std::uint64_t began = machine::now_ns();
  const auto degrees = graph::degrees(g.view());
  s.took("run", machine::seconds_since(began));
  s.json().set("isolated", degrees.isolated);
  set_degrees(s.json(), "out", degrees.out, g);
  set_degrees(s.json(), "in", degrees.in, g);
  say_degrees(s, degrees, g);
  if (degrees.isolated > 0) s.say("\n{} without any edge", plural(degrees.isolated, "vertex", "vertices"));
  say_memory(s, g);
  if (top_) say_top(s, g, vertices_to_list());
  if (verify_) {
    s.step("verifying");
    s.verified(check_degrees(g.view(), degrees), "count of all rows");
  }
  if (auto* rows = s.rows()) write_rows(*rows, g);
}

}  // namespace

std::unique_ptr<command> make_info() { return std::make_unique<info_command>(); }

}  // namespace gossamer::cli
