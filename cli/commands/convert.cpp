// gossamer convert: the same graph in another form.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "commands/graph_command.hpp"
#include "commands/recount.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/algorithms/degrees.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/io/source.hpp"
#include "gossamer/machine/clock.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

/// Returns whether graph::write() makes a text edge list of that name.
bool is_edge_list(const std::string& path) {
  return !graph::is_numbered_form(path) && !path.ends_with(".gsg");
}

/// Checks the edge list of a graph without edges, which is none to a reader.
check has_comments_only(const std::string& path) {
  std::string unpacked;
  const io::text_file file(path);
  for (std::string_view rest = file.all(unpacked); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line.starts_with('#'))
      return {false, fmt::format("expected comments only, found \"{}\"", printable(line))};
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return {};
}

/// Reads the written file, and compares its edges with the graph.
check read_back(session& s, const loaded_graph& g, const std::string& path) {
  if (is_edge_list(path) && g.view().arcs == 0) return has_comments_only(path);
  graph::load_options how;
  how.how = g.view().directed ? graph::direction::directed : graph::direction::undirected;
  const bool named = g.whole().names().form() == graph::labels::kind::strings;
  if (is_edge_list(path)) how.vertices = named ? graph::label_mode::names : graph::label_mode::integers;
  const bool weighted = g.view().weights != graph::weight_type::none;
  how.weights = weighted ? graph::weight_use::kept : graph::weight_use::counted;
  how.progress = hook(s, "back");
  return same_edges(g.whole(), graph::load(path, how), graph::is_numbered_form(path));
}

/// Throws gossamer::error if the ending names a form that graph::write() does not support. Endings select
/// forms.
void check_ending(const std::string& path) {
  const std::string_view plain = io::without_compression(path);
  if (plain.size() != path.size() && plain.ends_with(".gsg"))
    throw error(fmt::format("convert: the native form is not written compressed, found \"{}\": give {}",
                            printable(path), printable(plain)));
  for (const std::string_view other :
       {".csv", ".json", ".jsonl", ".sg", ".wsg", ".max", ".bz2", ".xz", ".zip", ".parquet", ".xlsx",
        ".graphml", ".gexf", ".gml", ".dot", ".net", ".h5"}) {
    if (!io::without_compression(path).ends_with(other) || graph::is_numbered_form(path)) continue;
    throw error(fmt::format(
        "convert: expected OUT to end in .gsg (native), .mtx (Matrix Market), .graph (METIS), .gr "
        "(DIMACS), .sg or .wsg (GAP), .gz or .zst (compressed edge list) "
        "or as a text edge list, such as .tsv, or - for standard output, found \"{}\"",
        printable(path)));
  }
}

/// Adds a note if the form has no names, so that vertices get numbers.
void note_numbers(session& s, const graph::graph& g, const std::string& path) {
  const graph::labels& names = g.names();
  const std::uint64_t first = path.ends_with("sg") ? 0 : 1;  // .sg, .wsg
  const bool is_same =
      names.form() == graph::labels::kind::range && (names.first() == first || names.size() == 0);
  if (!graph::is_numbered_form(path) || is_same) return;
  s.note(fmt::format("{}: vertices are numbered from {} in the order of the graph, as this form has no names",
                     path, first));
}

/// Adds a note if a file lists edges only, so that vertices without edges get lost.
void note_isolated(session& s, const graph::graph& g, const std::string& path) {
  if (path == "-" || !is_edge_list(path)) return;
  const std::uint64_t isolated = graph::degrees(g.view()).isolated;
  if (isolated == 0) return;
  s.note(fmt::format("{}: {} without edges: an edge list does not hold {}", path,
                     plural(isolated, "vertex", "vertices"), isolated == 1 ? "it" : "them"));
}

constexpr command_text k_convert_text{
    "convert", "write a graph in the native binary form, as an edge list or for others",
    "  gossamer convert web.tsv.gz web.gsg    native: opens at disk speed\n"
    "  gossamer convert kron:20 kron20.tsv    an edge list\n"
    "  gossamer convert web.gsg web.mtx       Matrix Market\n"
    "Weights are kept: integers of 32 bits, else doubles.\n"};

class convert_command final : public graph_command {
 public:
  convert_command() : graph_command(k_convert_text) {}
  bool is_timed() const override { return false; }

  void check() override {
    graph_command::check();
    check_ending(to_);
    if (to_ == "-" && verify_)
      throw error("convert: --verify reads back what was written: give a file instead of -");
    if (to_ == "-" && (json_ || stats_ || explain_))
      throw error("convert: -, --json, --stats and --explain all write to standard output: give a file");
  }

 private:
  void declare_algorithm(declaration& d) override {
    d.argument("OUT", to_,
               ".gsg: the native form; .mtx: Matrix Market; .graph, .metis: METIS; .gr: DIMACS; .sg, .wsg: "
               "GAP; .gz, .zst: a compressed "
               "edge list; else an edge list",
               "a file to write");
  }
  void declare_output(declaration&) override {}  // no rows
  void check_files() const override { spare_inputs(inputs(), to_); }
  session_options reporting() const override {
    session_options how = graph_command::reporting();
    how.keeps_standard_output = to_ != "-";
    return how;
  }
  void answer(session& s) override;

  std::string to_;
};

void convert_command::answer(session& s) {
  const loaded_graph g = load(s, graph::weight_use::kept);
  const std::uint64_t began = machine::now_ns();
  s.step("writing " + to_);
  graph::write(g.whole(), to_, hook(s, to_));
  const double seconds = machine::seconds_since(began);
  note_numbers(s, g.whole(), to_);
  note_isolated(s, g.whole(), to_);
  s.json().set("wrote", to_);
  s.took("run", seconds);
  s.say("\nwrote {} in {}", s.colours().bold(printable(to_)), format_duration(seconds));
  if (!verify_) return;
  s.step("verifying");
  s.verified(read_back(s, g, to_), "comparison with what was written");
}

}  // namespace

std::unique_ptr<command> make_convert() { return std::make_unique<convert_command>(); }

}  // namespace gossamer::cli
