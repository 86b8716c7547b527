// Matrix Market: banner, size line, entries.
#include "fuzz/corpus.hpp"
#include "fuzz/text_scan.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/formats/internal/matrix_market.hpp"

using namespace gossamer;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!graph::is_matrix_market(text)) return 0;
  try {
    graph::matrix_header header;
    const graph::preamble p = graph::begin_matrix_market(text, true, "input", header);
    GOSSAMER_ASSERT(p.found && p.bytes <= size);
    test::scan_every_way(text.substr(p.bytes), p.format);
  } catch (const error& e) {
    GOSSAMER_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}

std::vector<std::string> test::fuzz_corpus() {
  std::string many = "%%MatrixMarket matrix coordinate real symmetric\n% c\n100 100 40\n";
  for (int i = 1; i <= 40; ++i) many += std::to_string(i * 2) + " " + std::to_string(i) + " 0.125\n";
  return {"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
          "%%MatrixMarket matrix coordinate integer skew-symmetric\n%\n\n2 2 1\n2 1 -7\n",
          "%%MatrixMarket matrix coordinate complex hermitian\r\n2 2 1\r\n2 1 1.5 -2e-3\r\n",
          "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", many};
}
