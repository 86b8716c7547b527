#pragma once
// The stages of a parallel sort, for cores that each bring a block: sort_blocks(), which is collective, and what it
// shares with the sort of global arrays (sort.hpp).

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

/// How a parallel sort works.
struct sort_options {
  pivots choose_pivots = pivots::all_cores;  // one_core: for comparison
};

namespace sorting {

/// What the elements are while they are sorted: unsigned keys, where Less is < or > of numbers.
template <class T, class Less, bool Stable, bool Keys = k_has_keys<T, Less, Stable>>
struct sorted_form {
  using code = ordered_key<T, k_descending<T, Less>>;
  using key = typename code::key;
  using order = std::less<>;
  static constexpr bool k_coded =
      !std::is_same_v<key, T> || k_descending<T, Less>;  // keys differ from elements
  static constexpr std::uint64_t k_sort_ps = 650;  // for each element and halving
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

/// The elements themselves, otherwise.
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

/// Declares to a simulation what sorting costs, or merging, for each element and each level (charge_work()).
inline void charge_levels(std::uint64_t elements, std::uint64_t ways, std::uint64_t ps) {
  charge_work(elements * std::bit_width(ways) * ps / 1000);
}
inline constexpr std::uint64_t k_merge_ps = 1200;

/// Sorts elements on this core, in place; O(1) further memory, but n / 2 elements where it is stable.
template <bool Stable, class T, class Less>
void sort_here(std::span<T> elements, Less less) {
  using form = sorted_form<T, Less, Stable>;
  using key = typename form::key;
  charge_levels(elements.size(), elements.size(), form::k_sort_ps);
  // The elements' memory holds keys meanwhile, each in the place of one element.
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

/// One core's side of a parallel sort, over all of its stages. Collective, in this order: the constructor, merge_to(),
/// and then a barrier before it is destroyed.
template <class T, class Less, bool Stable>
class core_sort {
  using form = sorted_form<T, Less, Stable>;
  using key = typename form::key;

 public:
  /// Copies and sorts what this core brings, and finds out what its bucket is.
  core_sort(std::span<const T> mine, Less less, const sort_options& o)
      : less_(form::order_of(less)), run_(mine.size()) {
    form::load(mine, run_.data());
    form::sort(run_.span(), less_);
    charge_levels(mine.size(), mine.size(), form::k_sort_ps);
    bucket_ = divide_runs(std::span<const key>(run_.span()), cuts_, less_, o.choose_pivots);
  }

  /// Counts the elements of this core's bucket, which begins at begin() in the global order.
  std::uint64_t size() const { return bucket_.size; }
  std::uint64_t begin() const { return bucket_.begin; }
  /// Returns where the block of core c begins, among the elements of all.
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

/// Sorts what all cores bring, blocks of any length, and returns this core's range of the global order, after the ranges of
/// the cores before it. The ranges have about equal lengths; of fewer than k_sort_alone elements core 0 gets
/// all. `less` must not throw, and is the same on every core. Equal elements stay in core order, then in the order
/// of the block, where Stable. Collective; suspends. In a process the cores read one another's blocks in place; to
/// other processes each element travels once.
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
