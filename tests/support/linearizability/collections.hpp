#pragma once
// Histories of stacks, queues and priority queues whose values are all distinct are decided in polynomial
// time: every value has one lifetime (its put and its take, each an interval), and being linearizable means
// some conditions on lifetimes. These hold always: what is taken was put, once, and not only later. A value
// is inside for sure from its put's answer to its take's invocation; call that its core. Then:
//  - "Empty" is right when the cores do not cover the interval of that answer. Any orders can be
//    changed so that the structure is empty at each point outside all cores: what is inside then is taken
//    just before or put just after; hence these answers and the rest can be judged apart.
//  - Queue (Henzinger, Sezgin, Vafeiadis, "Aspect-oriented linearizability proofs", CONCUR 2013): no a and b
//    with a put before b is and b taken before a is. O(n log n).
//  - Stack: a value whose cores are empty fits anywhere. Where cores hang together the stack is never empty,
//  so one
//    value is below all others: one whose put nothing precedes and whose take nothing follows. Any such
//    value can be put first and taken last, so it is removed and the rest judged again. O(n^2 log n).
//  - Priority queue: a value may be taken at some point of its take's interval, after its put's invocation,
//  that
//    the cores of smaller values leave free. O(n^2 log n).
// The latter two are decrease-and-conquer (Lee, Mathur, "Efficient decrease-and-conquer linearizability
// monitoring", OOPSLA 2025), simple instead of log-linear. Where values repeat, search.hpp decides.

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/linearizability/history.hpp"

namespace gossamer::test::linearizability {

struct interval {
  std::uint64_t begin = k_never, end = k_never;
};

/// What is still inside at the end is taken in the right order at k_never: that is never wrong.
struct lifetime {
  std::uint64_t value = 0;
  interval put, take;

