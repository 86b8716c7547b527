// Tables of edges as programs write them: headers, chosen columns, quotes, separators, JSON lines.
#include <gtest/gtest.h>

#include "gossamer/graph/formats/load.hpp"
#include "gossamer/graph/formats/write.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using graph::header_mode;

struct loaded {
  labelled_graph graph;
  std::string header, columns;
  std::uint64_t weights = 0;
};

loaded load_table(const std::string& text, const graph::table_options& table = {},
                  graph::label_mode vertices = graph::label_mode::by_input) {
  loaded l;
  const temporary_folder folder;
  const std::string path = folder.plant("t.csv", text);
  on_cores(2, [&] {
    const auto g = graph::load(path, {.vertices = vertices, .table = table});
    l = {by_labels(g), g.statistics().header, g.statistics().columns, g.statistics().weights};
  });
  return l;
}

/// The error without the name of the file.
std::string refusal(const std::string& text, const graph::table_options& table = {}) {
  try {
    (void)load_table(text, table);
  } catch (const error& e) {
    const std::string what = e.what();
    return what.substr(what.find("t.csv") + 5);
  }
  return "not refused";
}

labelled_graph edges_of(std::vector<std::pair<std::string, std::string>> edges) { return naive(edges, true); }

const labelled_graph k_path = edges_of({{"1", "2"}, {"2", "3"}});

TEST(Table, AHeaderBeforeIntegersIsRecognisedAndTold) {
  for (const std::string header : {"a,b", "Source,Target", "x y,z"}) {
    const loaded l = load_table(header + "\n1,2\n2,3\n");
    EXPECT_EQ(l.graph, k_path) << header;
    EXPECT_EQ(l.header, header);
    EXPECT_EQ(l.columns, "");
  }
  EXPECT_EQ(load_table("# made by hand\nu\tv\n1\t2\n2\t3\n").header, "u\tv");
}

TEST(Table, AHeaderMayBeSeparatedOtherwise) {
  const graph::table_options with_header{.header = header_mode::present};
  EXPECT_EQ(load_table("all friends\n1,2\n2,3\n", with_header).graph, k_path);
  EXPECT_EQ(load_table("friends\n1\t2\n2\t3\n", with_header).graph, k_path);
  EXPECT_EQ(load_table("who\twhom\n1\t2\n2\t3\n", with_header).graph, k_path);
  EXPECT_EQ(load_table("who\twhom\nann\tbob\nbob\tEve van Ek\n", with_header).graph,
            edges_of({{"ann", "bob"}, {"bob", "Eve van Ek"}}));
}

TEST(Table, OptionsOfTablesAreRefusedElsewhere) {
  for (const graph::table_options& table : {graph::table_options{.columns = {"1", "2"}},
                                            {.separator = ','},
                                            {.header = header_mode::present},
                                            {.header = header_mode::absent},
                                            {.quotes = false},
                                            {.comments = false},
                                            {.nulls = {"NA"}}}) {
    EXPECT_NE(refusal("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", table)
                  .find("are of text edge lists, this is a Matrix Market file"),
              std::string::npos);
    on_cores(1, [&] { EXPECT_THROW(graph::load("kron:4", {.table = table}), error); });
  }
}

TEST(Table, AHeaderBeforeNamesIsRecognisedByUsualNames) {
  const loaded l = load_table("source,target\nann,bob\n");
  EXPECT_EQ(l.graph, edges_of({{"ann", "bob"}}));
  EXPECT_EQ(l.header, "source,target");
  EXPECT_EQ(load_table("src,dst,weight\nann,bob,2\n").weights, 1U);
  EXPECT_EQ(load_table("who,whom,weight\nann,bob,2\n").graph, edges_of({{"ann", "bob"}}));
}

TEST(Table, NamesAreNoHeader) {
  EXPECT_EQ(load_table("ann,bob\nbob,eve\n").graph, edges_of({{"ann", "bob"}, {"bob", "eve"}}));
  EXPECT_EQ(load_table("ann bob\n1 2\nx 3\n").graph, edges_of({{"ann", "bob"}, {"1", "2"}, {"x", "3"}}));
  EXPECT_EQ(load_table("ann,bob\n1,2\n", {.header = header_mode::absent}).graph,
            edges_of({{"ann", "bob"}, {"1", "2"}}));
  EXPECT_EQ(load_table("ann bob\n1 2\n", {}, graph::label_mode::names).graph,
            edges_of({{"ann", "bob"}, {"1", "2"}}));
  EXPECT_EQ(load_table("source target\n1 2\n", {.header = header_mode::absent}).graph,
            edges_of({{"source", "target"}, {"1", "2"}}));
}

