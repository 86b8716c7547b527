// Delimited text: the fast reader beside the slow one, in every format, whole and cut into chunks.
#include <cstdio>

#include "fuzz/corpus.hpp"
#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/io/delimited_header.hpp"
#include "gossamer/io/numbers.hpp"
#include "gossamer/io/schema_inference.hpp"
#include "support/delimited_oracle.hpp"

using namespace gossamer;

namespace {

void hold(const test::delimited_events& got, const test::delimited_events& expected) {
  const std::string what = test::difference(got, expected);
  if (!what.empty()) std::fprintf(stderr, "%s\n", what.c_str());
  GOSSAMER_ASSERT(what.empty(), "the reader differs from the oracle");
}

void read_every_way(std::string_view text, const io::delimited_format& format) {
  static const std::vector<test::delimited_columns> columns{{}, {0}, {1, 3}};
  io::delimited_scratch small(64), large;
  for (const test::delimited_columns& wanted : columns) {
    io::delimited_format strict = format;
    if (!wanted.empty() && text.size() % 3 == 0) strict.fields = wanted.back() + 1;
    const test::delimited_events expected = test::oracle_events(text, strict, wanted);
    hold(test::cut_events(text, {}, strict, wanted, large), expected);
    hold(test::cut_events(text, {text.size() / 3, text.size() / 2}, strict, wanted, small), expected);
  }
}

void read_numbers(std::string_view text) {
  const std::string_view front = text.substr(0, 40);
  const io::parsed<std::int64_t> integer = io::parse_integer(front);
  const io::parsed<double> real = io::parse_double(front);
  if (integer.state == io::number_state::ok)
    GOSSAMER_ASSERT(real.state == io::number_state::ok && real.value == static_cast<double>(integer.value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  io::delimited_format format;
  format.separator = io::infer_separator(text).value_or(',');
  for (const bool quotes : {false, true}) {
    for (const bool blanks : {false, true}) {
      format.quotes = quotes;
      format.blanks = blanks;
      format.empty_lines = size % 2 == 0;
      read_every_way(text, format);
    }
  }
  try {
    const io::delimited_header header = io::read_header(text, format, "input");
    GOSSAMER_ASSERT(!header.names.empty() && header.bytes <= size);
  } catch (const error& e) {
    GOSSAMER_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
  }
  read_numbers(text);
  return 0;
}

std::vector<std::string> test::fuzz_corpus() {
  std::string many = "year,country,amount,price\r\n";
  for (int i = 0; i < 20; ++i)
    many += std::to_string(i) + ",\"Norway, \"\"N\"\"\"," + std::to_string(i * 977) + ",1.5\r\n";
  return {"a,b,c,d\n1,2,3,4\n",
          "a;\"b;\";c;d\r\n;;;\r\n",
          "a\tb\t\"c\nd\"\te\n\n1\t2\t3\t4",
          "a|b|c|d\n\"1\"\"\"|\"\"|3|\"4\"\n",
          "  a  b \t c   d \n1 \"2 3\" 4 5\n",
          "5\" disk,a,b,c\n\"x\"y,a,b,c\n\"open,a,b\n",
          "-9223372036854775808,1\n",
          "12.34,1e5\n",
          many,
          many + "x" + many};
}
