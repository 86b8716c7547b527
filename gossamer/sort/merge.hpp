#pragma once
// Merges sorted runs on one core: a tree of two-way merges, stable (of equal elements, those of an earlier
// run come first). A two-way merge proceeds in four places at once, from both ends and to both sides of the
// middle, so that no comparison waits for the previous one; none of them is a branch. For 64-bit keys that
// takes 1.2 ns for each key and level of the tree. A loser tree, which reads and writes each once, takes 7 ns
// with two runs and 22 with sixteen. Elements before or after all of the other run are copied (sorted input,
// few distinct keys).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace gossamer::sorting {

/// Stores elements unchanged; the `Store` of merges whose result is merged again.
struct stored_as_is {
  template <class K>
  const K& operator()(const K& k) const {
    return k;  // NOLINT(bugprone-return-const-ref-from-parameter): of elements in memory
  }
};

template <class K, class Out, class Store>
void copy_run(std::span<const K> from, Out* to, Store store) {
  if constexpr (std::is_same_v<Store, stored_as_is>) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size_bytes());
  } else {
    for (const K& k : from) *to++ = store(k);
  }
}

/// One end of a merge: takes the smallest remaining elements of two runs, or the largest.
template <class K, class Less, class Out, class Store>
class merge_cursor {
 public:
  merge_cursor(std::span<const K> a, std::span<const K> b, Out* out, Less less, Store store)
      : a_(a.data()),
        a_end_(a_ + a.size()),
        b_(b.data()),
        b_end_(b_ + b.size()),
        out_(out),
        out_end_(out + a.size() + b.size()),
        less_(less),
        store_(store) {}

  /// Returns a number of steps of both ends during which neither run becomes empty.
  std::size_t safe_steps() const { return static_cast<std::size_t>(std::min(a_end_ - a_, b_end_ - b_)) / 2; }
  void step() {
    const bool second = less_(*b_, *a_);
    *out_++ = store_(chosen(second, *b_, *a_));
    b_ += second;
    a_ += !second;
    const bool first = less_(b_end_[-1], a_end_[-1]);
    *--out_end_ = store_(chosen(first, a_end_[-1], b_end_[-1]));
    a_end_ -= first;
    b_end_ -= !first;
  }
  void finish() {
    for (std::size_t n = safe_steps(); n >= 8; n = safe_steps())
      for (; n > 0; --n) step();
    while (a_ != a_end_ && b_ != b_end_) {
      const bool second = less_(*b_, *a_);
      *out_++ = store_(chosen(second, *b_, *a_));
      b_ += second;
      a_ += !second;
    }
    copy_run(std::span(a_, a_end_), out_, store_);
    copy_run(std::span(b_, b_end_), out_ + (a_end_ - a_), store_);
  }

 private:
  /// Selects by value if the element fits a register.
  using choice = std::conditional_t<std::is_arithmetic_v<K>, K, const K&>;
  static choice chosen(bool one, const K& if_one, const K& otherwise) {
    if constexpr (std::is_arithmetic_v<K>) {
      const K x = if_one, y = otherwise;
      return one ? x : y;
    } else {
      return one ? if_one : otherwise;
    }
  }

  const K *a_, *a_end_, *b_, *b_end_;
  Out *out_, *out_end_;
  [[no_unique_address]] Less less_;
  [[no_unique_address]] Store store_;
};

/// Returns how many of the first k elements of the merge come from a.
template <class K, class Less>
std::size_t taken_from_first(std::size_t k, std::span<const K> a, std::span<const K> b, Less less) {
  std::size_t low = k > b.size() ? k - b.size() : 0, high = std::min(k, a.size());
  while (low < high) {
    const std::size_t i = low + (high - low) / 2;
    if (less(b[k - i - 1], a[i]))
      high = i;
    else
      low = i + 1;
  }
  return low;
}

