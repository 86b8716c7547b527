// Index gather: every core asks for random cells of a table that is spread over the cores; each answer lands
// in a place of its own. Questions are aggregated on the way there and answers on the way back; no fiber
// waits for a single one.

#include "gossamer/base/random.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

using message::dispatch;

struct basket {
  std::vector<std::uint64_t> answers;
  std::uint64_t missing = 0;
  fiber::fiber* owner = nullptr;
};

struct answer {
  basket* home;
  std::uint64_t place;
  std::uint64_t value;
  const void* target() const { return &home->answers[place]; }
  void operator()(const dispatch& d) const {
    home->answers[place] = value;
    if (--home->missing == 0) d.self.wake(*home->owner);
  }
};

struct question {
  basket* home;
  std::uint64_t place;
  const std::uint64_t* cell;
  const void* target() const { return cell; }
  void operator()(const dispatch& d) const { d.self.reply(d.source, answer{home, place, *cell}); }
};

/// This core's share, its own cells in place; suspends until all answers are there.
void ask(array<std::uint64_t> table, basket& mine, std::uint64_t reads, std::uint64_t salt) {
  auto& self = message::endpoint::here();
  const part share = my_share(reads);
  mine.answers.resize(share.end - share.begin);
  mine.missing = 1;  // this loop
  mine.owner = self.running();
  for (std::uint64_t i = share.begin; i < share.end; ++i) {
    const auto cell = table.pointer(update_cell(update_value(salt, i), table.size()));
    const std::uint64_t place = i - share.begin;
    if (cell.owner() == here()) {
      mine.answers[place] = *cell.address();
    } else {
      ++mine.missing;
      self.issue_call(cell.owner(), question{&mine, place, cell.address()}, sizeof(answer));
    }
  }
  self.flush();
  if (--mine.missing > 0) self.suspend("answers");
}

bool right_answers(const basket& mine, std::uint64_t cells, std::uint64_t reads, std::uint64_t salt) {
  const part share = my_share(reads);
  bool right = true;
  for (std::uint64_t i = share.begin; i < share.end; ++i)
    right &= mine.answers[i - share.begin] == hash64(update_cell(update_value(salt, i), cells));
  return right;
}

row gather_from(const settings& s, std::uint64_t bytes) {
  const std::uint64_t reads = table_operations(s);
  const scoped_array<std::uint64_t> owner(bytes / 8);
  const array<std::uint64_t> table = owner.handle();
  forall(table, [](std::uint64_t i, std::uint64_t& cell) { cell = hash64(i); });
  const scoped_per_core<basket> baskets;
  std::uint64_t salt = 0;
  const samples rates = repeat(s, [&] {
    ++salt;
    return rate_on_all_cores(
        reads, [table, reads, salt, all = baskets.handle()] { ask(table, all.here(), reads, salt); });
  });
  const scoped_per_core<int> wrong;
  on_all_cores([table, reads, salt, all = baskets.handle(), wrong = wrong.handle()] {
    if (!right_answers(all.here(), table.size(), reads, salt)) ++wrong.here();
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
