// Separators inferred from the first line, names of columns, and columns named by options.
#include "gossamer/io/delimited_header.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"

namespace gossamer::io {
namespace {

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(DelimitedHeader, ReadsNamesBehindMarkAndEmptyLines) {
  const std::string text = "\xef\xbb\xbf\r\n\"unit \"\"price\"\"\",\"two\nlines\",c\r\n1,2,3\n";
  const delimited_header header = read_header(text, {}, "x.csv");
  EXPECT_EQ(header.names, (std::vector<std::string>{"unit \"price\"", "two\nlines", "c"}));
  EXPECT_EQ(text.substr(header.bytes), "1,2,3\n");
}

TEST(DelimitedHeader, RefusesATextWithoutOne) {
  EXPECT_EQ(error_of([] { read_header("\n\n", {}, "x.csv"); }),
            "x.csv: expected a header with names of columns, found no record");
  EXPECT_EQ(error_of([] { read_header("a,\"b\n", {}, "x.csv"); }),
            "x.csv: first line: expected a quote that ends the field, found the end of the text "
            "(--no-quotes takes quotes as they stand)");
}

TEST(DelimitedHeader, FindsColumnsByNameAndNumber) {
  const std::vector<std::string> names{"country", "year", "3", "amount"};
  EXPECT_EQ(find_column("year", names, "x.csv"), 1U);
  EXPECT_EQ(find_column("3", names, "x.csv"), 2U);
  EXPECT_EQ(find_column("4", names, "x.csv"), 3U);
  EXPECT_EQ(find_column("9", {}, "x.csv"), 8U);
}

TEST(DelimitedHeader, SuggestsTheNearestName) {
  const std::vector<std::string> names{"country", "year", "amount", "year"};
  EXPECT_EQ(error_of([&] { find_column("contry", names, "x.csv"); }),
            "x.csv: no column \"contry\": did you mean \"country\"?; columns: country, year, amount, year");
  EXPECT_EQ(error_of([&] { find_column("5", names, "x.csv"); }),
            "x.csv: no column \"5\"; columns: country, year, amount, year");
  EXPECT_EQ(error_of([&] { find_column("year", names, "x.csv"); }),
            "x.csv: expected one column \"year\", found columns 2 and 4: name it by its number");
  EXPECT_EQ(error_of([&] { find_column("0", {}, "x.csv"); }),
            "x.csv: expected the number of a column, from 1, found \"0\" (names need a header)");
}

TEST(DelimitedHeader, HasABound) {
  const std::size_t most = std::size_t{1} << 22;
  EXPECT_EQ(read_header(std::string(most - 1, ',') + "\n", {}, "t.csv").names.size(), most);
  try {
    (void)read_header(std::string(most, ',') + "\n", {}, "t.csv");
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "t.csv: expected at most 4,194,304 columns, found more in the first line");
  }
}

}  // namespace
}  // namespace gossamer::io
