#include "gossamer/kernels/gups.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "gossamer/base/random.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/memory/gather.hpp"
#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::kernels {

namespace {

constexpr std::uint64_t k_round = std::uint64_t{1} << 26;  // operations between calls of the progress hook
constexpr std::uint64_t k_read_batch = std::uint64_t{1} << 20;  // reads of a core at once

// What a simulation charges for an update and for a read, beyond their messages
// (docs/performance/simulation.md).
constexpr std::uint64_t k_update_ns = 1, k_read_ns = 12;
constexpr std::uint64_t k_grain = 1024;  // updates between two calls of charge_work()

/// The random numbers of a run. Any core can compute the i-th.
struct stream {
  std::uint64_t salt;
  std::uint64_t cells;

  explicit stream(const table_work& w) : salt(hash64(w.seed)), cells(w.cells()) {}
  std::uint64_t number(std::uint64_t i) const { return hash64(salt ^ i); }
  /// Returns a cell, evenly distributed, from the high bits of a number.
  std::uint64_t cell(std::uint64_t number) const {
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>(wide{number} * cells >> 64);
  }
};

/// The block [begin, end) of this core in [from, to).
struct core_block {
  std::uint64_t begin, end;
  core_block(std::uint64_t from, std::uint64_t to)
      : begin(from + (to - from) * here() / cores()), end(from + (to - from) * (here() + 1) / cores()) {}
};

/// Calls round(from, to) for all of the work, in rounds. Returns the sum of the seconds that they return.
template <class Round>
double in_rounds(std::uint64_t operations, std::uint64_t most, const table_progress& progress, Round round) {
  double seconds = 0;
  for (std::uint64_t from = 0; from < operations; from += most) {
    seconds += round(from, std::min(operations, from + most));
    if (progress) progress(std::min(operations, from + most), operations);
  }
  return seconds;
}

double update(array<std::uint64_t> table, stream s, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t start = machine::now_ns();
  on_all_cores([table, s, from, to] {
    const core_block mine(from, to);
    for (std::uint64_t i = mine.begin; i < mine.end;) {
      const std::uint64_t end = std::min(mine.end, i + k_grain);
      charge_work((end - i) * k_update_ns);
      for (; i < end; ++i) {
        const std::uint64_t r = s.number(i);
        table.async(s.cell(r), [r](std::uint64_t& cell) { cell ^= r; });
      }
    }
  });
  return machine::seconds_since(start);
}

/// Rotates the value by a number of bits that depends on the cell. The xor of all cells, rotated, shows an
/// update that was lost, doubled or applied to a wrong cell.
std::uint64_t rotated(std::uint64_t value, std::uint64_t cell) {
  return std::rotl(value, static_cast<int>(hash64(cell) >> 58));
}

/// Returns whether the xor of all rotated cells equals that of the updates, computed serially.
bool right_sum(array<std::uint64_t> table, const stream& s, std::uint64_t operations) {
  const scoped_per_core<std::uint64_t> parts;
  on_all_cores([table, parts = parts.handle()] {
    std::uint64_t sum = 0, cell = table.local_begin();
    for (const std::uint64_t value : table.local()) sum ^= rotated(value, cell++);
    parts.here() = sum;
  });
  std::uint64_t found = 0, expected = 0;
  for (const std::uint64_t part : collect(parts, [](std::uint64_t& x) { return x; })) found ^= part;
  for (std::uint64_t i = 0; i < operations; ++i) expected ^= rotated(s.number(i), s.cell(s.number(i)));
  return found == expected;
}

std::uint64_t count_nonzero_cells(array<std::uint64_t> table) {
  std::uint64_t sum = 0;
  const scoped_per_core<std::uint64_t> parts;
  on_all_cores([table, parts = parts.handle()] {
    const auto mine = table.local();
    parts.here() = mine.size() - static_cast<std::uint64_t>(std::ranges::count(mine, 0));
  });
  for (const std::uint64_t part : collect(parts, [](std::uint64_t& x) { return x; })) sum += part;
  return sum;
}

/// Touches every page before the clock starts.
void touch(array<std::uint64_t> table) {
  on_all_cores([table] { std::ranges::fill(table.local(), 0); });
}

// --- reads --------------------------------------------------------------------------------------

struct read_batch {
  std::vector<std::uint64_t> at, answers;

  void choose(const stream& s, std::uint64_t from, std::uint64_t to) {
    const core_block mine(from, to);
    at.clear();
    for (std::uint64_t i = mine.begin; i < mine.end; ++i) at.push_back(s.cell(s.number(i)));
    answers.assign(at.size(), 0);
  }
};

std::uint64_t contents(std::uint64_t cell) { return hash64(~cell); }

double read(array<std::uint64_t> table, stream s, per_core<read_batch> batches, std::uint64_t from,
            std::uint64_t to) {
  on_all_cores([=] { batches.here().choose(s, from, to); });
  const std::uint64_t start = machine::now_ns();
  on_all_cores([=] {
    read_batch& mine = batches.here();
    charge_work(mine.at.size() * k_read_ns);
    gossamer::gather<std::uint64_t>(table, mine.at, mine.answers);
  });
  return machine::seconds_since(start);
}

std::uint64_t wrong_answers(per_core<read_batch> batches) {
  std::uint64_t sum = 0;
  for (const std::uint64_t part : collect(batches, [](read_batch& b) {
         std::uint64_t wrong = 0;
         for (std::size_t k = 0; k < b.at.size(); ++k) wrong += b.answers[k] != contents(b.at[k]);
         return wrong;
       }))
    sum += part;
  return sum;
}

}  // namespace

table_result random_updates(const table_work& work, const table_progress& progress) {
  const scoped_array<std::uint64_t> owner(work.cells());
  const array<std::uint64_t> table = owner.handle();
  const stream s(work);
  touch(table);
  table_result r{.operations = work.count()};
  const auto round = [&](std::uint64_t from, std::uint64_t to) { return update(table, s, from, to); };
  r.seconds = in_rounds(r.operations, k_round, progress, round);
  if (!work.verify) return r;
  const bool right = right_sum(table, s, r.operations);
  (void)in_rounds(r.operations, k_round, {}, round);
  r.verified = count_of_wrong(std::max<std::uint64_t>(count_nonzero_cells(table), right ? 0 : 1), "cell is",
                              "cells are");
  return r;
}

table_result random_reads(const table_work& work, const table_progress& progress) {
  const scoped_array<std::uint64_t> owner(work.cells());
  const array<std::uint64_t> table = owner.handle();
  const stream s(work);
  forall(table, [](std::uint64_t i, std::uint64_t& cell) { cell = contents(i); });
  const scoped_per_core<read_batch> batches;
  table_result r{.operations = work.count()};
  std::uint64_t wrong = 0;
  r.seconds =
      in_rounds(r.operations, k_read_batch * cores(), progress, [&](std::uint64_t from, std::uint64_t to) {
        const double seconds = read(table, s, batches.handle(), from, to);
        if (work.verify) wrong += wrong_answers(batches.handle());
        return seconds;
      });
  r.verified = count_of_wrong(wrong, "answer is", "answers are");
  return r;
}

}  // namespace gossamer::kernels
