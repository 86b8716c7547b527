// Text edge lists: the preamble, then the lines, in every mode.
#include <iterator>

#include "fuzz/corpus.hpp"
#include "fuzz/text_scan.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/edge_list.hpp"
#include "gossamer/graph/formats/internal/vertex_list.hpp"

using namespace gossamer;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto mode :
       {graph::label_mode::by_input, graph::label_mode::integers, graph::label_mode::names}) {
    graph::load_options options;
    options.vertices = mode;
    constexpr graph::header_mode k_headers[] = {graph::header_mode::by_input, graph::header_mode::present,
                                                graph::header_mode::absent};
    constexpr char k_separators[] = {'\0', '\0', ',', '\t', ' ', '|'};
    const std::vector<std::vector<std::string>> columns{{}, {}, {"2", "1"}, {"src", "dst", "w"}};
    options.table = {.header = k_headers[size % std::size(k_headers)],
                     .columns = columns[size / 3 % columns.size()],
                     .separator = k_separators[size / 12 % std::size(k_separators)],
                     .comments = size / 6 % 4 != 0};
    if (size / 24 % 2 != 0) options.table.nulls = {"NA", ""};
    try {
      const graph::preamble p = graph::begin_edge_list(text, size % 2 == 0, "input", options);
      if (p.found) test::scan_every_way(text.substr(p.bytes), p.format);
    } catch (const error& e) {
      GOSSAMER_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
    }
  }
  graph::load_options options;
  options.table.vertices = "input";
  const graph::preamble p = graph::begin_vertices(text, size % 2 == 0, options, size % 3 == 0);
  if (p.found) test::scan_every_way(text.substr(p.bytes), p.format);
  return 0;
}

std::vector<std::string> test::fuzz_corpus() {
  std::string many = "# comment\n";
  for (int i = 0; i < 40; ++i) many += std::to_string(i * 12345) + "\t" + std::to_string(i * i) + "\n";
  return {"1 2\n3 4\n",
          "1,2\r\n3,4,0.5\r\n",
          "a b\nc d 1e9\n",
          "%x\n\n12345678 123456789\n1234567890123456 12345678901234567\n18446744073709551615 0\n",
          "from\tto\n1\t2\t-3.25\n",
          ",src,dst,w\n0,1,2,0.5\n1,\"3\",4,\n",
          "src;dst\n\"a;\"\"b\";c\n",
          "\"a b\" c\n\"d\n",
          "{\"src\": 1, \"dst\": \"x\", \"w\": 2.5}\n{\"src\": null}\n[1]\n",
          "Ann Lee\tBob, Jr.\nx\ty\n",
          many,
          many + "7 x\n" + many,
          "\xc3\xa9t\xc3\xa9 na\xc3\xafve\n"};
}
