// Sorting: arrays of integers on one core and on two, compared with std::sort and the sort of one core
// (sort_keys) on one thread, on the same input in the same run. Wall time, and total processor time of all
// cores.

#include "gossamer/sort/sort.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/sort/key_sort.hpp"
#include "micro/benches.hpp"
#include "micro/cases.hpp"
#include "micro/cores.hpp"

namespace gossamer::bench {
namespace {

struct times {
  samples wall, processor;
};

/// Calls fill() and then sort_it(), as often as the settings say, and measures the latter.
template <class Fill, class Sort>
times repeat_sort(const settings& s, Fill fill, Sort sort_it) {
  times t;
  for (unsigned r = 0; r <= s.repeats; ++r) {
    fill();
    const double processor = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = wall_ns_of(sort_it);
    if (r == 0) continue;  // warms up
    t.wall.push_back(wall / 1e6);
    t.processor.push_back((clock_ns(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1e6);
  }
  return t;
}

template <class T>
bool is_right(std::span<const T> sorted, const sort_input& how) {
  return sorted_right(sorted.data(), sorted.size(), how);
}

void add_rows(const report& out, const std::string& name, const times& t, bool right, double budget) {
  out.add(checked(within(row_of("sort", name, "ms", t.wall), budget), right));
  out.add(checked(row_of("sort", name + ", processor time", "ms", t.processor), right));
}

template <class T>
void sort_on_cores(const settings& s, const report& out, std::uint64_t n, const sort_input& how,
                   unsigned cores_used) {
  times t;
  bool right = true;
  run(core_job(cores_used), [&] {
    const scoped_array<T> owned(n);
    const array<T> a = owned.handle();
    const auto fill = [a, at = how.at] {
      forall(a, [at](std::uint64_t i, T& e) { e = static_cast<T>(at(i)); });
    };
    t = repeat_sort(s, fill, [a] { sort(a); });
    const frozen<T> view = a.freeze();
    right = is_right(std::span<const T>(view.data(), view.size()), how);
    a.thaw();
  });
  const bool budgeted =
      !s.quick && sizeof(T) == 8 && n == 8 << 20 && cores_used == 2 && &how == &k_sort_inputs[0];
  add_rows(out, sort_case<T>(n, how, sort_cores(cores_used)), t, right, budgeted ? 80 : k_none);
}

template <class T, class Sort>
void sort_on_thread(const settings& s, const report& out, std::uint64_t n, const sort_input& how,
                    std::string_view by, Sort sort_it) {
  std::vector<T> all(n);
  const auto fill = [&] {
    for (std::uint64_t i = 0; i < n; ++i) all[i] = static_cast<T>(how.at(i));
  };
  const times t = repeat_sort(s, fill, [&] { sort_it(all); });
  add_rows(out, sort_case<T>(n, how, by), t, is_right(std::span<const T>(all), how), k_none);
}

template <class T>
void sort_all(const settings& s, const report& out, std::uint64_t n) {
  for (const sort_input& how : k_sort_inputs) {
    if (!out.room_for(3 * n * sizeof(T), "sort", sort_case<T>(n, how, "all"))) continue;
    for (const unsigned c : sort_core_counts(s)) sort_on_cores<T>(s, out, n, how, c);
    sort_on_thread<T>(s, out, n, how, "sort_keys, 1 thread",
                      [](std::vector<T>& v) { sorting::sort_keys(v); });
    sort_on_thread<T>(s, out, n, how, "std::sort, 1 thread",
                      [](std::vector<T>& v) { std::sort(v.begin(), v.end()); });
  }
}

}  // namespace

void sorts(const settings& s, const report& out) {
  for (const std::uint64_t n : sort_sizes(s)) {
    sort_all<std::uint32_t>(s, out, n);
    sort_all<std::uint64_t>(s, out, n);
  }
}

}  // namespace gossamer::bench
