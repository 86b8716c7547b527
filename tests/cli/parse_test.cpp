// The command line: what is accepted, and in which words the rest is refused.

#include "parse/parse.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "commands/registry.hpp"
#include "gossamer/base/error.hpp"
#include "output/json.hpp"

namespace gossamer::cli {
namespace {

/// The options that decide the answer, as --json repeats them.
std::string accepted(const std::vector<std::string>& words) {
  json_object j;
  std::get<std::unique_ptr<command>>(parse_words(gossamer_program(), words))->describe(j);
  return j.text();
}
std::string shown(const std::vector<std::string>& words) {
  return std::get<answer>(parse_words(gossamer_program(), words)).text;
}

std::string refused(const std::vector<std::string>& words) {
  try {
    parse_words(gossamer_program(), words);
  } catch (const error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Parse, HasTheDocumentedDefaults) {
  EXPECT_EQ(
      accepted({"pagerank", "web.tsv"}),
      R"({"graph":"web.tsv","options":{"seed":1,"damping":0.85,"tolerance":1e-06,"max_iterations":1000,"checkpoint_seconds":60.0}})");
  const auto c = std::get<std::unique_ptr<command>>(parse_words(gossamer_program(), {"pagerank", "web.tsv"}));
  EXPECT_EQ(c->name(), "pagerank");
  EXPECT_FALSE(c->json() || c->quiet());
}

TEST(Parse, TakesOptionsBeforeAndAfterTheGraph) {
  const std::vector<std::string> words{"bfs",     "--seed=3", "--source",     "a b",
                                       "web.tsv", "--json",   "--undirected", "-q"};
  EXPECT_EQ(accepted(words), R"({"graph":"web.tsv","options":{"seed":3,"directed":false,"source":"a b"}})");
  const auto c = std::get<std::unique_ptr<command>>(parse_words(gossamer_program(), words));
  EXPECT_TRUE(c->json() && c->quiet());
}

TEST(Parse, TakesASourceThatLooksLikeAnOption) {
  for (const auto& [words, source] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"bfs", "g", "--source", "-3"}, "-3"},
           {{"bfs", "g", "--source=--top"}, "--top"},
           {{"bfs", "g", "--source", ""}, ""}})
    EXPECT_EQ(accepted(words), R"({"graph":"g","options":{"seed":1,"source":")" + source + R"("}})");
}

TEST(Parse, RefusesNumbersOutOfRangeWithWhatWasFound) {
  const std::string expected = "--cores: expected a whole number from 1 to 4096, found ";
  for (const std::string bad : {"0", "4097", "-1", "two", "1.5", "", "1 ", "99999999999999999999"}) {
    EXPECT_EQ(refused({"info", "g", "--cores", bad}), expected + '"' + bad + '"');
  }
  EXPECT_EQ(refused({"pagerank", "g", "--damping", "1"}),
            "--damping: expected a number from 0 to 1, 1 excluded, found \"1\"");
  EXPECT_EQ(refused({"pagerank", "g", "--tolerance", "nan"}),
            "--tolerance: expected a positive number, found \"nan\"");
  EXPECT_EQ(refused({"bfs", "g", "--trials", "0"}), "--trials: expected a whole number from 1, found \"0\"");
}

// They are gossamer-studies' (tests/studies).
TEST(Parse, RefusesTheOptionsOfStudies) {
  for (const std::string option : {"--frontier", "--kind", "--combining"})
    EXPECT_NE(refused({"bfs", "g", "--source", "1", option, "queue"}).find("unknown option " + option),
              std::string::npos);
  for (const std::string option : {"--method", "--combining"})
    EXPECT_NE(refused({"components", "g", option, "local"}).find("unknown option " + option),
              std::string::npos);
}