TEST(Table, ColumnsAreChosenByNameOrNumber) {
  const std::string text = "day,who,whom,amount\nmon,1,2,0.5\ntue,2,3,7\n";
  for (const std::vector<std::string>& columns :
       {std::vector<std::string>{"who", "whom"}, {"2", "3"}, {"2", "whom", "amount"}}) {
    const loaded l = load_table(text, {.columns = columns});
    EXPECT_EQ(l.graph, k_path);
    EXPECT_EQ(l.header, "day,who,whom,amount");
    EXPECT_EQ(l.columns, columns.size() == 2 ? "2 (who), 3 (whom)" : "2 (who), 3 (whom), 4 (amount)");
    EXPECT_EQ(l.weights, columns.size() == 2 ? 0U : 2U);
  }
  EXPECT_EQ(load_table("mon 1 x 2\ntue 2 y 3 more\n", {.columns = {"2", "4"}}).graph, k_path);
  EXPECT_EQ(load_table("2,1\n3,2\n", {.columns = {"2", "1"}}).graph, k_path);
  EXPECT_EQ(load_table("1,1,2\n2,2,3\n", {.columns = {"2", "3", "1"}}).weights, 2U);
}

TEST(Table, ColumnsOfUsualNamesAreFound) {
  const loaded l = load_table("when,to,from,why\nmon,2,1,a b\ntue,3,2,\"x,y\"\n");
  EXPECT_EQ(l.graph, k_path);
  EXPECT_EQ(l.columns, "3 (from), 2 (to)");
}

TEST(Table, AnIndexIsPassedOver) {
  const loaded l = load_table(",src,dst\n0,1,2\n1,2,3\n");
  EXPECT_EQ(l.graph, k_path);
  EXPECT_EQ(l.columns, "2 (src), 3 (dst)");
  EXPECT_EQ(load_table(",a,b\n0,1,2\n1,2,3\n").graph, k_path);
  EXPECT_EQ(load_table(",a,b,w\n0,1,2,.5\n1,2,3,.7\n").weights, 2U);
  EXPECT_EQ(load_table(",a,b,label\n0,1,2,foo\n1,2,3,bar\n").graph, k_path);
  EXPECT_EQ(load_table("\"u\" \"v\" \"label\"\n\"1\" 1 2 \"foo\"\n\"2\" 2 3 \"bar\"\n").graph, k_path);
  EXPECT_EQ(load_table("\ta\tb\n0\tann\tbob\n").graph, edges_of({{"ann", "bob"}}));
}

TEST(Table, QuotesAreReadAsRfc4180WritesThem) {
  EXPECT_EQ(load_table("\"1\",\"2\"\n2,\"3\"\n").graph, k_path);
  EXPECT_EQ(load_table("\"Lee, Ann\",\"say \"\"hi\"\"\"\n\"a b\" , \" c \"\n").graph,
            edges_of({{"Lee, Ann", "say \"hi\""}, {"a b", " c "}}));
  EXPECT_EQ(load_table("\"new york\" \"los angeles\" 3\nx \"y\" 4\n").graph,
            edges_of({{"new york", "los angeles"}, {"x", "y"}}));
  EXPECT_EQ(
      refusal("ann,bob\n\"ann,bob\n"),
      ":2: expected a quote that ends the field in its line (--no-quotes takes quotes as they stand), in "
      "\"\\\"ann,bob\"");
  EXPECT_EQ(refusal("ann,\"bob\"by\n").substr(0, 63),
            ":1: expected a separator or the end of the line after a closing");
  EXPECT_EQ(refusal("ann,the \"rock\"\n").substr(0, 49), ":1: expected quotes only around a whole field (do");
  EXPECT_EQ(load_table("ann,the \"rock\"\n\"x,y\"\n", {.quotes = false}).graph,
            edges_of({{"ann", "the \"rock\""}, {"\"x", "y\""}}));
  EXPECT_EQ(load_table("6\" 7\"\n\"x y\n", {.quotes = false}).graph,
            edges_of({{"6\"", "7\""}, {"\"x", "y"}}));
}

