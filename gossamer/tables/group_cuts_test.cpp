// Chunks of text that begin inside of quotes: the answer of group_by() is that of the whole text, wherever it
// is divided.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/tables/group_by.hpp"
#include "support/seed_range.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

constexpr std::size_t k_chunk = 16 << 10;  // the smallest unit of a core

/// Returns whole rows of a key and a number, up to `bytes` bytes.
std::string rows_of(std::size_t bytes) {
  std::string rows;
  constexpr std::size_t k_row = 19, k_last = 4;
  while (rows.size() + k_row + k_last <= bytes) rows += "k,9007199254740993\n";
  rows += std::string(bytes - rows.size() - 3, 'x') + ",1\n";
  return rows;
}

struct answer {
  wide_integer sum = 0;
  std::uint64_t rows = 0, skipped = 0;
  bool all_integers = true;
};

answer sum_of(const std::string& path, bool skip_bad = false) {
  const grouped_rows groups = group_by({.paths = {path},
                                        .by = {"1"},
                                        .results = {{aggregate::sum, "2"}},
                                        .header = true,
                                        .skip_bad = skip_bad});
  answer all;
  groups.for_each({}, [&](std::span<const group_value> row) {
    all.sum += row[1].is == group_value::type::wide ? row[1].wide : row[1].integer;
    all.all_integers &= row[1].is == group_value::type::integer || row[1].is == group_value::type::wide;
  });
  all.rows = groups.statistics().records;
  all.skipped = groups.statistics().skipped;
  return all;
}

// A field with contents that would be malformed rows, rows with a decimal, and valid rows outside of quotes.
constexpr std::string_view k_field = "\"a\nb,1.5\nc,x\nd\n\"\"e\"\",7\n,,,\n\",5\n";

TEST(GroupCuts, AFieldOfManyLinesIsWholeWhereverTheTextIsCut) {
  const test::temporary_folder folder;
  for (const unsigned cores : {1U, 2U})
    run({.cores = cores}, [&] {
      for (std::size_t shift = 0; shift <= k_field.size(); ++shift) {
        const std::string head = "k,n\n";
        const std::string before = rows_of(k_chunk - head.size() - shift);
        const std::string path =
            folder.plant("t.csv", head + before + std::string(k_field) + rows_of(3 * k_chunk));
        const auto large = static_cast<std::uint64_t>(std::ranges::count(before, 'k') +
                                                      std::ranges::count(rows_of(3 * k_chunk), 'k'));
        const answer found = sum_of(path);
        EXPECT_TRUE(found.sum == wide_integer{large} * 9007199254740993 + 2 + 5) << cores << " " << shift;
        EXPECT_EQ(found.rows, large + 3) << shift;
        EXPECT_TRUE(found.all_integers) << shift;
        const answer skipping = sum_of(path, true);
        EXPECT_TRUE(skipping.sum == found.sum && skipping.skipped == 0) << shift;
      }
    });
}

TEST(GroupCuts, ChunksThatAreAllInsideOfOneField) {
  const test::temporary_folder folder;
  std::string inner;
  while (inner.size() < 5 * k_chunk) inner += "x,0.5\nnothing here\n";
  const std::string path =
      folder.plant("t.csv", "k,n\n" + rows_of(k_chunk) + "\"" + inner + "\",5\n" + rows_of(k_chunk));
  run({.cores = 3}, [&] {
    for (int round = 0; round < 30; ++round) {
      const answer found = sum_of(path);
      ASSERT_TRUE(found.all_integers);
      ASSERT_EQ(found.rows, 2 * static_cast<std::uint64_t>(std::ranges::count(rows_of(k_chunk), '\n')) + 1);
    }
  });
}

TEST(GroupCuts, AHeaderLongerThanAChunk) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("t.csv", "k,n,\"" + std::string(k_chunk + 100, 'a') +
                                                     "\n\"\nx,1,2\nx,5,6\n" + std::string(k_chunk, '\n'));
  run({.cores = 2}, [&] { EXPECT_TRUE(sum_of(path).sum == 6); });
}

// Random tables of several chunks, divided anywhere in their fields. GOSSAMER_SEEDS sets their number.
TEST(GroupCuts, RandomTablesAreGroupedAsTheyWereWritten) {
  const test::temporary_folder folder;
  struct group {
    std::int64_t sum = 0, rows = 0;
    std::string least;
    bool operator==(const group&) const = default;
  };
  const test::seed_range seeds(40);
  run({.cores = 2}, [&] {
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
      xoshiro256 random(seed);
      const std::uint64_t rare = 1 + bounded(random, 40), keys = 1 + bounded(random, 60);
      const std::size_t longest = bounded(random, 3) == 0 ? 3 * k_chunk : 60;
      std::map<std::string, group> expected;
      std::string table = "k,n,t\n";
      const auto field = [&](const std::string& meant) {
        if (bounded(random, 4) != 0 && meant.find_first_of(",\"\n\r") == meant.npos) return meant;
        std::string quoted = "\"";
        for (const char c : meant) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        return quoted + '"';
      };
      for (const std::size_t size = k_chunk + bounded(random, 4 * k_chunk); table.size() < size;) {
        const std::string key =
            "k" + std::to_string(bounded(random, keys)) + (bounded(random, 9) == 0 ? ",\n" : "");
        const auto n = static_cast<std::int64_t>(bounded(random, 2000)) - 1000;
        std::string text = "t";  // a column of texts, whatever comes later
        for (std::size_t left = bounded(random, bounded(random, 20) == 0 ? longest : 9); left > 0; --left)
          text += bounded(random, rare) != 0 ? 'x' : ",\n\"\r"[bounded(random, 4)];
        group& g = expected[key];
        g.sum += n;
        g.least = g.rows++ == 0 ? text : std::min(g.least, text);
        table += field(key) + "," + field(std::to_string(n)) + "," + field(text) +
                 (bounded(random, 5) == 0 ? "\r\n" : "\n");
      }
      std::map<std::string, group> found;
      group_by({.paths = {folder.plant("t.csv", table)},
                .by = {"k"},
                .results = {{aggregate::sum, "n"}, {aggregate::count, {}}, {aggregate::minimum, "t"}},
                .separator = ','})
          .for_each({}, [&](std::span<const group_value> row) {
            found[std::string(row[0].text)] = {row[1].integer, row[2].integer, std::string(row[3].text)};
          });
      ASSERT_TRUE(found == expected) << "seed " << seed;
    }
  });
}

TEST(GroupCuts, TheFirstBadRowIsRefusedWhicheverCoreMeetsOne) {
  const test::temporary_folder folder;
  std::string text = "k,n\n" + rows_of(4 * k_chunk);
  const auto line = std::ranges::count(text, '\n') + 1;
  text += "k,seven\n" + rows_of(4 * k_chunk) + "k\n" + rows_of(2 * k_chunk) + "k,\"8\n";
  const std::string path = folder.plant("t.csv", text);
  for (const unsigned cores : {1U, 2U, 3U})
    run({.cores = cores}, [&] {
      for (int round = 0; round < 10; ++round) try {
          sum_of(path);
          ADD_FAILURE() << "not refused";
        } catch (const error& e) {
          EXPECT_EQ(std::string(e.what()),
                    path + ":" + std::to_string(line) + ": expected a number in column n, found \"seven\"");
        }
    });
}

}  // namespace
}  // namespace gossamer
