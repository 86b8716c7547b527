#pragma once
// Loops over ranges and arrays, on all cores. A loop counts what its bodies spawn and issue, and returns when
// all of it has ended. Bodies are copied to the cores that run them: capture numbers and handles by value. By
// fibers. A loop is not collective: one fiber calls it, and all cores work.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/element_parameter.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/remote.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace gossamer {

namespace parallel {

/// Ends the program in one line: the bounds are negative numbers that were converted.
[[noreturn, gnu::cold]] void refuse_range(const char* call, std::uint64_t begin, std::uint64_t end);

/// A core's block of a loop with dynamic chunks, on a separate cache line. Counts chunks, not indices: their
/// number stays far below 2^64, whatever the indices and the size of a chunk.
struct alignas(k_line_bytes) dynamic_block {
  std::atomic<std::uint64_t> next{0};  // relaxed: it assigns chunks; the completion orders the loop's data
  std::uint64_t begin = 0, end = 0;
};

template <class F>
void run_dynamic(dynamic_block* blocks, std::uint64_t grain, F f) {
  const unsigned n = cores_per_process(), self = here() - first_core(process());
  for (unsigned k = 0; k < n; ++k) {
    dynamic_block& s = blocks[(self + k) % n];
    const std::uint64_t chunks = divide_up(s.end - s.begin, grain);
    while (s.next.load(std::memory_order_relaxed) < chunks) {
      if (auto* one_thread = machine::simulated()) [[unlikely]]
        one_thread->look();  // the other cores take chunks meanwhile
      check_interrupt();
      const std::uint64_t chunk = s.next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) break;
      counters& count = core::here().count();
      if (k != 0) {
        ++count.steals;
        count.count_steal_of(1);
      }
      const std::uint64_t begin = s.begin + chunk * grain;
      const std::uint64_t end = begin + std::min(grain, s.end - begin);
      count.work_ns += end - begin;
      f(begin, end);
    }
  }
}

/// Ends the program if `bounds` do not match the cores, or descend.
void check_bounds(const std::vector<std::uint64_t>& bounds, unsigned cores, std::uint64_t grain);
/// Returns whether a range is not empty. Ends the program if its bounds are negative numbers that were
/// converted.
inline bool is_range(const char* call, std::uint64_t begin, std::uint64_t end) {
  const bool some = begin < end;
  if (some ? (end - begin) >> 63 != 0 : begin > end && begin >> 63 != 0) [[unlikely]]
    refuse_range(call, begin, end);
  return some;
}

/// Returns the begin of block `one` of n equal blocks of [begin, end).
inline std::uint64_t block_begin(std::uint64_t begin, std::uint64_t end, unsigned one, unsigned n) {
  return begin + static_cast<std::uint64_t>(static_cast<unsigned __int128>(end - begin) * one / n);
}

/// Approximate number of tasks of a core into which a loop is divided, to hide the waits of its bodies.
inline constexpr std::uint64_t k_tasks_of_loop = 1024;

/// Returns the grain of a loop whose bodies wait, with `indices` indices on each core. `grain` is the loop's
/// usual grain.
inline std::uint64_t waiting_grain(std::uint64_t indices, std::uint64_t grain) {
  return std::min(grain, std::max<std::uint64_t>(1, indices / k_tasks_of_loop));
}

/// Runs the bodies [begin, end) of a task by run(begin, end). Checks after 1, 4, 16, ... bodies whether one
/// has waited. If so, it moves halves of the rest to further tasks by leave(begin, end), until `least` bodies
/// remain.
template <class Run, class Leave>
void run_bodies(core& self, std::uint64_t begin, std::uint64_t end, std::uint64_t least, Run run,
                Leave leave) {
  constexpr std::uint64_t k_growth = 4;
  const std::uint64_t start = begin;
  std::uint64_t stop = end - begin > least ? begin + 1 : end;
  for (;;) {
    const std::uint64_t switches = self.count().switches;
    run(begin, stop);
    if (stop == end) return;
    begin = stop;
    if (self.count().switches == switches) {
      stop = begin + std::min(end - begin, (k_growth - 1) * (begin - start));
      continue;
    }
    while (end - begin > least) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      leave(middle, end);
      end = middle;
    }
    stop = end;
  }
}