TEST(Table, TheMostFrequentSeparatorIsTaken) {
  EXPECT_EQ(load_table("1;2;0,5\n2;3;1,5\n", {.columns = {"1", "2"}}).graph, k_path);
  EXPECT_EQ(load_table("a;b|x,c\n", {.columns = {"1", "2"}}).graph, edges_of({{"a", "b|x,c"}}));
  EXPECT_EQ(load_table("x|y z|w\n").graph, edges_of({{"x|y", "z|w"}}));
}

TEST(Table, NamesHoldSpacesWhereTheSeparatorIsNone) {
  const labelled_graph people = edges_of({{"Ann Lee", "Bob"}, {"Bob", "Eve van Ek"}});
  EXPECT_EQ(load_table("Ann Lee,Bob\nBob,Eve van Ek\n").graph, people);
  EXPECT_EQ(load_table("Ann Lee\tBob\nBob\tEve van Ek\n").graph, people);
  EXPECT_EQ(load_table("Bob\tEve van Ek\nAnn Lee\tBob\n").graph, people);
  EXPECT_EQ(load_table("Ann Lee;Bob\nBob;Eve van Ek\n").graph, people);
  EXPECT_EQ(load_table("Ann Lee|Bob\nBob|Eve van Ek\n", {.separator = '|'}).graph, people);
  EXPECT_EQ(load_table("Lee, Ann\tBob\n").graph, edges_of({{"Lee, Ann", "Bob"}}));
}

TEST(Table, ASeparatorThatWasGivenIsTheOnlyOne) {
  EXPECT_EQ(load_table("a,b c,d\n", {.separator = ' '}, graph::label_mode::names).graph,
            edges_of({{"a,b", "c,d"}}));
  EXPECT_EQ(load_table("1:2\n2:3\n", {.separator = ':'}).graph, k_path);
  EXPECT_EQ(load_table("1\t2\n2\t3\n", {.separator = '\t'}).graph, k_path);
  EXPECT_EQ(refusal("1,2\n", {.separator = ';'}),
            ":1: expected columns separated by ';' only, found \"1,2\"");
}

TEST(Table, NumbersThatAreNoIdsDoNotMakeNames) {
  EXPECT_EQ(refusal("1,2\n3,4 5\n"), ":2: expected columns separated by ',' only, found \"3,4 5\"");
  EXPECT_EQ(refusal("1,2\n3,1.5\n").substr(0, 29), ":2: expected a vertex id from");
}

TEST(Table, JsonLinesAreReadByTheirKeys) {
  const loaded l =
      load_table("{\"to\": 2, \"from\": 1}\n\n{\"from\": 2, \"w\": 0.5, \"to\": 3, \"tags\": [1, {}]}\n",
                 {.columns = {"from", "to", "w"}});
  EXPECT_EQ(l.graph, k_path);
  EXPECT_EQ(l.weights, 1U);
  EXPECT_EQ(load_table("{\"a\": \"x\\u0020y\", \"b\": \"\\u00e9\"}\n", {.columns = {"a", "b"}}).graph,
            edges_of({{"x y", "\xc3\xa9"}}));
  EXPECT_EQ(refusal("{\"a\": 1}\n", {.columns = {"a", "b"}}),
            ":1: expected values of \"a\" and \"b\", found \"{\\\"a\\\": 1}\"");
  EXPECT_EQ(refusal("{\"a\": 1, \"b\": 2}\n[3]\n", {.columns = {"a", "b"}}),
            ":2: expected a JSON object in one line, found \"[3]\"");
  EXPECT_NE(refusal("{\"a\": 1, \"b\": 2}\n").find("--columns SOURCE,TARGET"), std::string::npos);
  EXPECT_NE(refusal("{\"a\": 1, \"b\": 2}\n{\"a\": \"NA\", \"b\": 2, \"c\": 3}\n",
                    {.columns = {"a", "b"}, .nulls = {"-"}})
                .find(": --null TEXT leaves out edges"),
            std::string::npos);
}

TEST(Table, IntegersOfJsonAreExactAtAnySize) {
  const std::string text =
      "{\"a\": 18446744073709551616, \"b\": 18446744073709551617}\n"
      "{\"a\": 18446744073709551617, \"b\": -99999999999999999999}\n{\"a\": 1e2, \"b\": 100}\n{\"a\": 7.0, "
      "\"b\": 1.50}\n";
  const graph::table_options table{.columns = {"a", "b"}};
  EXPECT_EQ(load_table(text, table, graph::label_mode::names).graph,
            edges_of({{"18446744073709551616", "18446744073709551617"},
                      {"18446744073709551617", "-99999999999999999999"},
                      {"100", "100"},
                      {"7", "1.5"}}));
  EXPECT_NE(refusal(text, table).find("expected a vertex id from 0 to"), std::string::npos);
}

