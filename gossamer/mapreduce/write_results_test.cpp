// Results as text that all cores write, against the pairs in order of one core: texts and numbers as keys, equal values, empty
// results, fewer pairs than cores, pipes and compressed files, processes of a simulated cluster; groups in every order.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/io/decompress.hpp"
#include "gossamer/io/words.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/mapreduce/map_reduce.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/tables/group_by.hpp"
#include "support/sanitizers.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Draws words whose first bytes are often equal, with zeros among them, around the 15 bytes that fit a slot.
std::string words_with_ties(std::uint64_t seed, std::uint64_t words) {
  xoshiro256 draw(seed);
  std::string text;
  for (std::uint64_t i = 0; i < words; ++i) {
    text += std::string("commonly", draw() % 9) + std::string(draw() % 4, '\0');
    text += std::to_string(draw() % 5000) + std::string(draw() % 10, 'y') + " ";
  }
  return text;
}

/// Formats a pair with its rank.
struct ranked_line {
  template <class Each>
  std::string operator()(std::uint64_t rank, Each each) const {
    std::string text;
    each([&](const auto& key, std::uint64_t n) {
      text += std::to_string(rank++) + "," + fmt::format("{}", key) + "," + std::to_string(n) + "\n";
    });
    return text;
  }
};

template <class Pairs, class Order>
void expect_written_in_order(const Pairs& pairs, Order before, const std::string& path) {
  std::string expected = "before\n";
  std::uint64_t rank = 0;
  pairs.for_each_sorted(before, [&](const auto& key, std::uint64_t n) {
    expected += std::to_string(rank++) + "," + fmt::format("{}", key) + "," + std::to_string(n) + "\n";
  });
  expected += "after\n";
  const io::compression how = io::compression_for(path);
  {
    machine::output_file file(path);
    pairs.write_sorted(before, {&file, how, "before\n", "after\n"}, ranked_line());
    file.commit();
  }
  if (how == io::compression::none) {
    EXPECT_TRUE(text_of_file(path) == expected);
    return;
  }
  const machine::mapped_file file(path);
  const auto source = io::make_decompressor(how, file.bytes(), path);
  std::string text(expected.size() + 1, '\0');
  std::size_t size = 0;
  while (const std::size_t n = source->read(std::span(text).subspan(size))) size += n;
  text.resize(size);
  EXPECT_TRUE(text == expected);
}

key_values<std::string_view, std::uint64_t> counts_of(const std::string& path, map_reduce_options o = {}) {
  return map_reduce<std::string_view, std::uint64_t>(
      text_input({path}),
      [](std::string_view text, auto& out) {
        io::for_each_word(text, [&](std::string_view word) { out.emit(word, 1); });
      },
      std::plus<>{}, std::move(o));
}

/// An order without codes, and without a default constructor.
struct shorter_first {
  explicit shorter_first(std::size_t most) : different(most) {}
  template <class Slot>
  bool operator()(const Slot& a, const Slot& b) const {
    const auto x = a.key.text(), y = b.key.text();
    const std::size_t n = std::min(different, x.size()), m = std::min(different, y.size());
    return n != m ? n < m : x < y;
  }
  std::size_t different;
};

