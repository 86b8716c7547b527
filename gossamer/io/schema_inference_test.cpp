// Inference from the head of a text: separators, headers, types of columns; the options that state the same.
#include "gossamer/io/schema_inference.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include "gossamer/io/delimited_fields.hpp"

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"

namespace gossamer::io {
namespace {

TEST(SchemaInference, FindsTheSeparator) {
  EXPECT_EQ(infer_separator("a,b,c\n1;2;3;4;5\n"), ',');
  EXPECT_EQ(infer_separator("a;b\n"), ';');
  EXPECT_EQ(infer_separator("1;2;0,5\n"), ';');
  EXPECT_EQ(infer_separator("a\tb,c\n"), '\t');
  EXPECT_EQ(infer_separator("a|b"), '|');
  EXPECT_EQ(infer_separator("\"a,b,c\";d\n"), ';');
  EXPECT_EQ(infer_separator("5\" disk;3\n", k_separators, false), ';');
  EXPECT_EQ(infer_separator("a|b\n", ";,"), std::nullopt);
  EXPECT_EQ(infer_separator("alone\n1,2\n"), std::nullopt);
  EXPECT_EQ(infer_separator(""), std::nullopt);
}

TEST(SchemaInference, SaysWhatItFoundInOneLine) {
  const schema sales("id;land;price;note\n1;DE;2.5;\n2;NA;3;\n", {.columns = {"land"}}, "t.csv");
  EXPECT_EQ(sales.describe(),
            "separator ';', header \"id, land, price, note\", columns integer, text, real, missing");
  EXPECT_EQ(sales.options(), "--separator semicolon --header");
  const schema plain("5\" disk\t1\n", {.quotes = false}, "t.tsv");
  EXPECT_EQ(plain.describe(), "separator tabs, no quotes, no header, columns text, integer");
  EXPECT_EQ(plain.options(), "--separator tab --no-header --no-quotes");
  EXPECT_EQ(schema("a 1\n", {.blanks = true}, "t.txt").options(), "--separator blanks --no-header");
}

TEST(SchemaInference, FindsAHeaderByWhatIsAskedFor) {
  const auto has_header = [](const char* text, schema_options options) {
    return schema(text, options, "t.csv").has_header();
  };
  EXPECT_TRUE(has_header("a,b\n1,2\n", {.columns = {"b"}}));
  EXPECT_FALSE(has_header("a,b\n1,2\n", {.columns = {"2"}}));
  EXPECT_TRUE(has_header("a,b\n1,2\n", {.columns = {"2"}, .numbers = {"2"}}));
  EXPECT_FALSE(has_header("a,NA\n1,2\n", {.columns = {"2"}, .numbers = {"2"}, .nulls = {"NA"}}));
  EXPECT_TRUE(has_header("2019,2020\n1,2\n", {.columns = {"2019"}}));
  EXPECT_FALSE(has_header("1.5,2\n1,2\n", {.columns = {"1.5"}}));
  EXPECT_FALSE(has_header("a,b\n1,2\n", {.header = false, .columns = {"b"}}));
}

TEST(SchemaInference, DatesThatAreComparedAreNoHeader) {
  const auto has_header = [](const char* text) {
    return schema(text, {.columns = {"2"}, .comparable = {"2"}}, "t.csv").has_header();
  };
  EXPECT_FALSE(has_header("a,2020-01-05\na,2020-01-02\n"));
  EXPECT_TRUE(has_header("a,b\na,1\n"));
  EXPECT_TRUE(has_header("a,b\na,\nc,7\n"));
  EXPECT_FALSE(has_header("a,1\na,2\n"));
}

TEST(SchemaInference, PassesOverLinesWithoutRecords) {
  const schema found("\n\r\na;b\n1;2\n", {.columns = {"b"}}, "t.csv");
  EXPECT_EQ(found.options(), "--separator semicolon --header");
  EXPECT_THROW(schema("\xef\xbb\xbf\n", {}, "t.csv"), error);
  EXPECT_THROW(schema("a\"b,1\na,2\n", {.header = false}, "t.csv"), error);
  const schema skipped("a\"b\"c,1\na,2\n", {.header = false, .columns = {"1"}, .skip_bad = true}, "t.csv");
  EXPECT_EQ(skipped.width(), 2U);
  EXPECT_THROW(schema("a\"b\"c,1\n", {.header = false, .skip_bad = true}, "t.csv"), error);
}

TEST(SchemaInference, TypesOfColumns) {
  const std::vector<std::string> nulls{"-"};
  EXPECT_EQ(type_of("12"), column_type::integer);
  EXPECT_EQ(type_of("1e400"), column_type::real);
  EXPECT_EQ(type_of("NA"), column_type::missing);
  EXPECT_EQ(type_of("-", nulls), column_type::missing);
  EXPECT_EQ(type_of("12 x"), column_type::text);
  const field_rows rows{{"1", "", "1"}, {"2.5", "NULL"}};
  EXPECT_EQ(type_of(rows, 0), column_type::real);
  EXPECT_EQ(type_of(rows, 1), column_type::missing);
  EXPECT_EQ(type_of(rows, 2), column_type::text);  // a row has none
}

TEST(SchemaInference, FirstLinesAreTheSameHoweverMuchTextIsThere) {
  const auto is_comment = [](std::string_view line) { return line.starts_with('#'); };
  std::string text = "# one\r\n\n# two\na b\r\n \t\n";
  for (int i = 0; i < 1000; ++i) text += "# between\nc d\n";
  const head_lines all = read_head(text, true, is_comment);
  ASSERT_EQ(all.lines.size(), 10U);
  EXPECT_EQ(all.lines[0].text, "a b");
  EXPECT_EQ(all.lines[0].number, 4U);
  EXPECT_EQ(text.substr(all.lines[0].begin, all.lines[0].end - all.lines[0].begin), "a b\r\n");
  EXPECT_EQ(all.comments, (std::vector<std::string_view>{"# one", "# two"}));
  EXPECT_EQ(all.comments_before, 2U);
  const head_lines some = read_head(std::string_view(text).substr(0, 4096), false, is_comment);
  EXPECT_TRUE(some.enough);
  EXPECT_EQ(some.lines.size(), all.lines.size());
  EXPECT_FALSE(read_head("a b\n", false, is_comment).enough);
}

TEST(SchemaInference, OptionsSayWhatWasInferred) {
  xoshiro256 random(7);
  const std::string fields[] = {"a", "12", "2.5", "", "\"x,y;z\"", "\"two\nlines\"", "NA", "name b"};
  for (unsigned i = 0; i < 2000; ++i) {
    std::string text;
    const char separator = ",;\t|"[bounded(random, 4)];
    const std::uint64_t columns = 1 + bounded(random, 4), rows = 1 + bounded(random, 4);
    for (std::uint64_t r = 0; r < rows; ++r)
      for (std::uint64_t c = 0; c < columns; ++c)
        text += fields[bounded(random, std::size(fields))] + (c + 1 < columns ? separator : '\n');
    if (text.find_first_not_of('\n') == text.npos) continue;
    const std::string column = std::to_string(1 + bounded(random, columns));
    const schema inferred(text, {.columns = {column}, .numbers = {column}}, "t.csv");
    std::istringstream words(inferred.options());
    schema_options said;
    for (std::string word; words >> word;) {
      if (word == "--header") said.header = true;
      if (word == "--no-header") said.header = false;
      if (word != "--separator") continue;
      words >> word;
      said.separator = word == "tab" ? '\t' : word == "semicolon" ? ';' : word == "bar" ? '|' : word[0];
    }
    const schema again(text, said, "t.csv");
    ASSERT_EQ(again.format(), inferred.format()) << text;
    ASSERT_EQ(again.describe(), inferred.describe()) << text;
    ASSERT_EQ(again.names(), inferred.names()) << text;
  }
}

TEST(SchemaInference, ALineOfManyFieldsIsCutToThoseThatMatter) {
  const std::string few = "1,2,3", many(3 * k_most_inferred_fields, ',');
  EXPECT_EQ(split_fields(few, {}).size(), 3U);
  EXPECT_EQ(split_fields(many, {}).size(), k_most_inferred_fields);
  EXPECT_EQ(split_fields(many, {}, nullptr, ~std::size_t{0}).size(), many.size() + 1);
}

TEST(SchemaInference, ColumnsBeyondThoseHaveTypes) {
  std::string table(k_most_inferred_fields, ',');
  table = table + "1\n" + table + "x\n";
  const schema found(table, {.separator = ','}, "t.csv");
  EXPECT_EQ(found.types().back(), column_type::text);
  EXPECT_EQ(found.types().front(), column_type::missing);
}

}  // namespace
}  // namespace gossamer::io
