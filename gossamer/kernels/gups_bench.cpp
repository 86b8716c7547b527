// Updates: random 8-byte additions to a table that is spread over the cores, shipped to their owners and
// counted by the loop's completion. The table is checked by a sum in which each cell has
// its own weight. It shows updates that were lost, doubled or applied to a wrong cell.

#include "gossamer/base/random.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

/// Local processors: the target is higher for the table that fits the cache.
constexpr double k_local_line_ns = 90;

double times_atomics(std::uint64_t bytes, double line_ns) {
  return bytes <= 32 << 20 && line_ns < k_local_line_ns ? 1.2 : 0.9;
}

std::uint64_t weighted_sum(array<std::uint64_t> table) {
  scoped_per_core<std::uint64_t> sums;
  on_all_cores([table, sums = sums.handle()] {
    std::uint64_t sum = 0, weight = 2 * table.local_begin() + 1;
    for (const std::uint64_t cell : table.local()) sum += cell * weight, weight += 2;
    sums.here() = sum;
  });
  return sums.fold(std::uint64_t{0}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

row update(const settings& s, std::uint64_t bytes) {
  const std::uint64_t updates = table_operations(s);
  const scoped_array<std::uint64_t> owner(bytes / 8);
  const array<std::uint64_t> table = owner.handle();
  std::uint64_t seed = 0;
  const samples rates = repeat(s, [&] {
    return rate_on_all_cores(updates, [table, updates, salt = seed++] {
      const index_block mine = my_block(updates);
      for (std::uint64_t i = mine.begin; i < mine.end; ++i) {
        const std::uint64_t r = update_value(salt, i);
        table.async(update_cell(r, table.size()), [r](std::uint64_t& cell) { cell += r; });
      }
    });
  });
  const bool right = weighted_sum(table) == expected_sum(seed, updates, table.size());
  return checked(row_of("gups", table_case(bytes, cores()), "M/s", rates), right);
}

}  // namespace

void gups(const settings& s, const report& out) {
  const row line = line_transfer(s, "gups");
  out.add(line);
  for (const std::uint64_t bytes : table_sizes(s)) {
    double first = k_none;
    for (const unsigned n : core_counts(s)) {
      if (!out.room_for(bytes, "gups", table_case(bytes, n))) continue;
      row r;
      run(core_job(n), [&] { r = update(s, bytes); });
      // With more cores than processors at least half of what two cores reach.
      r = std::isfinite(first) ? within(r, first / 2) : within_peer(r, times_atomics(bytes, line.value));
      if (!std::isfinite(first)) first = r.value;
      out.add(r);
    }
  }
}

}  // namespace gossamer::bench
