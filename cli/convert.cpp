// gossamer convert: the same graph in another form.

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/compress.hpp"
#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "gossamer/machine/clock.hpp"
#include "loaded.hpp"
#include "recount.hpp"

namespace gossamer::cli {
namespace {

/// Reads the file the way it was written.
graph::check read_back(session& s, const loaded_graph& g) {
  graph::load_options how;
  how.how = g.view().directed ? graph::direction::directed : graph::direction::undirected;
  const bool named = g.whole().names().form() == graph::labels::kind::strings;
  how.table.header = graph::header_mode::absent;
  how.vertices = named ? graph::label_mode::names : graph::label_mode::integers;
  how.progress = hook(s, "back");
  return same_edges(g.whole(), graph::load(s.asked().destination, how));
}

/// The forms that graph::write() knows go by their endings; a promise of another form is a mistake.
void check_ending(const std::string& path) {
  for (const std::string_view other :
       {".csv", ".json", ".jsonl", ".mtx", ".sg", ".wsg", ".bz2", ".xz", ".zip", ".parquet", ".xlsx",
        ".graphml", ".gexf", ".gml", ".dot", ".net", ".h5"}) {
    if (!graph::without_compression(path).ends_with(other)) continue;
    throw error(
        fmt::format("convert: expected OUT to end in .gsg (native), .gz or .zst (compressed edge list) "
                    "or as a text edge list, such as .tsv, or - for standard output, found \"{}\"",
                    printable(path)));
  }
}

}  // namespace

void convert(session& s) {
  const std::string& path = s.asked().destination;
  check_ending(path);
  if (path == "-" && s.asked().verify)
    throw error("convert: --verify reads back what was written: give a file instead of -");
  if (path == "-" && s.asked().json) throw error("convert: - and --json both write to standard output");
  const loaded_graph g(s);
  const std::uint64_t began = machine::now_ns();
  s.steps().step("writing " + path);
  graph::write(g.whole(), path, hook(s, path));
  const double seconds = static_cast<double>(machine::now_ns() - began) * 1e-9;
  s.json().set("wrote", path);
  s.took("run", seconds);
  s.say("\nwrote {} in {}", s.colours().bold(printable(path)), format_duration(seconds));
  if (!s.asked().verify) return;
  s.steps().step("verifying");
  const auto check = read_back(s, g);
  s.verified(check.ok, check.reason, "comparison with what was written");
}

}  // namespace gossamer::cli