/// Merges a and b to `out`, which overlaps neither. Computes only.
template <class K, class Less, class Out, class Store>
void merge_two(std::span<const K> a, std::span<const K> b, Out* out, Less less, Store store) {
  if (!a.empty() && !b.empty() && less(b.back(), a.front())) std::swap(a, b);
  if (a.empty() || b.empty() || !less(b.front(), a.back())) {
    copy_run(a, out, store);
    copy_run(b, out + a.size(), store);
    return;
  }
  // Copy the elements before all of b, and those after all of a.
  const auto head =
      static_cast<std::size_t>(std::upper_bound(a.begin(), a.end(), b.front(), less) - a.begin());
  copy_run(a.first(head), out, store);
  out += head;
  a = a.subspan(head);
  const auto tail =
      static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a.back(), less) - b.begin());
  copy_run(b.subspan(tail), out + a.size() + tail, store);
  b = b.first(tail);

  const std::size_t middle = (a.size() + b.size()) / 2, i = taken_from_first(middle, a, b, less);
  merge_cursor<K, Less, Out, Store> low(a.first(i), b.first(middle - i), out, less, store);
  merge_cursor<K, Less, Out, Store> high(a.subspan(i), b.subspan(middle - i), out + middle, less, store);
  for (;;) {
    std::size_t n = std::min(low.safe_steps(), high.safe_steps());
    if (n < 8) break;
    for (; n > 0; --n) {
      low.step();
      high.step();
    }
  }
  low.finish();
  high.finish();
}

/// Merges `runs` into one, in `to`; a single run is returned unchanged. `other` is a buffer of the same size.
/// Begins with the half of the runs that contains number `first`.
template <class K, class Less>
std::span<const K> merge_tree(std::span<const std::span<const K>> runs, std::size_t first, K* to, K* other,
                              Less less) {
  if (runs.size() == 1) return runs[0];
  const std::size_t half = runs.size() / 2;
  std::size_t before = 0, all = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) (r < half ? before : all) += runs[r].size();
  all += before;
  std::span<const K> low, high;
  const auto merge_low = [&] { low = merge_tree(runs.first(half), first, other, to, less); };
  if (first < half) merge_low();
  high = merge_tree(runs.subspan(half), first < half ? 0 : first - half, other + before, to + before, less);
  if (first >= half) merge_low();
  merge_two(low, high, to, less, stored_as_is());
  return {to, all};
}

/// Merges `runs` to `out`, each element as store(element). `spare()` returns a buffer for all elements; it is
/// called if there are more than two runs. Reads run number `first` among the first ones. `out` has elements
/// of the size of K, and overlaps no run.
template <class K, class Less, class Out, class Store, class Spare>
void merge_runs(std::vector<std::span<const K>> runs, std::size_t first, Out* out, Less less, Store store,
                Spare spare) {
  static_assert(sizeof(K) == sizeof(Out));
  std::erase_if(runs, [](std::span<const K> r) { return r.empty(); });
  if (runs.empty()) return;
  if (runs.size() == 1) return copy_run(runs[0], out, store);
  if (runs.size() == 2) return merge_two(runs[0], runs[1], out, less, store);
  first = std::min(first, runs.size() - 1);
  const std::size_t half = runs.size() / 2;
  const std::span<const std::span<const K>> all(runs);
  std::size_t before = 0;
  for (const std::span<const K> r : all.first(half)) before += r.size();
  // Intermediate results are stored in `out`, too; its bytes are a K's until the last merge.
  K *const room = spare(), *const between = reinterpret_cast<K*>(out);
  std::span<const K> low, high;
  const auto merge_low = [&] { low = merge_tree(all.first(half), first, room, between, less); };
  if (first < half) merge_low();
  high =
      merge_tree(all.subspan(half), first < half ? 0 : first - half, room + before, between + before, less);
  if (first >= half) merge_low();
  merge_two(low, high, out, less, store);
}

}  // namespace gossamer::sorting