TEST(WriteResults, TextsAreWrittenInOrder) {
  constexpr std::uint64_t k_seed = 5;
  const test::temporary_folder folder;
  folder.plant("words", words_with_ties(k_seed, 30'000));
  SCOPED_TRACE(testing::Message() << "seed " << k_seed);
  for (const unsigned cores : {1U, 2U, 5U})
    run({.cores = cores}, [&] {
      const auto counts = counts_of(folder / "words");
      EXPECT_GT(counts.size(), 20'000U);  // several buckets
      expect_written_in_order(counts, by_value{}, folder / "out.txt");
      expect_written_in_order(counts, by_key{}, folder / "out.gz");
      expect_written_in_order(counts, by_key{}, folder / "out.zst");
      expect_written_in_order(counts, shorter_first(9), folder / "out.txt");
    });
}

TEST(WriteResults, NumbersAreWrittenInOrder) {
  const test::temporary_folder folder;
  run({.cores = 3}, [&] {
    const auto pairs =
        map_reduce<std::int64_t, std::uint64_t>(count_input(60'000, 512), [](std::uint64_t i, auto& out) {
          out.emit(static_cast<std::int64_t>(hash64(i) % 40'000) - 20'000, i % 3);
        });
    expect_written_in_order(pairs, by_key{}, folder / "out");
    expect_written_in_order(pairs, by_value{}, folder / "out");
  });
}

TEST(WriteResults, FewPairsAndNone) {
  const test::temporary_folder folder;
  folder.plant("three", "a b c a");
  folder.plant("empty", "");
  for (const unsigned cores : {1U, 8U})
    run({.cores = cores}, [&] {
      expect_written_in_order(counts_of(folder / "three"), by_value{}, folder / "out");
      expect_written_in_order(counts_of(folder / "empty"), by_value{}, folder / "out");
      expect_written_in_order(counts_of(folder / "empty"), by_value{}, folder / "out.gz");
    });
}

TEST(WriteResults, PairsOfScratchFilesAndOfMessages) {
  const test::temporary_folder folder;
  folder.plant("words", words_with_ties(6, 40'000));
  run({.cores = 2}, [&] {
    map_reduce_options bounded;
    bounded.memory_bytes = 600 << 10;
    bounded.scratch = folder.path();
    const auto counts = counts_of(folder / "words", bounded);
    EXPECT_TRUE(counts.is_stored());
    expect_written_in_order(counts, by_value{}, folder / "out");
    map_reduce_options messages;
    messages.engine = engine::messages;
    expect_written_in_order(counts_of(folder / "words", messages), by_value{}, folder / "out");
  });
}

class WriteResultsOfProcesses : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Clusters, WriteResultsOfProcesses,
                         ::testing::Values("processes=2 cores=2 seed=1", "processes=5 cores=1 seed=2",
                                           "processes=3 cores=2 network=qdr faults=all seed=3"));

TEST_P(WriteResultsOfProcesses, AreThoseOfOne) {
  if (test::k_thread_sanitizer) GTEST_SKIP();
  const test::temporary_folder folder;
  folder.plant("words", words_with_ties(7, 20'000));
  folder.plant("three", "a b c a");
  folder.plant("empty", "");
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [&] {
    for (const char* name : {"words", "three", "empty"}) {
      const auto counts = counts_of(folder / name);
      expect_written_in_order(counts, by_value{}, folder / "out");
      expect_written_in_order(counts, by_key{}, folder / "out.zst");
    }
  });
}

/// Writes the values of a group, separated by commas.
std::string group_line(std::span<const group_value> row) {
  std::string line;
  for (const group_value& v : row) {
    if (v.is == group_value::type::text) line += v.text;
    if (v.is == group_value::type::integer) line += std::to_string(v.integer);
    if (v.is == group_value::type::real) line += fmt::format("{}", v.real);
    line += ",";
  }
  return line + "\n";
}

void expect_groups_in_order(const grouped_rows& groups, grouped_rows::order by, const std::string& path) {
  std::string expected;
  groups.for_each(by, [&](std::span<const group_value> row) { expected += group_line(row); });
  const scoped_per_process<group_format> format;
  on_all_processes([format = format.handle()] {
    format.here() = [](std::uint64_t, group_range range) {
      std::string text;
      range([&](std::span<const group_value> row) { text += group_line(row); });
      return text;
    };
  });
  machine::output_file file(path);
  groups.write(by, {&file}, format.handle());
  file.commit();
  EXPECT_TRUE(text_of_file(path) == expected)
      << "column " << by.column << ", descending " << by.descending;  // a difference costs its square
}

/// A table of texts and numbers in many notations: zeros of both signs, infinities, none at all.
std::string table_with_ties(std::uint64_t seed, std::size_t rows) {
  constexpr const char* k_numbers[] = {"",    "nan", "inf",  "-inf",  "0", "-0",
                                       "0.0", "1e3", "1000", "-7.25", "7"};
  xoshiro256 draw(seed);
  std::string text = "name,number,amount,price\n";
  for (std::size_t i = 0; i < rows; ++i)
    text += fmt::format("{}{},{},{},{}\n", std::string(draw() % 12, 'n'), draw() % 40,
                        draw() % 2 == 0 ? std::to_string(static_cast<int>(draw() % 2000) - 1000)
                                        : "0" + std::to_string(draw() % 900),
                        static_cast<int>(draw() % 9) - 4, k_numbers[draw() % std::size(k_numbers)]);
  return text;
}

TEST(WriteResults, GroupsAreWrittenInEveryOrder) {
  constexpr std::uint64_t k_seed = 8;
  SCOPED_TRACE(testing::Message() << "seed " << k_seed);
  const test::temporary_folder folder;
  folder.plant("t.csv", table_with_ties(k_seed, 12'000));
  const std::vector<group_result> results{{aggregate::count},
                                          {aggregate::sum, "amount"},
                                          {aggregate::maximum, "price"},
                                          {aggregate::mean, "price"}};
  for (const auto& by :
       {std::vector<std::string>{"name"}, {"number"}, {"name", "number"}, {"number", "name"}})
    run({.cores = 3}, [&] {
      const grouped_rows groups = group_by({.paths = {folder / "t.csv"}, .by = by, .results = results});
      for (std::size_t column = 0; column < groups.columns().size(); ++column)
        for (const bool descending : {false, true})
          expect_groups_in_order(groups, {column, descending}, folder / "out");
      machine::output_file file(folder / "none");
      EXPECT_THROW(groups.write({99, false}, {&file}, {}), error);
    });
}

TEST_P(WriteResultsOfProcesses, GroupsAreThoseOfOne) {
  if (test::k_thread_sanitizer) GTEST_SKIP();
  const test::temporary_folder folder;
  folder.plant("t.csv", table_with_ties(9, 6'000));
  job_options o;
  o.simulate = simulation::options::parse(GetParam());
  run(o, [&] {
    const grouped_rows groups = group_by({.paths = {folder / "t.csv"},
                                          .by = {"number", "name"},
                                          .results = {{aggregate::sum, "price"}, {aggregate::count}}});
    for (const std::size_t column : {0U, 1U, 2U, 3U})
      expect_groups_in_order(groups, {column, column > 1}, folder / "out");
  });
}

}  // namespace
}  // namespace gossamer
