#pragma once
// STUB with the final interface.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gossamer/memory/array.hpp"
#include "gossamer/memory/core_id.hpp"

namespace gossamer {

/// Runs f() in a fiber on every core and waits for all of them and for every async they issued.
/// f is copied to each core: capture handles (array, per_core, views) by value, never by reference.
/// Called by one fiber. The first exception thrown arrives here.
template <class F>
void on_all_cores(F f) {
  std::vector<std::thread> threads;
  for (unsigned c = 1; c < cores(); ++c)
    threads.emplace_back([c, f]() mutable { stub::t_here = c; f(); });
  stub::t_here = 0;
  f();
  for (auto& t : threads) t.join();
}

/// f(begin, end) over [begin, end) in pieces of at most `grain`: each core starts with its own equal
/// share, idle cores of the process take pieces of the others (lent pieces). Waits for all, as above.
template <class F>
void forall_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, F f) {
  static std::atomic<std::uint64_t> next;
  next = begin;
  on_all_cores([=]() mutable {
    for (std::uint64_t b; (b = next.fetch_add(grain)) < end;) f(b, std::min(end, b + grain));
  });
}
/// The same with the shares of the cores given: core c starts with [bounds[c], bounds[c+1]).
template <class F>
void forall_chunks(const std::vector<std::uint64_t>& bounds, std::uint64_t grain, F f) {
  forall_chunks(bounds.front(), bounds.back(), grain, f);
}
/// f(i) for each index.
template <class F>
void forall(std::uint64_t begin, std::uint64_t end, F f) {
  forall_chunks(begin, end, 512, [f](std::uint64_t b, std::uint64_t e) mutable { for (; b < e; ++b) f(b); });
}
/// f(i, T&) for each element, at its owner.
template <class T, class F>
void forall(array<T> a, F f) {
  on_all_cores([=]() mutable {
    auto l = a.local();
    for (std::uint64_t i = 0; i < l.size(); ++i) f(a.local_begin() + i, l[i]);
  });
}

}  // namespace gossamer