/// A loop over indices. Chunk runs the bodies of [begin, end), at most `grain` of them.
template <class Chunk>
struct range_loop {
  Chunk chunk;
  std::uint64_t grain;
  std::uint64_t least;  // smallest task if bodies wait

  void run(std::uint64_t begin, std::uint64_t end) const {
    check_interrupt();
    core& self = core::here();
    const auto leave = [this, &self](std::uint64_t from, std::uint64_t to) {
      self.push_stealable(counted_task(self, [this, from, to] { run(from, to); }));
    };
    while (end - begin > grain) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      leave(middle, end);
      end = middle;
    }
    run_bodies(
        self, begin, end, least,
        [this, &self](std::uint64_t from, std::uint64_t to) {
          self.count().work_ns += to - from;
          chunk(from, to);
        },
        leave);
  }
};

template <class F>
struct each_index {
  F f;
  void operator()(std::uint64_t begin, std::uint64_t end) const {
    F mine(f);
    for (; begin < end; ++begin) mine(begin);
  }
};

/// Returns the default grain: the setting of the job, or one that depends on the size.
inline std::uint64_t usual_grain(std::uint64_t begin, std::uint64_t end) {
  if (const std::uint64_t set = core::here().loop_grain()) return set;
  return std::clamp<std::uint64_t>((end - begin) / (std::uint64_t{cores()} * k_tasks_of_loop), 16, 4096);
}

/// Runs a loop over indices on all cores.
template <class Chunk>
void run_range(std::uint64_t begin, std::uint64_t end, Chunk chunk, std::uint64_t grain,
               const std::source_location& where) {
  if ((end - begin) >> 63 != 0) [[unlikely]]
    refuse_range("forall", begin, end);
  const bool given = grain != 0 || core::here().loop_grain() != 0;
  if (grain == 0) grain = usual_grain(begin, end);
  const std::uint64_t least = given ? grain : waiting_grain((end - begin) / cores(), grain);
  // Each core keeps a copy for its tasks, and waits for them.
  if constexpr (std::is_trivially_copyable_v<Chunk>)  // otherwise check_body() has reported it
    on_all_cores(
        [loop = range_loop<Chunk>{std::move(chunk), grain, least}, begin, end] {
          const std::uint64_t from = block_begin(begin, end, here(), cores());
          const std::uint64_t to = block_begin(begin, end, here() + 1, cores());
          if (from < to) finish([&] { loop.run(from, to); });
        },
        "on_all_cores", where);
}

/// A loop over the elements that each core owns. Elements is one_array or two_arrays. Chunk runs the bodies of elements [at, end).
template <class Elements, class Chunk>
struct array_loop {
  Elements over;
  Chunk chunk;
  static constexpr std::uint64_t k_grain = 1024;

  /// Leaves the rest as a task of this core before it starts: if f suspends, another fiber continues with the rest.
  void run(std::uint64_t at) const {
    check_interrupt();
    core& self = core::here();
    const std::uint64_t size = over.local_size(), end = std::min<std::uint64_t>(size, at + k_grain);
    if (end < size) self.push_plain(counted_task(self, [this, end] { run(end); }));
    run_part(self, at, end);
  }

 private:
  void run_part(core& self, std::uint64_t at, std::uint64_t end) const {
    const std::uint64_t least = self.loop_grain() != 0 ? k_grain : waiting_grain(over.local_size(), k_grain);
    run_bodies(
        self, at, end, least,
        [this, &self](std::uint64_t from, std::uint64_t to) {
          self.count().work_ns += to - from;
          chunk(over, from, to);
        },
        [this, &self](std::uint64_t from, std::uint64_t to) {
          self.push_plain(counted_task(self, [this, from, to] { run_part(core::here(), from, to); }));
        });
  }
};

/// The elements of an array that a core owns.
template <class T>
struct one_array {
  array<T> first;

  template <class F>
  static constexpr bool k_indexed = std::is_invocable_v<F&, std::uint64_t, T&>;

