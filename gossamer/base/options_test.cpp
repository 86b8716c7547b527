#include "gossamer/base/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "gossamer/base/error.hpp"
#include "gossamer/base/settings.hpp"

namespace gossamer {
namespace {

options planted(std::map<std::string, std::string, std::less<>> values) {
  return options([values](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return {};
    return found->second;
  });
}

template <class Read>
std::string complaint(Read read) {
  try {
    read();
  } catch (const error& failure) {
    return failure.what();
  }
  return "no complaint";
}

TEST(Options, AreNothingWhereUnsetOrEmpty) {
  const options given = planted({{"EMPTY", ""}});
  EXPECT_FALSE(given.number("EMPTY"));
  EXPECT_FALSE(given.number("ABSENT"));
  EXPECT_FALSE(given.text("EMPTY"));
  EXPECT_FALSE(given.flag("ABSENT"));
  EXPECT_FALSE(given.bytes("ABSENT"));
}

TEST(Options, ReadValuesOfEveryKind) {
  const options given = planted({{"CORES", "8"},
                                 {"RATE", "0.25"},
                                 {"MEMORY", "1.5K"},
                                 {"QUIET", "Yes"},
                                 {"LOUD", "0"},
                                 {"KIND", "hash"}});
  EXPECT_EQ(given.number("CORES", 1, 65535), 8U);
  EXPECT_EQ(given.real("RATE", 0, 1), 0.25);
  EXPECT_EQ(given.bytes("MEMORY"), 1536U);
  EXPECT_EQ(given.flag("QUIET"), true);
  EXPECT_EQ(given.flag("LOUD"), false);
  EXPECT_EQ(given.choice("KIND", {"block", "hash"}), 1U);
  EXPECT_EQ(given.text("KIND"), "hash");
}

TEST(Options, NameTheValueThatDoesNotFit) {
  const options given = planted({{"GOSSAMER_CORES", "x"}, {"ZERO", "0"}, {"SMALL", "1K"}, {"BAD", "maybe"}});
  EXPECT_EQ(complaint([&] { given.number("GOSSAMER_CORES", 1, 65535); }),
            "GOSSAMER_CORES: expected a number from 1 to 65535, found \"x\"");
  EXPECT_EQ(complaint([&] { given.number("ZERO", 1); }),
            "ZERO: expected a number of at least 1, found \"0\"");
  EXPECT_EQ(complaint([&] { given.bytes("SMALL", 4096, 1 << 20); }),
            "SMALL: expected bytes (such as 64K or 1.5G) from 4.0 KiB to 1.0 MiB, found \"1K\"");
  EXPECT_EQ(complaint([&] { given.flag("BAD"); }),
            "BAD: expected 1 or 0 (yes or no, true or false, on or off), found \"maybe\"");
  EXPECT_EQ(complaint([&] { given.choice("BAD", {"block", "hash"}); }),
            "BAD: expected one of block, hash, found \"maybe\"");
  EXPECT_EQ(complaint([&] { given.real("BAD", 0, 1); }),
            "BAD: expected a number from 0 to 1, found \"maybe\"");
}

TEST(Options, RefuseNumbersWithATailASignOrTooManyDigits) {
  for (const char* text : {"8x", "-1", "+1", " 1", "1 ", "99999999999999999999", "1.0"})
    EXPECT_THROW((void)planted({{"N", text}}).number("N"), error) << text;
}

TEST(Options, ReadTheEnvironmentByDefault) {
  ::setenv("GOSSAMER_OPTIONS_TEST", "17", 1);
  EXPECT_EQ(options().number("GOSSAMER_OPTIONS_TEST"), 17U);
  ::unsetenv("GOSSAMER_OPTIONS_TEST");
  EXPECT_FALSE(options().number("GOSSAMER_OPTIONS_TEST"));
}

std::string settings_complaint(std::map<std::string, std::string, std::less<>> values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return complaint([&] { check_settings(planted(values), names); });
}

TEST(Settings, TakesWhatIsInTheTable) {
  const auto taken = [](std::map<std::string, std::string, std::less<>> values) {
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    EXPECT_NO_THROW(check_settings(planted(values), names));
  };
  taken({});
  taken({{"GOSSAMER_CORES", "4"}, {"GOSSAMER_PIN", "off"}, {"GOSSAMER_PROGRAM", "x"}, {"HOME", "/"}});
  taken({{"GOSSAMER_CORES", ""}});  // set to nothing is not set
}

TEST(Settings, RefusesUnknownNamesWithTheNearest) {
  EXPECT_EQ(settings_complaint({{"GOSSAMER_CORE", "4"}}),
            "unknown variable \"GOSSAMER_CORE\" in the environment, did you mean GOSSAMER_CORES?");
  EXPECT_EQ(
      settings_complaint({{"GOSSAMER_STEEL_TASKS", ""}}),
      "unknown variable \"GOSSAMER_STEEL_TASKS\" in the environment, did you mean GOSSAMER_STEAL_TASKS?");
  EXPECT_EQ(
      settings_complaint({{"GOSSAMER_XYZZY\n", "1"}}),
      "unknown variable \"GOSSAMER_XYZZY\\x0a\" in the environment (docs/settings.md lists those that there "
      "are)");
}

TEST(Settings, RefusesValuesThatDoNotFit) {
  EXPECT_EQ(settings_complaint({{"GOSSAMER_CORES", "0"}}),
            "GOSSAMER_CORES: expected a number from 1 to 4096, found \"0\"");
  EXPECT_EQ(settings_complaint({{"GOSSAMER_MEMORY_LIMIT", "junk"}}),
            "GOSSAMER_MEMORY_LIMIT: expected bytes (such as 64K or 1.5G), found \"junk\"");
  EXPECT_EQ(settings_complaint({{"GOSSAMER_ROUTES", "grit"}}),
            "GOSSAMER_ROUTES: expected one of automatic, direct, grid, found \"grit\"");
  for (const setting& s : settings())
    if (s.holds != setting::kind::text) {
      EXPECT_NE(settings_complaint({{std::string(s.name), "junk"}}), "") << s.name;
    }
}

}  // namespace
}  // namespace gossamer
