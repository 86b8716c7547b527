#pragma once
// Sorts global arrays on all cores by regular sampling: every core sorts its block, then merges its block of
// the global order from the sorted blocks of all (H. Shi and J. Schaeffer, "Parallel sorting by regular
// sampling", J. Parallel Distrib. Comput. 14(4), 1992; in shared memory without an exchange of elements).
// internal/core_sort.hpp sorts data that is not in an array.

#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/loop.hpp"
#include "gossamer/sort/internal/core_sort.hpp"

namespace gossamer {

namespace sorting {

/// Throws gossamer::error if an array is not contiguous, or memory does not suffice.
void check_sort(const char* call, bool contiguous, std::uint64_t elements, std::size_t element_bytes);
/// Throws gossamer::error if memory of one process cannot be sorted: in a job of several processes, or if
/// memory does not suffice.
void check_sort_memory(std::uint64_t elements, std::size_t element_bytes);

/// Returns whether one core sorts all elements alone.
inline bool sorts_alone(std::uint64_t elements) {
  return processes() == 1 && (cores() == 1 || elements < k_sort_alone);
}

/// Sorts the elements that the cores of one process pass, and writes them from `to` on, which may overlap
/// them. Collective.
template <bool Stable, class T, class Less>
void sort_blocks_to(std::span<const T> mine, T* to, Less less, const sort_options& o) {
  core_sort<T, Less, Stable> sort(mine, less, o);
  sort.merge_to(to + sort.begin());
  barrier();  // other cores read this core's run until here
}

/// Sends the merged buckets of all cores to the owners of the elements, between processes. Collective.
template <class T, class Sort>
void deliver(std::span<const T> merged, const Sort& sort, std::span<T> block) {
  std::vector<std::size_t> counts;
  const std::uint64_t begin = sort.begin(), end = begin + merged.size();
  for (core_id c = 0; c < cores(); ++c) {
    const std::uint64_t from = std::clamp(sort.block_begin(c), begin, end);
    counts.push_back(std::clamp(sort.block_begin(c + 1), begin, end) - from);
  }
  const by_core<T> mine = all_to_all(merged, counts);
  GOSSAMER_ASSERT(mine.flat().size() == block.size());
  copy_run(std::span<const T>(mine.flat()), block.data(), stored_as_is());
}

template <bool Stable, class T, class Less>
void sort_array(const char* call, array<T> data, Less less, const sort_options& o) {
  static_assert(std::is_trivially_copyable_v<Less>,
                "the order is copied to all cores: no captures but numbers and handles");
  static_assert(std::is_invocable_r_v<bool, Less&, const T&, const T&>,
                "less(a, b) says whether a comes before b");
  data.check(call);
  check_sort(call, data.contiguous(), data.size(), sizeof(T));
  if (sorts_alone(data.size()))
    return sort_here<Stable>(std::span<T>(data.local().data() - data.local_begin(), data.size()), less);
  on_all_cores(
      [data, less, o] {
        const std::span<T> block = data.local();
        if (processes() == 1)
          return sort_blocks_to<Stable>(std::span<const T>(block), block.data() - data.local_begin(), less,
                                        o);
        core_sort<T, Less, Stable> sort(block, less, o);
        const sort_buffer<T> merged(sort.size());
        sort.merge_to(merged.data());
        deliver(std::span<const T>(merged.span()), sort, block);  // ends with a barrier
      },
      call);
}

}  // namespace sorting

/// Sorts an array in place; less(a, b) is true if a comes before b. Not stable: equal elements may change
/// places. By any one fiber, like forall(); suspends. No other fiber may use the array meanwhile. The array
/// must be distributed by block or by_boundaries: gossamer::error otherwise. `less` is copied to all cores as
/// bytes and must not throw. Costs memory for one more array (two with more than two cores, five with several
/// processes). Between processes each element is sent twice at most, in bulk.
///
/// Integers of 32 and 64 bits, float and double under std::less and std::greater are sorted by vector instructions.
/// For these types NaN comes after all numbers, in either order, and -0.0 before 0.0 in ascending order.
template <class T, class Less = std::less<>>
void sort(array<T> data, Less less = {}, sort_options o = {},
          std::source_location where = std::source_location::current()) {
  message::find_captures(less, message::inside("sort"), &where);
  sorting::sort_array<false>("sort", data, less, o);
}

/// Sorts as sort() does, and keeps the order of equal elements. Floating-point NaNs come last; they
/// and zeros keep their order, too. Costs the same for integers; for other types memory for half an array more.
template <class T, class Less = std::less<>>
void stable_sort(array<T> data, Less less = {}, sort_options o = {},
                 std::source_location where = std::source_location::current()) {
  message::find_captures(less, message::inside("stable_sort"), &where);
  sorting::sort_array<true>("stable_sort", data, less, o);
}

/// Sorts memory that is no global array, in a job of one process: writes the elements of `from` in order to
/// `to`, which has the same size. The two may overlap: everything is read before anything is written. All
/// cores take part. By one fiber, with the orders and costs of sort(). Throws gossamer::error in a job of
/// several processes.
template <class T, class Less = std::less<>>
void sort_memory(std::span<const T> from, std::span<T> to, Less less = {}, sort_options o = {}) {
  static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
  GOSSAMER_ASSERT(from.size() == to.size(), "sort_memory: as many elements on both sides");
  sorting::check_sort_memory(from.size(), sizeof(T));
  if (sorting::sorts_alone(from.size())) {
    if (!from.empty()) std::memmove(to.data(), from.data(), from.size_bytes());
    return sorting::sort_here<false>(to, less);
  }
  local::on_all_cores(  // one process: the memory may be anywhere, also on a stack
      [from, to = to.data(), less, o] {
        const std::uint64_t begin = parallel::block_begin(0, from.size(), here(), cores());
        const std::uint64_t end = parallel::block_begin(0, from.size(), here() + 1, cores());
        sorting::sort_blocks_to<false>(from.subspan(begin, end - begin), to, less, o);
      },
      "sort_memory");
}

}  // namespace gossamer