  std::uint64_t local_size() const { return first.local().size(); }
  /// Calls f(element) or f(index, element), and use() with what it returns, for elements [at, end).
  template <class F, class Use>
  void each(std::uint64_t at, std::uint64_t end, F& f, Use use) const {
    const std::span<T> mine = first.local();
    if constexpr (k_indexed<F>)
      first.local_runs(at, end, [&](std::uint64_t k, std::uint64_t last, std::uint64_t index) {
        for (; k < last; ++k, ++index) use([&]() -> decltype(auto) { return f(index, mine[k]); });
      });
    else
      for (; at < end; ++at) use([&]() -> decltype(auto) { return f(mine[at]); });
  }
  template <class F>
  auto result_of(F&) const {
    if constexpr (k_indexed<F>)
      return std::type_identity<std::decay_t<std::invoke_result_t<F&, std::uint64_t, T&>>>();
    else
      return std::type_identity<std::decay_t<std::invoke_result_t<F&, T&>>>();
  }
};

/// The elements of two equally distributed arrays that a core owns.
template <class T, class U>
struct two_arrays {
  array<T> first;
  array<U> second;

  template <class F>
  static constexpr bool k_indexed = std::is_invocable_v<F&, std::uint64_t, T&, U&>;

  std::uint64_t local_size() const { return first.local().size(); }
  template <class F, class Use>
  void each(std::uint64_t at, std::uint64_t end, F& f, Use use) const {
    const std::span<T> mine = first.local();
    const std::span<U> also = second.local();
    if constexpr (k_indexed<F>)
      first.local_runs(at, end, [&](std::uint64_t k, std::uint64_t last, std::uint64_t index) {
        for (; k < last; ++k, ++index) use([&]() -> decltype(auto) { return f(index, mine[k], also[k]); });
      });
    else
      for (; at < end; ++at) use([&]() -> decltype(auto) { return f(mine[at], also[at]); });
  }
  template <class F>
  auto result_of(F&) const {
    if constexpr (k_indexed<F>)
      return std::type_identity<std::decay_t<std::invoke_result_t<F&, std::uint64_t, T&, U&>>>();
    else
      return std::type_identity<std::decay_t<std::invoke_result_t<F&, T&, U&>>>();
  }
};

template <class F>
struct each_element {
  F f;
  template <class Elements>
  void operator()(const Elements& over, std::uint64_t at, std::uint64_t end) const {
    F mine(f);
    over.each(at, end, mine, [](auto call) { (void)call(); });
  }
};

/// Runs a loop over elements at their owners.
template <class Elements, class Chunk>
void run_elements(Elements over, Chunk chunk, const std::source_location& where) {
  if constexpr (std::is_trivially_copyable_v<Chunk>)
    on_all_cores(
        [loop = array_loop<Elements, Chunk>{over, std::move(chunk)}] {
          if (loop.over.local_size() != 0) finish([&] { loop.run(0); });
        },
        "on_all_cores", where);
}

/// Throws gossamer::error: two arrays have different distributions.
[[noreturn, gnu::cold]] void refuse_pair(const char* call, std::uint64_t first, std::uint64_t second);
template <class T, class U>
void check_pair(const char* call, const array<T>& a, const array<U>& b) {
  a.check(call);
  b.check(call);
  if (!a.divided_as(b)) refuse_pair(call, a.size(), b.size());
}

}  // namespace parallel

namespace local {

/// Calls f(begin, end) for chunks as gossamer::forall_chunks() does, on the cores of this process. `bounds` has one entry more
/// than there are cores.
template <class F>
void forall_chunks(const std::vector<std::uint64_t>& bounds, std::uint64_t grain, F f) {
  const unsigned team = cores_per_process();
  parallel::check_bounds(bounds, team, grain);
  auto blocks = std::make_unique<parallel::dynamic_block[]>(team);
  for (unsigned c = 0; c < team; ++c) {
    blocks[c].begin = bounds[c];
    blocks[c].end = bounds[c + 1];
  }
  local::on_all_cores([all = blocks.get(), grain, f] { parallel::run_dynamic(all, grain, f); });
}
/// Calls f(begin, end) for chunks of [begin, end), which is divided into equal blocks; otherwise as above.
template <class F>
void forall_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, F f) {
  if (!parallel::is_range("forall_chunks", begin, end)) return;
  const unsigned team = cores_per_process();
  std::vector<std::uint64_t> bounds;
  for (unsigned c = 0; c <= team; ++c) bounds.push_back(parallel::block_begin(begin, end, c, team));
  local::forall_chunks(bounds, grain, std::move(f));
}

}  // namespace local

