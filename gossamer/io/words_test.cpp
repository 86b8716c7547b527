// Words of texts of all lengths and kinds of bytes, against a loop over single bytes.
#include "gossamer/io/words.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "gossamer/base/random.hpp"

namespace gossamer::io {
namespace {

template <class IsWord>
std::vector<std::string> serial_words(const std::string& text, IsWord is_word) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_word(static_cast<unsigned char>(c)))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <class Kind>
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for_each_word<Kind>(text, [&](std::string_view w) { words.emplace_back(w); });
  return words;
}

bool is_letter(unsigned char c) { return (c < 0x80 && std::isalpha(c) != 0) || c >= 0x80; }

TEST(Words, EveryByteIsOfItsKind) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::string text(1, static_cast<char>(c));
    EXPECT_EQ(words_of<non_blank>(text).size(), std::isspace(static_cast<int>(c)) == 0 ? 1U : 0U) << c;
    EXPECT_EQ(words_of<letter>(text).size(), is_letter(static_cast<unsigned char>(c)) ? 1U : 0U) << c;
    EXPECT_EQ(words_of<non_line_end>(text).size(), c != '\n' ? 1U : 0U) << c;
    // The same in a whole block, which vector instructions classify.
    const std::string block = "\n" + std::string(63, static_cast<char>(c));
    EXPECT_EQ(words_of<non_blank>(block).size(), words_of<non_blank>(text).size()) << c;
    EXPECT_EQ(words_of<letter>(block).size(), words_of<letter>(text).size()) << c;
    EXPECT_EQ(words_of<non_line_end>(block).size(), words_of<non_line_end>(text).size()) << c;
  }
}

TEST(Words, RandomTextsOfAllLengths) {
  xoshiro256 draw(7);
  for (unsigned round = 0; round < 3000; ++round) {
    std::string text;
    const std::uint64_t length = draw() % 300;
    const std::uint64_t blanks = 1 + draw() % 70;
    for (std::uint64_t i = 0; i < length; ++i)
      text += draw() % blanks == 0 ? " \t\n\v\f\r"[draw() % 6] : "ab.Zz\xc3\xa9"[draw() % 7];
    EXPECT_EQ(words_of<non_blank>(text),
              serial_words(text, [](unsigned char c) { return std::isspace(c) == 0; }))
        << "round " << round;
    EXPECT_EQ(words_of<letter>(text), serial_words(text, is_letter)) << "round " << round;
  }
}

TEST(Words, NothingBehindTheTextIsOfIt) {
  const std::string text = "one two three";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    std::vector<std::string> found;
    for_each_word(std::string_view(text).substr(0, n), [&](std::string_view w) { found.emplace_back(w); });
    EXPECT_EQ(found, serial_words(text.substr(0, n), [](unsigned char c) { return c != ' '; })) << n;
  }
}

}  // namespace
}  // namespace gossamer::io
