#include "gossamer/graph/ingest/internal/merge_names.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>

#include "gossamer/base/random.hpp"
#include "support/edge_files.hpp"

namespace gossamer::test {
namespace {

using graph::name_dictionary;
using graph::vertex_id;

// Returns names of many lengths, some with common prefixes or suffixes, or different in one byte.
std::string some_name(xoshiro256& random, std::uint64_t names) {
  const std::string number = std::to_string(bounded(random, names));
  switch (number.back() % 4) {
    case 0:
      return number;
    case 1:
      return "v" + number;
    case 2:
      return "a-longer-name-" + number;
    default:
      return number + std::string(number.size() % 3 + 6, 'x');
  }
}

TEST(NameDictionary, NumbersNamesAsTheyCome) {
  xoshiro256 random(11);
  name_dictionary names;
  std::map<std::string, vertex_id> expected;
  std::vector<std::string> by_number;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const std::string name = some_name(random, 50'000);
    const auto [at, is_new] = expected.try_emplace(name, static_cast<vertex_id>(by_number.size()));
    if (is_new) by_number.push_back(name);
    ASSERT_EQ(names.number(name, i), at->second) << name;
    if (is_new) {
      ASSERT_EQ(names.position(at->second), i);
    }
  }
  ASSERT_EQ(names.size(), by_number.size());
  for (std::uint64_t n = 0; n < names.size(); ++n) ASSERT_EQ(names.name(n), by_number[n]);
}

TEST(NameDictionary, TellsNamesApartThatDifferByAZeroByte) {
  name_dictionary names;
  EXPECT_EQ(names.number("a", 0), 0U);
  EXPECT_EQ(names.number(std::string_view("a\0", 2), 1), graph::k_no_vertex);
  EXPECT_EQ(names.number("", 2), 1U);
  EXPECT_EQ(names.number(std::string_view("\0", 1), 3), graph::k_no_vertex);
  EXPECT_EQ(names.size(), 2U);
}

TEST(NameDictionary, GivesEachNameOnceByRangesOfHashes) {
  for (const std::uint64_t count : {0, 1, 100, 170, 3000}) {
    name_dictionary names;
    for (std::uint64_t i = 0; i < count; ++i) names.number("n" + std::to_string(i), i);
    for (const unsigned bits : {0U, 1U, 3U, 12U}) {
      std::vector<unsigned> times(count);
      for (std::uint64_t chunk = 0; chunk < std::uint64_t{1} << bits; ++chunk)
        names.for_each_of(chunk, bits, [&](std::uint64_t hash, vertex_id number, std::uint32_t) {
          ++times[number];
          EXPECT_EQ(bits == 0 ? 0 : hash >> (64 - bits), chunk);
        });
      EXPECT_EQ(times, std::vector<unsigned>(count, 1)) << count << " names, " << bits << " bits";
    }
  }
}

TEST(HashName, OfShortNamesIsTheirBytes) {
  const std::string text = "abcdefghijklmnop";
  for (std::size_t size = 0; size <= graph::k_short_name; ++size) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < size; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    EXPECT_EQ(graph::short_word(text.data(), size), word);
    EXPECT_EQ(graph::hash_name({text.data(), size}), hash64(word));
  }
  EXPECT_NE(graph::hash_name("abcdefghi"), graph::hash_name("abcdefghj"));
}

// Cores take chunks of a text dynamically: the positions of each core ascend, and those of different cores
// interleave.
TEST(MergeNames, NumbersInOrderOfFirstAppearance) {
  for (const std::size_t many : {1U, 2U, 5U}) {
    for (const std::uint64_t count : {0, 1, 20, 60'000}) {
      xoshiro256 random(count + many);
      std::deque<name_dictionary> dictionaries(many);
      std::map<std::string, vertex_id> expected;
      std::vector<std::string> by_vertex;
      std::vector<std::uint64_t> positions;
      std::size_t one = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        if (bounded(random, 100) == 0) one = bounded(random, many);
        const std::string name = some_name(random, count);
        if (expected.try_emplace(name, static_cast<vertex_id>(by_vertex.size())).second) {
          by_vertex.push_back(name);
          positions.push_back(10 * i);
        }
        dictionaries[one].number(name, 10 * i);
      }
      std::vector<const name_dictionary*> all;
      for (const auto& d : dictionaries) all.push_back(&d);
      for (const unsigned cores : {1U, 3U}) {
        on_cores(cores, [&] {
          const graph::merged_names merged = graph::merge_names(all, true);
          ASSERT_EQ(merged.names.size(), by_vertex.size());
          EXPECT_EQ(merged.positions, positions);
          for (vertex_id v = 0; v < by_vertex.size(); ++v) ASSERT_EQ(merged.names.text(v), by_vertex[v]);
          for (std::size_t p = 0; p < many; ++p)
            for (std::uint64_t n = 0; n < all[p]->size(); ++n)
              ASSERT_EQ(merged.as_numbered ? n : merged.vertices_of(p)[n],
                        expected[std::string(all[p]->name(n))]);
        });
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::test
