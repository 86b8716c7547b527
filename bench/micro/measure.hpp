#pragma once
// The frame of the micro-benchmarks and of their peers: repeat, median, spread, row. A row is one line
// of JSON; ours and the peers' are joined by (bench, case), so both sides take their case names from
// cases.hpp. Nothing here needs the library: a peer links only what it measures.
//
// What crosses between cores is held against *line transfers*, the one-way time of one cache line between
// two processors, which is measured in the same run (a row of its own in every bench that needs it).

#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gossamer::bench {

inline constexpr double k_none = std::numeric_limits<double>::quiet_NaN();  // null in JSON

/// What fibers ask of a structure; what is not given takes the values that the bench's table says.
struct requests {
  std::optional<unsigned> structure, where;  // as kernels::structure and combine number them
  std::optional<unsigned> puts, erases;
  std::optional<std::uint64_t> keys, cells, fibers, operations, payload;
  bool bulk = false, pending = false, phases = false;

  bool any() const {
    return structure || where || puts || erases || keys || cells || fibers || operations || payload || bulk ||
           pending || phases;
  }
};

struct settings {
  unsigned cores = 0;  // 0: as the bench's table says (2, or 2, 4 and 8)
  std::uint64_t table_bytes = 0;  // 0: as the bench's table says (1 GiB and 8 MiB)
  unsigned repeats = 5;
  bool quick = false;  // sizes for tests
  requests asked = {};  // of structures

  template <class T>
  T pick(T full, T small) const {
    return quick ? small : full;
  }
};

struct row {
  std::string bench, name;  // name: "case" in JSON
  double value = k_none;
  std::string unit;  // ns, KB: less is better; M/s, GB/s, %: more
  double low = k_none, high = k_none;  // smallest and largest of the repeats, or of a box plot's whiskers
  double lower_quartile = k_none, upper_quartile = k_none;  // with whiskers
  double budget = k_none;
  double lines = k_none;       // the part of the budget that is line transfers, in them
  double times_peer = k_none;  // the budget is this many times the best peer's value
  std::string library = "gossamer";
  std::string peer_of;  // a peer's row beside ours: the case that it is the peer of
  std::string peer;  // the best one of the same case
  double peer_value = k_none;
  std::string curve;  // the curve that this row is a point of, and where
  double x = k_none;
  bool checked = true;  // what was computed has been verified

  bool less_is_better() const { return !unit.ends_with("/s") && unit != "%"; }
  bool better_than(double other) const { return less_is_better() ? value < other : value > other; }
};

// --- time -----------------------------------------------------------------------------------------

inline double clock_ns(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Returns the processor time of this thread that f() takes; wall_ns_of() returns the wall time. A call of
/// the first costs ~0.3 us.
template <class F>
double cpu_ns_of(F f) {
  const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  f();
  return clock_ns(CLOCK_THREAD_CPUTIME_ID) - start;
}
template <class F>
double wall_ns_of(F f) {
  const double start = clock_ns(CLOCK_MONOTONIC);
  f();
  return clock_ns(CLOCK_MONOTONIC) - start;
}

/// Makes the compiler assume that another thread reads everything here. Operations before and after are not
/// merged.
inline void hand_over(const void* p) { asm volatile("" : : "r"(p) : "memory"); }

// --- repeats --------------------------------------------------------------------------------------

using samples = std::vector<double>;

/// Calls once() repeatedly and returns its values, without the first, which warms up.
template <class F>
samples repeat(const settings& s, F once) {
  samples values;
  once();
  for (unsigned r = 0; r < s.repeats; ++r) values.push_back(once());
  return values;
}

inline double median_of(samples values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return (values[n / 2] + values[(n - 1) / 2]) / 2;
}

inline row row_of(std::string_view bench, std::string name, std::string_view unit, samples values) {
  row r;
  r.bench = bench;
  r.name = std::move(name);
  r.unit = unit;
  std::ranges::sort(values);
  r.value = median_of(values);
  r.low = values.front();
  r.high = values.back();
  return r;
}

/// Does the same as row_of() for very many values: their quartiles, and as ends of the spread the last values that lie within one
/// and a half of the distance between the quartiles, as box plots have it; the quartile where the last such value lies inside the box.
/// A value that is none makes all of them none.
inline row box_of(std::string_view bench, std::string name, std::string_view unit, samples values) {
  if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) values = {k_none};
  std::ranges::sort(values);
  const auto at = [&](double part) {  // between the two values that are nearest
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double above = values[std::min(below + 1, values.size() - 1)];
    return values[below] + (place - static_cast<double>(below)) * (above - values[below]);
  };
  row r = row_of(bench, std::move(name), unit, values);
  r.lower_quartile = at(0.25);
  r.upper_quartile = at(0.75);
  const double most = 1.5 * (r.upper_quartile - r.lower_quartile);
  r.low = std::min(*std::ranges::lower_bound(values, r.lower_quartile - most), r.lower_quartile);
  r.high = std::max(*std::prev(std::ranges::upper_bound(values, r.upper_quartile + most)), r.upper_quartile);
  return r;
}

