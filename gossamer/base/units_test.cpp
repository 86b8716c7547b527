#include "gossamer/base/units.hpp"

#include <gtest/gtest.h>

#include <iomanip>  // std::quoted, which must not be found in place of ours
#include <limits>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

TEST(Units, FormatsBytesInPowersOf1024) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(13'314'398'618), "12.4 GiB");
  EXPECT_EQ(format_bytes((1 << 20) - 1), "1.0 MiB");  // never "1024.0 KiB"
  EXPECT_EQ(format_bytes(~std::uint64_t{0}), "16.0 EiB");
}

TEST(Units, FormatsCountsInGroupsOfThree) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(15'728'640), "15,728,640");
  EXPECT_EQ(format_count(~std::uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Units, FormatsWholeSumsInFull) {
  EXPECT_EQ(format_sum(0), "0");
  EXPECT_EQ(format_sum(-0.0), "0");
  EXPECT_EQ(format_sum(1'234'567), "1,234,567");
  EXPECT_EQ(format_sum(-1'234'567), "-1,234,567");
  EXPECT_EQ(format_sum(0x1p53), "9,007,199,254,740,992");
  EXPECT_EQ(format_sum(0x1p54), "1.80144e+16");
  EXPECT_EQ(format_sum(2.5), "2.5");
  EXPECT_EQ(format_sum(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Units, FormatsDurationsWithThreeFigures) {
  EXPECT_EQ(format_duration(0), "0 ns");
  EXPECT_EQ(format_duration(850e-9), "850 ns");
  EXPECT_EQ(format_duration(12.34e-6), "12.3 us");
  EXPECT_EQ(format_duration(4.556e-3), "4.56 ms");
  EXPECT_EQ(format_duration(0.9996), "1.00 s");
  EXPECT_EQ(format_duration(7.89), "7.89 s");
  EXPECT_EQ(format_duration(59.99), "1 min 00 s");
  EXPECT_EQ(format_duration(125), "2 min 05 s");
  EXPECT_EQ(format_duration(11'250), "3 h 07 min");
  EXPECT_EQ(format_duration(-2), "-2.00 s");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "unknown");
}

TEST(Units, ParsesBytes) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("64K"), 65536U);
  EXPECT_EQ(parse_bytes("64 kB"), 65536U);
  EXPECT_EQ(parse_bytes("1.5G"), 1'610'612'736U);
  EXPECT_EQ(parse_bytes("2MiB"), 2U << 20);
  EXPECT_EQ(parse_bytes("12 B"), 12U);
  EXPECT_EQ(parse_bytes("15E"), std::uint64_t{15} << 60);
}

TEST(Units, RefusesWhatIsNotBytes) {
  for (const char* text : {"", "x", "-1", "1x", "K", "1.5.2K", "16E", "18446744073709551616", "1 K K", "1e3",
                           "0x10", " 1", "nan", "1Ki1", "."})
    EXPECT_FALSE(try_parse_bytes(text)) << text;
}

TEST(Units, SaysWhatWasExpected) {
  try {
    parse_bytes("lots");
    FAIL();
  } catch (const error& failure) {
    EXPECT_STREQ(failure.what(), "expected bytes such as 4096, 64K or 1.5G, found \"lots\"");
  }
}

TEST(Units, QuotesGarbageOnOneLine) {
  EXPECT_EQ(in_quotes("12 x9"), "\"12 x9\"");
  EXPECT_EQ(in_quotes("a\nb\t\"\x01\xff"), "\"a\\x0ab\\t\\\"\\x01\\xff\"");
  EXPECT_EQ(in_quotes("abcdef", 3), "\"abc...\"");
}

TEST(Units, LongTextsLoseTheirMiddle) {
  EXPECT_EQ(abridged("short", 5), "short");
  EXPECT_EQ(abridged("a long path/file.csv:7: the reason", 26), "a lon....csv:7: the reason");
  EXPECT_EQ(abridged(std::string(100, 'a') + std::string(100, 'b'), 43),
            std::string(10, 'a') + "..." + std::string(30, 'b'));
  for (std::size_t most = 3; most < 40; ++most) {  // characters of two bytes stay whole
    std::string text;
    for (int i = 0; i < 20; ++i) text += "\xc3\xa4";
    const std::string some = abridged(text, most);
    EXPECT_LE(some.size(), most);
    EXPECT_EQ(some.find("...") % 2, 0U);
    EXPECT_EQ(some.size() % 2, 1U);
  }
}

}  // namespace
}  // namespace gossamer