/// Calls f(begin, end) for chunks of at most `grain` indices; grain > 0. Core c starts in [bounds[c], bounds[c+1]). A core whose
/// block is done takes chunks of other blocks of its process. f should compute only: if it suspends, its core's
/// loop waits. Costs one launch of all cores (a few us if they are awake) and an atomic addition per chunk.
template <class F>
void forall_chunks(const std::vector<std::uint64_t>& bounds, std::uint64_t grain, F f,
                   std::source_location where = std::source_location::current()) {
  (void)message::inside("forall_chunks");
  parallel::check_bounds(bounds, cores(), grain);
  parallel::check_body(f, where);
  if (processes() == 1) return local::forall_chunks(bounds, grain, std::move(f));
  parallel::under_completion(
      [&](parallel::core&, message::completion&) {
        const unsigned team = cores_per_process();
        for (unsigned p = processes(); p-- > 0;) {
          async_on(
              first_core(p),
              [grain, f](std::span<const std::byte> bytes) {
                std::vector<std::uint64_t> mine(bytes.size() / sizeof(std::uint64_t));
                std::memcpy(mine.data(), bytes.data(), bytes.size());
                spawn([mine = std::move(mine), grain, f] { local::forall_chunks(mine, grain, f); });
              },
              std::as_bytes(std::span(bounds).subspan(std::size_t{p} * team, team + 1)));
        }
      },
      "forall_chunks");
}

/// Calls f(begin, end) for chunks of [begin, end), which is divided into equal blocks; otherwise as above.
template <class F>
void forall_chunks(std::uint64_t begin, std::uint64_t end, std::uint64_t grain, F f,
                   std::source_location where = std::source_location::current()) {
  (void)message::inside("forall_chunks");
  if (!parallel::is_range("forall_chunks", begin, end)) return;
  std::vector<std::uint64_t> bounds;
  for (core_id c = 0; c <= cores(); ++c) bounds.push_back(parallel::block_begin(begin, end, c, cores()));
  forall_chunks(bounds, grain, std::move(f), where);
}

/// Calls f(i) for each index, in stealable tasks of at most `grain` indices (0: by the size). Bodies may
/// suspend: other bodies run meanwhile, up to job_options::fibers on a core. loop_reduction.hpp has loops that return a sum.
template <class F>
void forall(std::uint64_t begin, std::uint64_t end, F f, std::uint64_t grain = 0,
            std::source_location where = std::source_location::current()) {
  (void)message::inside("forall");
  parallel::check_body(f, where);
  if (!parallel::is_range("forall", begin, end)) return;
  parallel::run_range(begin, end, parallel::each_index<F>{std::move(f)}, grain, where);
}

/// Calls f(T&) or f(index, T&) for each element, at its owner, for any distribution. Bodies may suspend.
template <class T, class F>
void forall(array<T> over, F f, std::source_location where = std::source_location::current()) {
  gossamer::detail::check_element_body<F, T>();
  (void)message::inside("forall");
  over.check("forall");
  parallel::check_body(f, where);
  parallel::run_elements(parallel::one_array<T>{over}, parallel::each_element<F>{std::move(f)}, where);
}

/// Calls f(T&, U&) or f(index, T&, U&) for each pair of elements of the same index, at their owner. Both arrays have the same
/// size and distribution; otherwise throws gossamer::error. Sends no message per element. Bodies may suspend.
template <class T, class U, class F>
void forall(array<T> first, array<U> second, F f,
            std::source_location where = std::source_location::current()) {
  gossamer::detail::check_element_body<F, T, U>();
  (void)message::inside("forall");
  parallel::check_pair("forall", first, second);
  parallel::check_body(f, where);
  parallel::run_elements(parallel::two_arrays<T, U>{first, second}, parallel::each_element<F>{std::move(f)},
                         where);
}

}  // namespace gossamer