TEST(Parse, TakesColumnsAndSeparators) {
  EXPECT_EQ(accepted({"info", "g", "--columns", "src,dst,w", "--separator", "tab", "--no-header"}),
            R"({"graph":"g","options":{"seed":1,"header":false,"columns":"src,dst,w","separator":"\t"}})");
  EXPECT_EQ(refused({"info", "g", "--columns", "src"}),
            "--columns: expected two columns or three, as SOURCE,TARGET, found \"src\"");
  EXPECT_NE(refused({"info", "g", "--columns", "a,,b"}), "accepted");
  EXPECT_NE(refused({"info", "g", "--separator", "x"}), "accepted");
  EXPECT_NE(refused({"info", "g", "--header", "--no-header"}), "accepted");
  EXPECT_EQ(refused({"info", "g", "-o", "-", "--json"}),
            "info: --output - and --json both write to standard output");
}

TEST(Parse, RefusesAnOutputWithAnUnknownEnding) {
  for (const std::string bad : {"a.txt", "a", ".tsv", "a.gz", ".csv.zst", "a.tsv.bz2", "a.JSON"}) {
    EXPECT_EQ(refused({"info", "g", "--output", bad}),
              "--output: expected a file ending in .tsv, .csv, .json or .jsonl, perhaps with .gz or .zst "
              "behind it, or - for "
              "standard output, found \"" +
                  bad + '"');
  }
}

TEST(Parse, SuggestsTheNearestOptionAndCommand) {
  EXPECT_EQ(refused({"bfs", "g", "--sorce", "1"}), "unknown option --sorce, did you mean --source?");
  EXPECT_EQ(refused({"componets", "g"}), "unknown command componets, did you mean components?");
  EXPECT_EQ(refused({"frobnicate", "g"}), "unknown command frobnicate (gossamer --help lists them)");
}

TEST(Parse, SaysWhatIsMissing) {
  EXPECT_EQ(refused({}), "expected a command (gossamer --help lists them)");
  EXPECT_EQ(refused({"bfs", "g"}),
            "bfs: expected --source V or --trials N (gossamer bfs --help shows examples)");
  EXPECT_NE(refused({"info"}).find("expected a graph"), std::string::npos);
  EXPECT_NE(refused({"convert", "g"}).find("expected a file to write"), std::string::npos);
  EXPECT_NE(refused({"betweenness", "g"}).find("--samples K or --exact"), std::string::npos);
}

TEST(Parse, RefusesContradictions) {
  EXPECT_NE(refused({"info", "g", "--directed", "--undirected"}).find("exclude"), std::string::npos);
  EXPECT_NE(refused({"betweenness", "g", "--exact", "--samples", "3"}).find("exclude"), std::string::npos);
  EXPECT_NE(refused({"info", "g", "h"}).find("unexpected argument h"), std::string::npos);
}

TEST(Parse, EveryRefusalIsOneLine) {
  const std::vector<std::vector<std::string>> lines{
      {"info", "g", "--output", "a\nb"}, {"in\nfo"}, {"info", "g", "--x\ny"}, {"info", "g", "more\nwords"}};
  for (const auto& words : lines) {
    EXPECT_EQ(refused(words).find('\n'), std::string::npos) << refused(words);
  }
}

TEST(Parse, HelpOfEveryCommandHasExamplesAndItsOptions) {
  for (const std::string name :
       {"info", "components", "bfs", "pagerank", "betweenness", "convert", "doctor", "bench"}) {
    const std::string text = shown({name, "--help"});
    EXPECT_NE(text.find("Examples:\n  gossamer " + name), std::string::npos) << text;
    EXPECT_NE(text.find("--json"), std::string::npos) << text;
    EXPECT_EQ(shown({"help", name}), text);
    EXPECT_NE(shown({"--help"}).find("  " + name), std::string::npos);
  }
}

TEST(Parse, HelpFitsATerminal) {
  for (const std::string name :
       {"info", "components", "bfs", "pagerank", "betweenness", "convert", "doctor", "bench"}) {
    const std::string text = shown({name, "--help"});
    for (std::size_t from = 0, to; (to = text.find('\n', from)) != text.npos; from = to + 1) {
      EXPECT_LE(to - from, 100u) << text.substr(from, to - from);
    }
  }
}

}  // namespace
}  // namespace gossamer::cli
