#include "gossamer/machine/program_digest.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace gossamer::machine {
namespace {

TEST(ProgramDigest, IsTheSameTwice) { EXPECT_EQ(digest_of_self("1"), digest_of_self("1")); }

TEST(ProgramDigest, KnowsTheVersion) {
  EXPECT_NE(digest_of_self("1").program, digest_of_self("2").program);
  EXPECT_EQ(digest_of_self("1").arguments, digest_of_self("2").arguments);
}

TEST(ProgramDigest, KnowsTheSettingsButThoseOfOneProcess) {
  const auto before = digest_of_self("1");
  ::setenv("GOSSAMER_PIN", "off", 1);
  EXPECT_EQ(digest_of_self("1").settings, before.settings);
  ::setenv("GOSSAMER_FIBERS", "77", 1);
  EXPECT_NE(digest_of_self("1").settings, before.settings);
  ::unsetenv("GOSSAMER_FIBERS");
  ::unsetenv("GOSSAMER_PIN");
  EXPECT_EQ(digest_of_self("1"), before);
}

}  // namespace
}  // namespace gossamer::machine
