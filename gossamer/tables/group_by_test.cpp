// The API of group_by(). Its answers are compared with Python's in tests/cli/group_test.py.
#include "gossamer/tables/group_by.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/job.hpp"
#include "gossamer/tables/internal/group_key.hpp"
#include "gossamer/tables/internal/row_combiner.hpp"
#include "support/temporary_folder.hpp"

namespace gossamer {
namespace {

TEST(GroupBy, GivesKeysAndResultsInOrder) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("table.csv", "country,amount\nDE,5\nFR,-1\nDE,7\nFR,\n");
  for (const unsigned cores : {1U, 2U, 3U})
    run({.cores = cores}, [&] {
      const grouped_rows groups = group_by(
          {.paths = {path}, .by = {"country"}, .results = {{aggregate::sum, "amount"}, {aggregate::count}}});
      EXPECT_EQ(groups.columns(), (std::vector<std::string>{"country", "sum_amount", "count"}));
      EXPECT_EQ(groups.size(), 2U);
      std::vector<std::string> rows;
      groups.for_each({}, [&](std::span<const group_value> row) {
        rows.push_back(std::string(row[0].text) + std::to_string(row[1].integer) + "," +
                       std::to_string(row[2].integer));
      });
      EXPECT_EQ(rows, (std::vector<std::string>{"DE12,2", "FR-1,2"}));
      rows.clear();
      groups.first(1, {1, false}, [&](std::span<const group_value> row) { rows.emplace_back(row[0].text); });
      EXPECT_EQ(rows, std::vector<std::string>{"FR"});
      EXPECT_THROW(groups.for_each({3, false}, [](std::span<const group_value>) {}), error);
    });
}

TEST(GroupBy, RefusesWhatCannotBeAsked) {
  const test::temporary_folder folder;
  const std::string path = folder.plant("table.csv", "a,b\n1,2\n");
  run({.cores = 1}, [&] {
    EXPECT_THROW(group_by({.paths = {}, .by = {"a"}}), error);
    EXPECT_THROW(group_by({.paths = {path}, .by = {}}), error);
    EXPECT_THROW(group_by({.paths = {path}, .by = std::vector<std::string>(9, "a")}), error);
    EXPECT_THROW(group_by({.paths = {path}, .by = {"c"}, .header = true}), error);
    for (const char separator : {'"', '\n', '\r'})
      EXPECT_THROW(group_by({.paths = {path}, .by = {"1"}, .separator = separator}), error);
  });
}

TEST(GroupPlan, KeysOfSeveralColumnsAreTakenApart) {
  constexpr std::uint64_t k_seed = 7;
  std::mt19937_64 draw(k_seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> fields(1 + draw() % 5);
    for (std::string& f : fields) f.assign(draw() % (round % 3 == 0 ? 40000 : 20), static_cast<char>(draw()));
    std::string key;
    for (std::size_t k = 0; k < fields.size(); ++k)
      tables::append_key_field(key, fields[k], k + 1 == fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k)
      ASSERT_EQ(tables::key_field(key, k, fields.size()), fields[k])
          << "seed " << k_seed << ", round " << round;
  }
}

TEST(GroupPlan, SumsOfDoublesDoNotDependOnTheirOrder) {
  constexpr std::uint64_t k_seed = 11;
  std::mt19937_64 draw(k_seed);
  tables::group_plan plan;
  plan.inputs = 1;
  plan.of[0].known = tables::group_plan::k_reals;
  plan.of[0].sums = true;
  plan.lay_out();
  const tables::row_combiner how(plan);
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i)
    numbers.push_back(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(draw())), static_cast<int>(draw() % 60)));
  std::map<double, int> sums;
  for (int round = 0; round < 50; ++round) {
    std::shuffle(numbers.begin(), numbers.end(), draw);
    std::array<std::uint64_t, tables::group_plan::k_most_words> all, one;
    how.neutral(all.data());
    for (const double n : numbers) {
      how.neutral(one.data());
      one[plan.of[0].reals.sum] = std::bit_cast<std::uint64_t>(n);
      how.combine(all.data(), one.data());
    }
    ++sums[std::bit_cast<double>(all[plan.of[0].reals.sum])];
  }
  EXPECT_EQ(sums.size(), 1U) << "seed " << k_seed;
}

}  // namespace
}  // namespace gossamer
