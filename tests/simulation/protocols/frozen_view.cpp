// Frozen views: what is read in place, on any core, is what was written before the array was frozen. The array
// is frozen many times, by any core, with its elements dealt out in any way.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/drawn_distribution.hpp"
#include "workloads.hpp"

namespace gossamer::test {
namespace {

std::uint64_t value_of(std::uint64_t round, std::uint64_t i) { return hash64(round, i) | 1; }

/// Writes all elements, or every `step`-th, in one of several ways; when it returns all are written.
void write(array<std::uint64_t> a, std::uint64_t round, std::uint64_t step, unsigned how) {
  const auto set = [a, round](std::uint64_t i) {
    a.async(i, [v = value_of(round, i)](std::uint64_t& x) { x = v; });
  };
  if (how == 0) {
    on_all_cores([a, step, set] {
      for (std::uint64_t i = here() * step; i < a.size(); i += step * cores()) set(i);
    });
  } else if (how == 1) {
    finish([&] {
      for (std::uint64_t i = 0; i < a.size(); i += step) set(i);
    });
  } else {
    on_core(cores() - 1, [a, step, round] {
      for (std::uint64_t i = 0; i < a.size(); i += step) a.write(i, value_of(round, i));
    });
  }
}

/// Checks all of the view on every core.
void look(const frozen<std::uint64_t>& view, std::uint64_t round, std::uint64_t before, std::uint64_t step) {
  on_all_cores([view, round, before, step] {
    draws d(hash64(round, here()));
    dawdle(d);
    for (std::uint64_t i = 0; i < view.size(); ++i) {
      const std::uint64_t v = value_of(i % step == 0 ? round : before, i);
      complain_unless(view[i] == v, "frozen view: element {} of {} on core {} is {}", i, view.size(), here(),
                      view[i] == value_of(before, i) ? "the one before" : "wrong");
    }
  });
}

void run(draws& d) {
  const std::uint64_t n = 1 + d.below(400);
  scoped_array<std::uint64_t> a(n, drawn_distribution(d, n));
  std::uint64_t before = d.next();
  write(a.handle(), before, 1, d.below(2));
  for (unsigned rounds = 1 + d.below(3); rounds > 0; --rounds) {
    const std::uint64_t round = d.next(), step = 1 + d.below(3);
    write(a.handle(), round, step, n < 60 ? d.below(3) : d.below(2));
    const core_id by = d.one_in(2) ? 0 : d.below(cores());
    look(on_core(by, [a = a.handle()] { return a.freeze(); }), round, before, step);
    if (d.one_in(4)) look(a.freeze(), round, before, step), a.thaw();
    on_core(by, [a = a.handle()] { a.thaw(); });
    before = round;
    if (step > 1) write(a.handle(), before, 1, 1);
  }
}

void check() {}

void prepare(job_options& o, draws& d) {
  constexpr shape k_shapes[] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}};
  give(o, d.of(k_shapes));
}

}  // namespace

const protocol frozen_view{"frozen_view", &prepare, &run, &check};

}  // namespace gossamer::test
