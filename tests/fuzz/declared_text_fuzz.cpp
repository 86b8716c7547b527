// DIMACS, METIS and Pajek: the first lines, then each line by itself.
#include "fuzz/corpus.hpp"
#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/declared_text.hpp"

using namespace gossamer;

namespace {

void read_lines(std::string_view text, graph::declared_format& format) {
  const graph::declared_header header = format.begin(text, "input", graph::label_mode::by_input);
  std::vector<graph::edge> edges;
  graph::declared_counts counts;
  for (const graph::text_section& s : header.sections) {
    GOSSAMER_ASSERT(s.begin <= s.end && s.end <= text.size());
    graph::line_edges to(edges, nullptr, !s.directed);
    const char* const end = text.data() + s.end;
    std::uint64_t before = 0;
    for (const char* at = text.data() + s.begin; at < end;) {
      std::string_view line;
      at = graph::take_line(at, end, line);
      const std::string wrong = format.read(line, s.kind, before, graph::weight_rule::finite, to);
      if (!wrong.empty()) throw error(wrong);
      before += format.counts(line);
    }
    counts += to.counts();
    counts.lines += before;
  }
  for (const graph::edge e : edges) GOSSAMER_ASSERT(e.from < header.vertices && e.to < header.vertices);
  GOSSAMER_ASSERT(edges.size() == counts.edges);
  format.check(counts, text, "input");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)graph::is_metis(text, true, "input");
  (void)graph::is_metis(text, false, "input.graph");
  for (const auto make : {graph::make_dimacs, graph::make_metis, graph::make_pajek}) {
    const auto format = make();
    try {
      read_lines(text, *format);
    } catch (const error& e) {
      GOSSAMER_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
    }
  }
  return 0;
}

std::vector<std::string> test::fuzz_corpus() {
  return {"c x\np sp 3 2\na 1 2 5\na 3 1 7\n",
          "p max 2 1\nn 1 s\nn 2 t\na 1 2 9\n",
          "% c\n3 2 011 2\n7 7 2 5\n8 8 1 5 3 6\n9 9 2 6\n",
          "4 3\n2\n1 3\n\n2\n",
          "*Network n\n*Vertices 3\n1 \"a\" 0.5\n2 b\n3 \"c\"\n*Arcs\n1 2 1.5 c Red\n*Edges\n2 "
          "3\n*Arcslist\n1 2 3\n",
          "*vertices 2 1\r\n*edgeslist\r\n1 2 1\r\n"};
}
