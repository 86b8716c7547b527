#include "gossamer/io/text_format.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/error.hpp"

namespace gossamer::io {
namespace {

using namespace std::string_view_literals;

/// Returns a tar header of a file of that name, with a correct checksum. `magic` distinguishes the kinds: the
/// oldest has none.
std::string tar_header(std::string_view file, std::string_view magic) {
  std::string h(512, '\0');
  h.replace(0, file.size(), file);
  h.replace(100, 7, "0000644");
  h.replace(124, 11, "00000000012");
  h.replace(148, 8, "        ");
  h.replace(257, magic.size(), magic);
  unsigned sum = 0;
  for (const char c : h) sum += static_cast<unsigned char>(c);
  char digits[8];
  std::snprintf(digits, sizeof digits, "%06o", sum);
  h.replace(148, 7, digits, 7);
  return h;
}

TEST(TextFormat, TextIsText) {
  for (const std::string_view text :
       {""sv, "1 2\n"sv, "\xef\xbb\xbfname,value\n"sv, "PAR1 is a gene\n"sv, "ORC,ELF\n1,2\n"sv, "PK,1\n"sv,
        "FEA1\t2\n"sv, "caf\xe9\tth\xe9\n"sv, "\x1b[1mbold\x1b[0m\n"sv,
        "a\0b\0c\0d\0\0\0 words with zero bytes between\n"sv, "7z\n"sv, "\0\0\0\0\0\0\0\0\0\0\0\0"sv})
    EXPECT_EQ(detect_other_format(text).name, "") << text;
  EXPECT_EQ(detect_other_format(std::string(4096, 'x')).name, "");
  EXPECT_EQ(detect_other_format(std::string(4096, '\0')).name, "");
}

TEST(TextFormat, OthersAreKnownByTheirFirstBytes) {
  for (const auto& [bytes, name] :
       {std::pair("PAR1\x15\x04\x15"sv, "Parquet"sv), std::pair("ORC\n\x03\x01"sv, "ORC"sv),
        std::pair("FEA1\0\0"sv, "Feather"sv), std::pair("ARROW1\0\0"sv, "Arrow"sv),
        std::pair("\x89HDF\r\n\x1a\n"sv, "HDF5"sv), std::pair("\x93NUMPY\x01"sv, "a NumPy array"sv),
        std::pair("SQLite format 3\0"sv, "an SQLite database"sv)}) {
    EXPECT_EQ(detect_other_format(bytes).name, name);
  }
}

TEST(TextFormat, TarIsKnownByItsChecksum) {
  for (const std::string_view magic : {"ustar\00000"sv, "ustar  \0"sv, ""sv}) {
    std::string header = tar_header("out.edges", magic);
    EXPECT_EQ(detect_other_format(header).name, "a tar archive");
    ++header[3];
    EXPECT_EQ(detect_other_format(header).name, "");
    EXPECT_EQ(detect_other_format(header.substr(0, 511)).name, "");
  }
}

TEST(TextFormat, LettersOfTwoBytesAreKnownWithAndWithoutAMark) {
  const auto wide = [](std::string_view text, bool little) {
    std::string all;
    for (const char c : text) all += little ? std::string{c, '\0'} : std::string{'\0', c};
    return all;
  };
  EXPECT_EQ(detect_other_format("\xff\xfe"
                                "a\0"sv)
                .name,
            "UTF-16 text");
  EXPECT_EQ(detect_other_format("\xff\xfe\0\0a\0\0\0"sv).name, "UTF-32 text");
  EXPECT_EQ(detect_other_format(wide("name,value\n", true)).advice, "convert it: iconv -f UTF-16LE -t UTF-8");
  EXPECT_EQ(detect_other_format(wide("name,value\n", false)).advice,
            "convert it: iconv -f UTF-16BE -t UTF-8");
}

TEST(TextFormat, TheErrorNamesFileFormAndWayOut) {
  const auto said = [](std::string_view bytes) -> std::string {
    try {
      check_text(std::as_bytes(std::span(bytes)), "t", "write it as text");
    } catch (const error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(said("a,b\n"), "");
  EXPECT_EQ(said(""), "");
  EXPECT_EQ(said("PAR1\x15\x04"), "t: Parquet is not read: write it as text");
  EXPECT_EQ(said(tar_header("x", "ustar")), "t: a tar archive is not read: unpack it");
}

}  // namespace
}  // namespace gossamer::io