  bool has_core() const { return put.end < take.begin; }
};

struct lifetimes {
  bool distinct = true;    // else nothing else here is of use
  bool possible = true;    // false: taken but never put, taken twice, or taken before it was put
  std::uint64_t open_take =
      k_never;  // first invocation of a take whose answer is unknown; it is none of the values'
  bool sizes = false;      // there are size operations, which are not judged here
  std::vector<lifetime> values;
  std::vector<interval> empty;  // takes that were answered "empty"
};

namespace detail {

inline void add_take(lifetimes& all, const std::unordered_map<std::uint64_t, std::size_t>& put,
                     const operation& o) {
  if (!o.known) {
    all.open_take = std::min(all.open_take, o.invoked);
  } else if (!o.answer) {
    if (!o.pending()) all.empty.push_back({o.invoked, o.answered});
  } else if (const auto found = put.find(*o.answer); found == put.end()) {
    if (!o.pending()) all.possible = false;
  } else {
    interval& take = all.values[found->second].take;
    const bool taken = take.end != k_never;
    if (taken && !o.pending()) all.possible = false;
    // Of several under way only one can have happened: the earlier, the freer.
    if (!o.pending())
      take = {o.invoked, o.answered};
    else if (!taken)
      take.begin = std::min(take.begin, o.invoked);
  }
}

}  // namespace detail

inline lifetimes lifetimes_of(const history& operations) {
  lifetimes all;
  std::unordered_map<std::uint64_t, std::size_t> put;
  for (const operation& o : operations) {
    if (o.what == kind::size) all.sizes = true;
    if (!puts(o)) continue;
    all.distinct &= put.emplace(o.argument, all.values.size()).second;
    all.values.push_back({o.argument, {o.invoked, o.answered}, {}});
  }
  for (const operation& o : operations)
    if (takes(o)) detail::add_take(all, put, o);
  for (const lifetime& v : all.values) all.possible &= v.take.end > v.put.begin;
  // A put under way whose value was never taken need not have happened.
  std::erase_if(all.values,
                [](const lifetime& v) { return v.put.end == k_never && v.take.begin == k_never; });
  return all;
}

/// When each value is taken if it is, for searches that look ahead.
using take_times = std::unordered_map<std::uint64_t, interval>;
inline take_times take_intervals(const lifetimes& all) {
  take_times times;
  for (const lifetime& v : all.values) {
    times[v.value] = v.take;
    if (v.take.end == k_never) times[v.value].begin = std::min(v.take.begin, all.open_take);
  }
  return times;
}
inline interval take_of(const take_times& times, std::uint64_t value) {
  const auto found = times.find(value);
  return found == times.end() ? interval{0, k_never} : found->second;
}

/// Returns the union of cores, disjoint and sorted.
inline std::vector<interval> covered(std::vector<interval> cores) {
  std::ranges::sort(cores, {}, &interval::begin);
  std::vector<interval> all;
  for (const interval& c : cores)
    if (all.empty() || c.begin > all.back().end)
      all.push_back(c);
    else
      all.back().end = std::max(all.back().end, c.end);
  return all;
}
inline std::vector<interval> cores_of(const std::vector<lifetime>& values) {
  std::vector<interval> cores;
  for (const lifetime& v : values)
    if (v.has_core()) cores.push_back({v.put.end, v.take.begin});
  return cores;
}
/// Returns whether some point between two stamps is outside of all intervals. All stamps differ.
inline bool leaves_free(const std::vector<interval>& covered, interval between) {
  return std::ranges::none_of(
      covered, [&](const interval& c) { return c.begin < between.begin && c.end > between.end; });
}

inline bool empty_answers_fit(const lifetimes& all) {
  const std::vector<interval> inside = covered(cores_of(all.values));
  return std::ranges::all_of(all.empty, [&](const interval& e) { return leaves_free(inside, e); });
}

inline bool fits_queue(std::vector<lifetime> values) {
  std::ranges::sort(values, {}, [](const lifetime& v) { return v.put.begin; });
  std::vector<lifetime> by_end = values;
  std::ranges::sort(by_end, {}, [](const lifetime& v) { return v.put.end; });
  std::uint64_t latest_take = 0;  // of those put before: when the last of these takes was invoked
  auto before = by_end.begin();
  for (const lifetime& v : values) {
    for (; before != by_end.end() && before->put.end < v.put.begin; ++before)
      latest_take = std::max(latest_take, before->take.begin);
    if (v.take.end < latest_take) return false;
  }
  return true;
}

inline bool fits_stack(std::vector<lifetime> values) {
  std::erase_if(values, [](const lifetime& v) { return !v.has_core(); });
  std::vector<std::vector<lifetime>> groups{std::move(values)};
  while (!groups.empty()) {
    std::vector<lifetime> group = std::move(groups.back());
    groups.pop_back();
    std::ranges::sort(group, {}, [](const lifetime& v) { return v.put.end; });
    auto first = group.begin();
    for (const interval& together : covered(cores_of(group))) {
      std::vector<lifetime> above;
      const auto begin = first;
      for (; first != group.end() && first->put.end < together.end; ++first)
        if (first->put.begin > together.begin || first->take.end < together.end) above.push_back(*first);
      if (static_cast<std::ptrdiff_t>(above.size()) == first - begin) return false;
      if (!above.empty()) groups.push_back(std::move(above));
    }
  }
  return true;
}

inline bool fits_priority_queue(std::vector<lifetime> values) {
  std::ranges::sort(values, {}, &lifetime::value);
  std::vector<interval> smaller;
  for (const lifetime& v : values) {
    const interval when{std::max(v.take.begin, v.put.begin), v.take.end};
    if (v.take.end != k_never && !leaves_free(smaller, when)) return false;
    if (!v.has_core()) continue;
    smaller.push_back({v.put.end, v.take.begin});
    smaller = covered(std::move(smaller));
  }
  return true;
}

}  // namespace gossamer::test::linearizability