TEST(Table, ValuesOfJsonArePassedOverInside) {
  const graph::table_options table{.columns = {"a", "b"}};
  EXPECT_EQ(load_table("{\"c\": {\"a\": 7, \"b\": [{\"a\": 8}]}, \"a\": 0, \"a\": 1, \"b\": 2, \"d\": "
                       "true}\n{\"a\": 2, \"b\": 3}\n",
                       table)
                .graph,
            k_path);
  for (const std::string bad : {"true", "[1]", "{\"a\": 1}", "null"})
    EXPECT_NE(refusal("{\"a\": 1, \"b\": " + bad + "}\n", table).find("expected values of \"a\" and \"b\""),
              std::string::npos)
        << bad;
}

TEST(Table, WhatIsAskedForMustBeThere) {
  EXPECT_EQ(refusal("a,b,c\n1,2,3\n", {.columns = {"a", "d"}}),
            ": no column \"d\": did you mean \"a\"?; columns: a, b, c");
  EXPECT_EQ(refusal("a,b\n1,2\n", {.columns = {"1", "7"}}),
            ":1: expected values in the columns 1 and 7, found \"a,b\"");
  EXPECT_EQ(refusal("1,2\n", {.columns = {"2", "2"}}), ": source and target are the same column, \"2\"");
  EXPECT_EQ(refusal("1,2\n", {.columns = {"0", "2"}}).substr(0, 21), ": expected the number");
  EXPECT_EQ(refusal("1,2,3\n4,5\n", {.columns = {"1", "3"}}),
            ":2: expected values in the columns 1 and 3, found \"4,5\"");
  EXPECT_EQ(refusal("1,2\n", {.header = header_mode::absent, .columns = {"src", "dst"}}),
            ": expected the number of a column, from 1, found \"src\" (names need a header)");
  EXPECT_EQ(refusal("source,target\n"), " is empty: expected an edge list");
}

TEST(Table, NumbersThatAreNotKeptAreNamed) {
  const temporary_folder folder;
  const auto left_out = [&](const std::string& text, const std::vector<std::string>& columns = {}) {
    const std::string path = folder.plant("t.csv", text);
    std::string alone, shared;
    on_cores(2, [&] {
      alone = graph::load(path, {.table = {.columns = columns}}).statistics().left_out;
      shared = graph::load_shared(path, {.table = {.columns = columns}}).statistics().left_out;
    });
    EXPECT_EQ(alone, shared);
    return alone;
  };
  EXPECT_EQ(left_out("src,dst,weight\n1,2,3\n"), "weight");
  EXPECT_EQ(left_out("src,dst,length\n1,2,0.5\n2,3,1\n"), "length");
  EXPECT_EQ(left_out("id,src,name,dst,year\n7,1,a,2,1999\n8,2,9,3,2000\n"), "id, year");
  EXPECT_EQ(left_out(",source,target\n0,1,2\n"), "");  // an index
  EXPECT_EQ(left_out("src,dst,kind\n1,2,3\n2,3,north\n"), "");
  EXPECT_EQ(left_out("1,2,3\n"), "");  // has no names
  EXPECT_EQ(left_out("src,dst,length\n1,2,3\n", {"src", "dst"}), "");  // as requested
}

TEST(Table, WrittenNamesAreReadBack) {
  const std::string text =
      "\"a b\",\"#c\"\n\"say \"\"x\"\"\",\" d\"\n\"//e\",f g\n\"%h\",\"Lee, Ann\"\nplain,\"\"\"q\"\"\"\n";
  const temporary_folder folder;
  const std::string path = folder.plant("t.csv", text);
  on_cores(2, [&] {
    const auto g = graph::load(path);
    for (const std::string name : {"w.tsv", "w.tsv.gz", "w.tsv.zst"}) {
      const std::string written = folder / name;
      graph::write(g, written);
      EXPECT_EQ(by_labels(graph::load(written, {.vertices = graph::label_mode::names})), by_labels(g))
          << name;
    }
  });
}

}  // namespace
}  // namespace gossamer::test
