// The command line: what is accepted, and in which words the rest is refused.

#include "parse.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer::cli {
namespace {

std::variant<options, answer> parse_words(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"gossamer"};
  for (const auto& w : words) argv.push_back(w.c_str());
  return parse(static_cast<int>(argv.size()), argv.data());
}

options accepted(const std::vector<std::string>& words) { return std::get<options>(parse_words(words)); }
std::string shown(const std::vector<std::string>& words) { return std::get<answer>(parse_words(words)).text; }

std::string refused(const std::vector<std::string>& words) {
  try {
    parse_words(words);
  } catch (const error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Parse, HasTheDocumentedDefaults) {
  const options o = accepted({"pagerank", "web.tsv"});
  EXPECT_EQ(o.what, command::pagerank);
  EXPECT_EQ(o.graph, "web.tsv");
  EXPECT_EQ(o.cores, 0u);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_DOUBLE_EQ(o.damping, 0.85);
  EXPECT_DOUBLE_EQ(o.tolerance, 1e-6);
  EXPECT_FALSE(o.directed.has_value());
  EXPECT_FALSE(o.json || o.stats || o.verify || o.quiet || o.labels || o.header.has_value());
}

TEST(Parse, TakesOptionsBeforeAndAfterTheGraph) {
  const options o =
      accepted({"bfs", "--cores=3", "--source", "a b", "web.tsv", "--json", "--undirected", "-q"});
  EXPECT_EQ(o.graph, "web.tsv");
  EXPECT_EQ(o.cores, 3u);
  EXPECT_EQ(o.source, "a b");
  EXPECT_EQ(o.directed, false);
  EXPECT_TRUE(o.json);
  EXPECT_TRUE(o.quiet);
}

TEST(Parse, TakesASourceThatLooksLikeAnOption) {
  EXPECT_EQ(accepted({"bfs", "g", "--source", "-3"}).source, "-3");
  EXPECT_EQ(accepted({"bfs", "g", "--source=--top"}).source, "--top");
  EXPECT_EQ(accepted({"bfs", "g", "--source", ""}).source, "");
}

TEST(Parse, RefusesNumbersOutOfRangeWithWhatWasFound) {
  const std::string expected = "--cores: expected a whole number from 1 to 65535, found ";
  for (const std::string bad : {"0", "65536", "-1", "two", "1.5", "", "1 ", "99999999999999999999"}) {
    EXPECT_EQ(refused({"info", "g", "--cores", bad}), expected + '"' + bad + '"');
  }
  EXPECT_EQ(refused({"pagerank", "g", "--damping", "1"}),
            "--damping: expected a number from 0 to 1, 1 excluded, found \"1\"");
  EXPECT_EQ(refused({"pagerank", "g", "--tolerance", "nan"}),
            "--tolerance: expected a positive number, found \"nan\"");
  EXPECT_EQ(refused({"bfs", "g", "--trials", "0"}), "--trials: expected a whole number from 1, found \"0\"");
}

TEST(Parse, TakesSharedStructuresByName) {
  EXPECT_EQ(accepted({"bfs", "g", "--trials", "2"}).frontier, "");
  const options search = accepted({"bfs", "g", "--source", "1", "--frontier", "queue", "--combining=both"});
  EXPECT_EQ(search.frontier, "queue");
  EXPECT_EQ(search.combining, "both");
  const options parts = accepted({"components", "g", "--method", "three-phase", "--combining", "off"});
  EXPECT_EQ(parts.method, "three-phase");
  EXPECT_EQ(parts.combining, "off");
  EXPECT_EQ(accepted({"components", "g", "--method", "hooking"}).method, "hooking");
}

TEST(Parse, RefusesSharedStructuresThatThereAreNot) {
  EXPECT_EQ(refused({"bfs", "g", "--source", "1", "--frontier", "stack"}),
            "--frontier: expected lists, queue or queue-singly, found \"stack\"");
  EXPECT_EQ(refused({"components", "g", "--method", "three"}),
            "--method: expected hooking or three-phase, found \"three\"");
  EXPECT_EQ(refused({"components", "g", "--method", "three-phase", "--combining", "Local"}),
            "--combining: expected off, master, local or both, found \"Local\"");
  for (const std::string lists : {"", "--frontier=lists"}) {
    std::vector<std::string> words{"bfs", "g", "--source", "1", "--combining", "local"};
    if (!lists.empty()) words.push_back(lists);
    EXPECT_EQ(refused(words), "bfs: --combining is for --frontier queue (lists share nothing)");
  }
  EXPECT_EQ(refused({"components", "g", "--combining", "local"}),
            "components: --combining is for --method three-phase (hooking has no shared set)");
}

TEST(Parse, TakesColumnsAndSeparators) {
  const options o = accepted({"info", "g", "--columns", "src,dst,w", "--separator", "tab", "--no-header"});
  EXPECT_EQ(o.columns, (std::vector<std::string>{"src", "dst", "w"}));
  EXPECT_EQ(o.separator, '\t');
  EXPECT_EQ(o.header, false);
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
