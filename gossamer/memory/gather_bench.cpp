// Index gather: every core reads random cells of a table that is spread over the cores, given their indices.
// Questions are aggregated on the way there and answers on the way back; no fiber waits for a single one.

#include "gossamer/memory/gather.hpp"

#include "gossamer/base/random.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

struct basket {
  std::vector<std::uint64_t> at, answers;
};

void choose(basket& mine, std::uint64_t cells, std::uint64_t reads, std::uint64_t salt) {
  const index_block own = my_block(reads);
  mine.at.clear();
  for (std::uint64_t i = own.begin; i < own.end; ++i)
    mine.at.push_back(update_cell(update_value(salt, i), cells));
  mine.answers.assign(mine.at.size(), 0);
}

bool right_answers(const basket& mine) {
  bool right = true;
  for (std::size_t k = 0; k < mine.at.size(); ++k) right &= mine.answers[k] == hash64(mine.at[k]);
  return right;
}

row gather_from(const settings& s, std::uint64_t bytes) {
  const std::uint64_t reads = table_operations(s);
  const scoped_array<std::uint64_t> owner(bytes / 8);
  const array<std::uint64_t> table = owner.handle();
  forall(table, [](std::uint64_t i, std::uint64_t& cell) { cell = hash64(i); });
  const scoped_per_core<basket> baskets;
  const scoped_per_core<int> wrong;
  std::uint64_t salt = 0;
  const samples rates = repeat(s, [&] {
    on_all_cores([table, reads, salt = ++salt, all = baskets.handle()] {
      choose(all.here(), table.size(), reads, salt);
    });
    const double rate = rate_on_all_cores(reads, [table, all = baskets.handle()] {
      basket& mine = all.here();
      gossamer::gather<std::uint64_t>(table, mine.at, mine.answers);
    });
    on_all_cores([all = baskets.handle(), wrong = wrong.handle()] {
      if (!right_answers(all.here())) ++wrong.here();
    });
    return rate;
  });
  const bool right = wrong.fold(0, [](int a, int b) { return a + b; }) == 0;
  return checked(row_of("gather", table_case(bytes, cores()), "M/s", rates), right);
}

}  // namespace

void gather(const settings& s, const report& out) {
  for (const std::uint64_t bytes : table_sizes(s)) {
    double first = k_none;
    for (const unsigned n : core_counts(s)) {
      if (!out.room_for(bytes + 8 * table_operations(s), "gather", table_case(bytes, n))) continue;
      row r;
      run(core_job(n), [&] { r = gather_from(s, bytes); });
      r = within(r, std::isfinite(first) ? first / 2 : 45);  // more cores than processors: half of two cores'
      if (!std::isfinite(first)) first = r.value;
      out.add(r);
    }
  }
}

}  // namespace gossamer::bench
