// gossamer convert: the same graph in another form.

#include "commands/graph_command.hpp"
#include "commands/recount.hpp"
#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/clock.hpp"

namespace gossamer::cli {
namespace {

/// Reads the file the way it was written.
graph::check read_back(session& s, const loaded_graph& g, const std::string& path) {
  graph::load_options how;
  how.how = g.view().directed ? graph::direction::directed : graph::direction::undirected;
  const bool named = g.whole().names().form() == graph::labels::kind::strings;
  how.table.header = graph::header_mode::absent;
  how.vertices = named ? graph::label_mode::names : graph::label_mode::integers;
  how.weights = graph::weight_use::kept;
  how.progress = hook(s, "back");
  return same_edges(g.whole(), graph::load(path, how));
}

/// Throws gossamer::error where the ending promises a form that graph::write() does not know. Forms go by
/// their endings.
void check_ending(const std::string& path) {
  for (const std::string_view other :
       {".csv", ".json", ".jsonl", ".mtx", ".sg", ".wsg", ".bz2", ".xz", ".zip", ".parquet", ".xlsx",
        ".graphml", ".gexf", ".gml", ".dot", ".net", ".h5"}) {
    if (!io::without_compression(path).ends_with(other)) continue;
    throw error(
        fmt::format("convert: expected OUT to end in .gsg (native), .gz or .zst (compressed edge list) "
                    "or as a text edge list, such as .tsv, or - for standard output, found \"{}\"",
                    printable(path)));
  }
}

constexpr command_text k_convert_text{"convert", "write a graph in the native binary form or as an edge list",
                                      "  gossamer convert web.tsv.gz web.gsg    native: opens at disk speed\n"
                                      "  gossamer convert kron:20 kron20.tsv    an edge list\n"
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
    if (to_ == "-" && json_) throw error("convert: - and --json both write to standard output");
  }

 private:
  void declare_algorithm(declaration& d) override {
    d.argument("OUT", to_, ".gsg: the native form; .gz, .zst: a compressed edge list; else an edge list",
               "a file to write");
  }
  void declare_output(declaration&) override {}  // no rows
  void check_files() const override { spare_the_graph(to_); }
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
  s.steps().step("writing " + to_);
  graph::write(g.whole(), to_, hook(s, to_));
  const double seconds = machine::seconds_since(began);
  s.json().set("wrote", to_);
  s.took("run", seconds);
  s.say("\nwrote {} in {}", s.colours().bold(printable(to_)), format_duration(seconds));
  if (!verify_) return;
  s.steps().step("verifying");
  const auto check = read_back(s, g, to_);
  s.verified(check.ok, check.reason, "comparison with what was written");
}

}  // namespace

std::unique_ptr<command> make_convert() { return std::make_unique<convert_command>(); }

}  // namespace gossamer::cli