/// Adds a fact to a row and returns it, as a sentence: point(row, "yield against fibers", 2).
inline row point(row r, std::string_view curve, double x) {
  r.curve = curve;
  r.x = x;
  return r;
}
inline row within(row r, double budget) {
  r.budget = budget;
  return r;
}
/// Sets budget = fixed + lines x line_ns; none where no line transfer could be measured.
inline row within_lines(row r, double fixed_ns, double lines, double line_ns) {
  r.budget = fixed_ns + lines * line_ns;
  r.lines = lines;
  return r;
}
inline row within_peer(row r, double times_peer) {
  r.times_peer = times_peer;
  return r;
}
inline row checked(row r, bool right) {
  r.checked = right;
  return r;
}

// --- threads --------------------------------------------------------------------------------------

/// Returns the processors that the thread which asked first might use: before any was pinned.
inline const std::vector<int>& allowed_processors() {
  static const std::vector<int> all = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> ids;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return ids;
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set)) ids.push_back(i);
    return ids;
  }();
  return all;
}

/// Pins the calling thread to the i-th allowed processor (modulo their number).
inline void stay_on(unsigned i) {
  const std::vector<int>& ids = allowed_processors();
  if (ids.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(ids[i % ids.size()], &set);
  (void)::sched_setaffinity(0, sizeof set, &set);
}

/// Where threads wait for each other without the kernel; they yield, since there may be more of them than
/// processors.
class start_line {
 public:
  explicit start_line(unsigned threads) : threads_(threads) {}
  void arrive() {
    const unsigned turn = turn_.load(std::memory_order_acquire);  // pairs with the last one's store
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      return;
    }
    for (unsigned spins = 0; turn_.load(std::memory_order_acquire) == turn; ++spins)
      if (spins % 1024 == 1023) ::sched_yield();
  }

 private:
  const unsigned threads_;
  std::atomic<unsigned> arrived_{0};
  alignas(64) std::atomic<unsigned> turn_{0};
};

/// Runs f(thread number) on n pinned threads that start together, and waits for all of them.
template <class F>
void on_threads(unsigned n, F f) {
  start_line start(n);
  std::vector<std::jthread> threads;
  threads.reserve(n);
  for (unsigned t = 0; t < n; ++t)
    threads.emplace_back([&, t] {
      stay_on(t);
      start.arrive();
      f(t);
    });
}

/// Does the same as on_threads() and returns the processor time of all threads together.
template <class F>
double cpu_ns_on_threads(unsigned n, F f) {
  std::vector<double> ns(n);
  on_threads(n, [&](unsigned t) { ns[t] = cpu_ns_of([&] { f(t); }); });
  double sum = 0;
  for (const double x : ns) sum += x;
  return sum;
}

/// Passes the line so many times there and back; each of the two threads calls it. Returns the one-way time
/// by the caller's clock.
inline double pass_line(std::atomic<std::uint32_t>& ball, unsigned me, std::uint32_t first,
                        std::uint32_t rounds) {
  const double ns = wall_ns_of([&] {
    for (std::uint32_t i = first + me; i < first + 2 * rounds; i += 2) {
      while (ball.load(std::memory_order_acquire) != i) {}  // pairs with the other's store
      ball.store(i + 1, std::memory_order_release);
    }
  });
  return ns / (2.0 * rounds);
}

/// Measures the one-way time of a cache line between the first two processors. Takes the median of many short
/// rallies, so that a thread that loses its processor for a while does not count. The value is k_none where
/// there is only one processor.
inline row line_transfer(const settings& s, std::string_view bench) {
  constexpr std::string_view k_name = "line transfer, one way";
  constexpr std::uint32_t k_rounds = 500;
  if (allowed_processors().size() < 2) return row_of(bench, std::string(k_name), "ns", {k_none});
  const std::uint32_t rallies = s.pick(200U, 10U);
  return row_of(bench, std::string(k_name), "ns", repeat(s, [&] {
                  alignas(64) std::atomic<std::uint32_t> ball{0};
                  samples ns[2];
                  on_threads(2, [&](unsigned me) {
                    for (std::uint32_t r = 0; r < rallies; ++r)
                      ns[me].push_back(pass_line(ball, me, 2 * k_rounds * r, k_rounds));
                  });
                  return median_of(ns[0]);
                }));
}

// --- JSON -----------------------------------------------------------------------------------------

inline std::string json_number(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "null"; }
inline std::string json_text(std::string_view text) {  // names of ours: nothing to escape
  return text.empty() ? "null" : fmt::format("\"{}\"", text);
}

inline std::string json_quartiles(const row& r) {
  return std::isfinite(r.lower_quartile)
             ? fmt::format("[{}, {}]", json_number(r.lower_quartile), json_number(r.upper_quartile))
             : "null";
}

/// Returns the row as one JSON object on one line.
inline std::string json_line(const row& r) {
  return fmt::format(
      "{{\"bench\": \"{}\", \"case\": \"{}\", \"value\": {}, \"unit\": \"{}\", \"spread\": [{}, {}], "
      "\"budget\": {}, \"peer\": {}, \"peer_value\": {}, \"checked\": {}, \"library\": \"{}\", \"lines\": "
      "{}, "
      "\"times_peer\": {}, \"curve\": {}, \"x\": {}, \"peer_of\": {}, \"quartiles\": {}}}",
      r.bench, r.name, json_number(r.value), r.unit, json_number(r.low), json_number(r.high),
      json_number(r.budget), json_text(r.peer), json_number(r.peer_value), r.checked, r.library,
      json_number(r.lines), json_number(r.times_peer), json_text(r.curve), json_number(r.x),
      json_text(r.peer_of), json_quartiles(r));
}

}  // namespace gossamer::bench
