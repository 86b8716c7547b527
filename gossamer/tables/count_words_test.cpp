// Counted words, letters, lines and fields, compared with a serial count that splits the text by other code.
#include "gossamer/tables/count_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

using unit = word_rule::unit;

/// Draws lines of one to four fields, with blanks, letters of both cases, digits and empty lines among them.
std::string drawn_lines(std::uint64_t seed, unsigned lines) {
  xoshiro256 draw(seed);
  std::string text;
  for (unsigned i = 0; i < lines; ++i) {
    const auto fields = draw() % 9 == 0 ? 0 : 1 + draw() % 4;
    for (std::uint64_t f = 0; f < fields; ++f) {
      if (f != 0) text += ',';
      for (auto n = draw() % 9; n != 0; --n) text += "abcXYZ019 \t-\xc3"[draw() % 13];
    }
    text += draw() % 5 == 0 ? "\r\n" : "\n";
  }
  return text;
}

/// Returns the words of a text by the rules of word_rule. `lacking`: number of lines without the field.
std::map<std::string, std::uint64_t> serial(const std::string& text, const word_rule& rule,
                                            std::uint64_t& lacking) {
  std::map<std::string, std::uint64_t> counts;
  const auto add = [&](std::string word) {
    if (rule.fold)
      for (char& c : word)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(std::tolower(c));
    ++counts[word];
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (rule.counts != unit::words && rule.counts != unit::letters)
      if (!line.empty() && line.back() == '\r') line.pop_back();
    if (rule.counts == unit::lines && !line.empty()) add(line);
    if (rule.counts == unit::words) {
      std::istringstream words(line);
      for (std::string word; words >> word;) add(word);
    }
    if (rule.counts == unit::letters) {
      std::string word;
      for (const char c : line + ' ') {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0) {
          word += c;
        } else if (!word.empty()) {
          add(std::exchange(word, {}));
        }
      }
    }
    if (rule.counts == unit::field && !line.empty()) {
      std::vector<std::string> fields(1);
      for (const char c : line)
        if (c == rule.separator)
          fields.emplace_back();
        else
          fields.back() += c;
      if (fields.size() < rule.field)
        ++lacking;
      else
        add(fields[rule.field - 1]);
    }
  }
  return counts;
}

TEST(CountWords, AreThoseOfASerialCount) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const test::temporary_folder folder;
    const std::string text = drawn_lines(seed, 1 + static_cast<unsigned>(seed) * 700);
    folder.plant("text", text);
    for (const unit counts : {unit::words, unit::letters, unit::lines, unit::field})
      for (const bool fold : {false, true}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " unit " << int(counts) << " fold " << fold);
        word_query q{{folder / "text"}, {counts, fold, 2, ','}, true, {}};
        q.options.engine = seed % 3 == 0 ? engine::messages : engine::hybrid;
        std::uint64_t lacking = 0;
        const auto expected = serial(text, q.rule, lacking);
        std::vector<std::pair<std::string, std::uint64_t>> order(expected.begin(), expected.end());
        std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string rows = "first\n";
        for (const auto& [word, n] : order) rows += word + "=" + std::to_string(n) + "\n";
        const auto check = [&] {
          const word_counts found = count_words(q);
          EXPECT_EQ(found.size(), expected.size());
          EXPECT_EQ(found.skipped().rows, lacking);
          std::vector<std::pair<std::string, std::uint64_t>> all;
          found.for_each([&](std::string_view word, std::uint64_t n) { all.emplace_back(word, n); });
          EXPECT_EQ(all, order);
          EXPECT_EQ(found.top(5), std::vector(order.begin(), order.begin() + std::min<std::ptrdiff_t>(
                                                                                 5, std::ssize(order))));
          const scoped_per_process<word_format> format;
          on_all_processes([format = format.handle()] {
            format.here() = [](std::uint64_t, word_range words) {
              std::string some;
              words([&](std::string_view word, std::uint64_t n) {
                some += std::string(word) + "=" + std::to_string(n) + "\n";
              });
              return some;
            };
          });
          machine::output_file out(folder / "rows");
          found.write({&out, io::compression::none, "first\n", ""}, format.handle());
          out.commit();
        };
        job_options o;
        if (seed % 2 != 0) o.cores = 1 + static_cast<unsigned>(seed) % 4;
        if (seed % 2 == 0)
          o.simulate =
              simulation::options::parse("processes=3 cores=2 network=qdr seed=" + std::to_string(seed));
        run(o, check);
        std::ifstream file(folder / "rows", std::ios::binary);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), rows);
      }
  }
}

TEST(CountWords, SaysWhichLineLacksTheField) {
  const test::temporary_folder folder;
  folder.plant("text", "a,b\nc\nd,e\n");
  run({.cores = 2}, [&] {
    try {
      (void)count_words({{folder / "text"}, {unit::field, false, 2, ','}, false, {}});
      FAIL() << "expected an error";
    } catch (const error& e) {
      EXPECT_NE(std::string(e.what()).find("text:2: "), std::string::npos) << e.what();
    }
    EXPECT_THROW((void)count_words({}), error);
    EXPECT_THROW((void)count_words({{folder / "text"}, {unit::field, false, 0, ','}, false, {}}), error);
    EXPECT_THROW((void)count_words({{folder / "text"}, {unit::field, false, 1, '\n'}, false, {}}), error);
  });
}

}  // namespace
}  // namespace gossamer
