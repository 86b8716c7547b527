#pragma once
// The stages of a parallel sort, for cores that each contribute a block: sort_blocks(), which is collective,
// and the parts shared with the sort of global arrays (sort.hpp).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "gossamer/sort/internal/divide_runs.hpp"
#include "gossamer/sort/key_sort.hpp"
#include "gossamer/sort/ordered_key.hpp"
#include "gossamer/sort/pivots.hpp"

namespace gossamer {

/// The options of a parallel sort.
struct sort_options {
  pivots choose_pivots = pivots::all_cores;  // one_core: for comparison
};

namespace sorting {

/// The form of elements during the sort: unsigned keys, if Less is < or > of numbers.
template <class T, class Less, bool Stable, bool Keys = k_has_keys<T, Less, Stable>>
struct sorted_form {
  using code = ordered_key<T, k_descending<T, Less>>;
  using key = typename code::key;
  using order = std::less<>;
  static constexpr bool k_coded =
      !std::is_same_v<key, T> || k_descending<T, Less>;  // keys differ from elements
  static constexpr std::uint64_t k_sort_ps = 650;  // for each element and each level of halving
  struct decoded {
    T operator()(key k) const { return code::decode(k); }
  };
  using decode = std::conditional_t<k_coded, decoded, stored_as_is>;

  static order order_of(Less) { return {}; }
  static void load(std::span<const T> from, key* to) {
    if constexpr (k_coded)
      for (const T& value : from) *to++ = code::encode(value);
    else
      copy_run(from, to, stored_as_is());
  }
  static void sort(std::span<key> keys, order) { sort_keys(keys); }
};

/// The form of other elements: unchanged.
template <class T, class Less, bool Stable>
struct sorted_form<T, Less, Stable, false> {
  static constexpr bool k_has_nan = std::floating_point<T> && k_usual_order<T, Less>;
  using key = T;
  using order = std::conditional_t<k_has_nan, nan_last<Less>, Less>;
  using decode = stored_as_is;
  static constexpr bool k_coded = false;
  static constexpr std::uint64_t k_sort_ps = 3200;

  static order order_of(Less less) {
    if constexpr (k_has_nan)
      return {less};
    else
      return less;
  }
  static void load(std::span<const T> from, key* to) { copy_run(from, to, stored_as_is()); }
  static void sort(std::span<key> keys, order less) {
    if constexpr (Stable)
      std::stable_sort(keys.begin(), keys.end(), less);
    else
      std::sort(keys.begin(), keys.end(), less);
  }
};

/// Charges a simulation for sorting or merging: `ps` for each element and each level (charge_work()).
inline void charge_levels(std::uint64_t elements, std::uint64_t ways, std::uint64_t ps) {
  charge_work(elements * std::bit_width(ways) * ps / 1000);
}
inline constexpr std::uint64_t k_merge_ps = 1200;

/// Sorts elements on this core, in place; O(1) additional memory, but n / 2 elements for a stable sort.
template <bool Stable, class T, class Less>
void sort_here(std::span<T> elements, Less less) {
  using form = sorted_form<T, Less, Stable>;
  using key = typename form::key;
  charge_levels(elements.size(), elements.size(), form::k_sort_ps);
  // The elements' memory stores keys meanwhile, each in the place of one element.
  key* const keys = reinterpret_cast<key*>(elements.data());
  if constexpr (form::k_coded)
    for (T& element : elements) {
      const key k = form::code::encode(element);
      std::memcpy(static_cast<void*>(&element), &k, sizeof k);
    }
  form::sort({keys, elements.size()}, form::order_of(less));
  if constexpr (form::k_coded)
    for (T& element : elements) {
      key k;
      std::memcpy(&k, static_cast<const void*>(&element), sizeof k);
      element = form::code::decode(k);
    }
}

/// The state of one core in a parallel sort, over all of its stages. Collective, in this order: the
/// constructor, merge_to(), and then a barrier before it is destroyed.
template <class T, class Less, bool Stable>
class core_sort {
  using form = sorted_form<T, Less, Stable>;
  using key = typename form::key;

 public:
  /// Copies and sorts this core's block, and determines its bucket.
  core_sort(std::span<const T> mine, Less less, const sort_options& o)
      : less_(form::order_of(less)), run_(mine.size()) {
    form::load(mine, run_.data());
    form::sort(run_.span(), less_);
    charge_levels(mine.size(), mine.size(), form::k_sort_ps);
    bucket_ = divide_runs(std::span<const key>(run_.span()), cuts_, less_, o.choose_pivots);
  }

  /// Returns the size of this core's bucket, which begins at begin() in the global order.
  std::uint64_t size() const { return bucket_.size; }
  std::uint64_t begin() const { return bucket_.begin; }
  /// Returns the beginning of the block of core c, among the elements of all.
  std::uint64_t block_begin(core_id c) const { return bucket_.blocks[c]; }

  /// Writes the bucket, sorted, to the size() elements from `out` on. Computes only.
  void merge_to(T* out) {
    charge_levels(size(), cores() - 1, k_merge_ps);
    sort_buffer<key> room;
    merge_runs(std::move(bucket_.runs), here(), out, less_, typename form::decode(), [&] {
      room = sort_buffer<key>(bucket_.size);
      return room.data();
    });
  }

 private:
  [[no_unique_address]] typename form::order less_;
  sort_buffer<key> run_;
  std::vector<std::uint64_t> cuts_;
  bucket<key> bucket_;
};

/// Sorts the blocks of all cores, of any length, and returns this core's range of the global order, which
/// follows the ranges of the cores before it. The ranges have about equal lengths; core 0 gets all if there
/// are fewer than k_sort_alone elements. `less` must not throw, and is the same on every core. Equal elements
/// stay in core order, then in the order of the block, if Stable. Collective; suspends. Within a process the
/// cores read one another's blocks in place. To other processes each element is sent once.
template <bool Stable = false, class T, class Less = std::less<>>
std::vector<T> sort_blocks(std::span<const T> mine, Less less = {}, const sort_options& o = {}) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);
  core_sort<T, Less, Stable> sort(mine, less, o);
  std::vector<T> sorted(sort.size());
  sort.merge_to(sorted.data());
  barrier();
  return sorted;
}

}  // namespace sorting
}  // namespace gossamer
