// --output: the three forms, their quoting, and that a file appears whole or not at all.

#include "output/rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer::cli {
namespace {

class Rows : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("rows_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string contents(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::string written(const std::string& name) const {
    row_writer rows(path(name), {"vertex", "level", "score"});
    rows.field(label(std::uint64_t{7})).field(std::uint64_t{0}).field(0.25).end_row();
    rows.field(label(std::string("a,\"b\"\t\\c"))).no_value().field(1e300).end_row();
    rows.commit();
    return contents(name);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Rows, TsvAndCsvQuote) {
  EXPECT_EQ(written("a.tsv"), "vertex\tlevel\tscore\n7\t0\t0.25\n\"a,\"\"b\"\"\t\\c\"\t\t1e+300\n");
  EXPECT_EQ(written("a.csv"), "vertex,level,score\n7,0,0.25\n\"a,\"\"b\"\"\t\\c\",,1e+300\n");
}

TEST_F(Rows, JsonIsAnArrayOfObjectsOnePerLine) {
  const std::string text = written("a.json");
  const auto rows = nlohmann::json::parse(text);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], (nlohmann::json{{"vertex", 7}, {"level", 0}, {"score", 0.25}}));
  EXPECT_EQ(rows[1], (nlohmann::json{{"vertex", "a,\"b\"\t\\c"}, {"level", nullptr}, {"score", 1e300}}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(Rows, FieldsThatDoubleFitWhateverTheirLength) {
  for (const std::size_t n : {1U, 4000U, 4096U, 100'000U}) {
    row_writer csv(path("long.csv"), {"a"}), tsv(path("long.tsv"), {"a"});
    csv.text_field(std::string(n, '"')).end_row();
    tsv.text_field(std::string(n, '"')).end_row();
    csv.commit();
    tsv.commit();
    EXPECT_EQ(contents("long.csv"), "a\n\"" + std::string(2 * n, '"') + "\"\n");
    EXPECT_EQ(contents("long.tsv"), contents("long.csv"));
  }
}

TEST_F(Rows, OfNothingAreStillAValidFile) {
  row_writer json(path("none.json"), {"vertex"});
  json.commit();
  EXPECT_EQ(contents("none.json"), "[]\n");
  row_writer csv(path("none.csv"), {"vertex", "level"});
  csv.commit();
  EXPECT_EQ(contents("none.csv"), "vertex,level\n");
}

TEST_F(Rows, JsonWritesIntegersBeyondExactDoublesAsStrings) {
  row_writer rows(path("big.json"), {"vertex"});
  rows.field(label(std::uint64_t{1} << 53)).end_row();
  rows.field(label((std::uint64_t{1} << 53) + 1)).end_row();
  rows.commit();
  const auto parsed = nlohmann::json::parse(contents("big.json"));
  EXPECT_TRUE(parsed[0]["vertex"].is_number());
  EXPECT_EQ(parsed[1]["vertex"], "9007199254740993");
}

TEST_F(Rows, JsonReplacesBytesThatAreNotUtf8) {
  row_writer rows(path("raw.json"), {"vertex"});
  rows.field(label(std::string("caf\xe9"))).end_row();
  rows.commit();
  EXPECT_EQ(nlohmann::json::parse(contents("raw.json"))[0]["vertex"], "caf\xef\xbf\xbd");
}

TEST_F(Rows, NothingAppearsWithoutCommit) {
  {
    row_writer rows(path("a.tsv"), {"vertex"});
    for (std::uint64_t i = 0; i < 100'000; ++i) rows.field(i).end_row();
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(Rows, AMissingFolderIsKnownAtOnce) {
  EXPECT_THROW(row_writer(path("missing/a.tsv"), {"vertex"}), error);
}

TEST_F(Rows, ManyRowsArriveInOrder) {
  row_writer rows(path("many.tsv"), {"vertex"});
  for (std::uint64_t i = 0; i < 100'000; ++i) rows.field(i).end_row();
  rows.commit();
  std::ifstream in(path("many.tsv"));
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(std::getline(in, line));
    ASSERT_EQ(line, std::to_string(i));
  }
  EXPECT_FALSE(std::getline(in, line));
}

}  // namespace
}  // namespace gossamer::cli
