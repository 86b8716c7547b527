// Other programs run to their end, or ended.
#include "gossamer/machine/subprocess.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

namespace gossamer::machine {
namespace {

program_result shell(const std::string& script, double seconds = 60) {
  return run_program({"sh", "-c", script}, seconds);
}

TEST(Subprocess, GivesWhatWasPrintedAndTheExitCode) {
  const program_result r = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(r.output, "out\n");
  EXPECT_EQ(r.errors, "err\n");
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_FALSE(r.ok());
  EXPECT_FALSE(r.timed_out);
}

TEST(Subprocess, PassesArgumentsAsTheyAre) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$c", ""}, 60).output, "a b|$c||");
}

TEST(Subprocess, HasNothingToRead) { EXPECT_EQ(shell("cat; echo end").output, "end\n"); }

TEST(Subprocess, ReadsMoreThanAPipeHolds) {
  const program_result r = shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2");
  EXPECT_EQ(r.output.size(), 1'000'000U);
  EXPECT_EQ(r.errors.size(), 4096U);
}

TEST(Subprocess, TellsTheSignalThatEndedIt) {
  const program_result r = shell("kill -TERM $$");
  EXPECT_EQ(r.signal_number, SIGTERM);
  EXPECT_FALSE(r.ok());
}

TEST(Subprocess, TellsThatAProgramIsNotThere) {
  EXPECT_EQ(run_program({"/nowhere/at-all"}, 60).exit_code, 127);
}

TEST(Subprocess, EndsWhatTakesTooLongWithAllThatItStarted) {
  const program_result r = shell("sleep 1000 & echo $!; wait", 0.2);
  EXPECT_TRUE(r.timed_out);
  EXPECT_FALSE(r.ok());
  const pid_t grandchild = std::stoi(r.output);
  // Gone, or a corpse that its new parent has not buried yet.
  while (::kill(grandchild, 0) == 0) {
    std::string state = shell("cut -d' ' -f3 /proc/" + std::to_string(grandchild) + "/stat").output;
    if (state.empty() || state == "Z\n") break;
  }
}

TEST(Subprocess, EndsWhatDoesNotListen) {
  const program_result r = shell("trap '' TERM; while :; do sleep 0.05; done", 0.1);
  EXPECT_TRUE(r.timed_out);
  EXPECT_EQ(r.signal_number, SIGKILL);
}

TEST(Subprocess, KnowsTheFolderOfThisProgram) {
  EXPECT_TRUE(std::filesystem::is_directory(program_folder()));
}

}  // namespace
}  // namespace gossamer::machine
