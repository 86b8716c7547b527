// The command line of gossamer-studies: what is accepted, and in which words the rest is refused.

#include "parse/parse.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "commands/program.hpp"
#include "gossamer/base/error.hpp"
#include "output/json.hpp"
#include "studies/commands/studies.hpp"

namespace gossamer::studies {
namespace {

constexpr cli::command_maker k_makers[] = {make_queue_bfs, make_three_phase_components, make_task_bfs,
                                           make_task_betweenness, make_uts_reads};
constexpr cli::program k_program{.name = "gossamer-studies",
                                 .summary = "variants",
                                 .usage = "usage\n",
                                 .examples = "  examples\n",
                                 .makers = k_makers};

std::string accepted(const std::vector<std::string>& words) {
  cli::json_object j;
  std::get<std::unique_ptr<cli::command>>(cli::parse_words(k_program, words))->describe(j);
  return j.text();
}

std::string refused(const std::vector<std::string>& words) {
  try {
    cli::parse_words(k_program, words);
  } catch (const error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(StudiesParse, TakesSharedStructuresByName) {
  EXPECT_EQ(accepted({"queue-bfs", "g", "--source", "1", "--kind", "queue", "--combining=both"}),
            R"({"graph":"g","options":{"seed":1,"kind":"queue","combining":"both","source":"1"}})");
  EXPECT_EQ(accepted({"three-phase-components", "g", "--combining", "off"}),
            R"({"graph":"g","options":{"seed":1,"combining":"off"}})");
  EXPECT_EQ(accepted({"three-phase-components", "g", "--kind", "set-staged"}),
            R"({"graph":"g","options":{"seed":1,"kind":"set-staged"}})");
}

TEST(StudiesParse, RefusesSharedStructuresThatThereAreNot) {
  EXPECT_EQ(refused({"queue-bfs", "g", "--source", "1", "--kind", "stack"}),
            "--kind: expected queue, queue-singly or queue-locked, found \"stack\"");
  EXPECT_EQ(refused({"three-phase-components", "g", "--combining", "Local"}),
            "--combining: expected off, home, local, both or automatic, found \"Local\"");
  EXPECT_EQ(
      refused({"queue-bfs", "g"}),
      "queue-bfs: expected --source V or --trials N (gossamer-studies queue-bfs --help shows examples)");
}

TEST(StudiesParse, TakesTasksThatWait) {
  EXPECT_EQ(accepted({"task-bfs", "g", "--trials", "2", "--tasks", "private", "--grain", "4"}),
            R"({"graph":"g","options":{"seed":1,"tasks":"private","grain":4,"trials":2}})");
  EXPECT_EQ(accepted({"task-betweenness", "g", "--samples", "3"}),
            R"({"graph":"g","options":{"seed":1,"samples":3}})");
  EXPECT_EQ(accepted({"uts-reads", "T1", "--children-cache", "2"}),
            R"({"tree":"T1","options":{"tree":"-t 1 -a 3 -d 10 -b 4 -r 19","children_cache":2}})");
}

TEST(StudiesParse, RefusesTasksThatThereAreNot) {
  EXPECT_EQ(refused({"task-bfs", "g", "--source", "1", "--tasks", "both"}),
            "--tasks: expected stealable or private, found \"both\"");
  EXPECT_EQ(refused({"task-bfs", "g"}),
            "task-bfs: expected --source V or --trials N (gossamer-studies task-bfs --help shows examples)");
  EXPECT_EQ(refused({"task-bfs", "g", "--source", "1", "--grain", "0"}),
            "--grain: expected a whole number from 1, found \"0\"");
  EXPECT_EQ(refused({"uts-reads", "T1", "--children-cache", "33"}),
            "--children-cache: expected a whole number from 1 to 32, found \"33\"");
}

TEST(StudiesParse, HasTheCommandsOfItsOwnProgramOnly) {
  EXPECT_EQ(refused({"pagerank", "g"}), "unknown command pagerank (gossamer-studies --help lists them)");
  EXPECT_EQ(refused({}), "expected a command (gossamer-studies --help lists them)");
  const std::string help = std::get<cli::answer>(cli::parse_words(k_program, {"--help"})).text;
  EXPECT_EQ(help.find("usage\n\ncommands:\n  queue-bfs"), 0U) << help;
  EXPECT_NE(std::get<cli::answer>(cli::parse_words(k_program, {"queue-bfs", "--help"}))
                .text.find("usage: gossamer-studies queue-bfs G"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer::studies
