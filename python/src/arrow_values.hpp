#pragma once
// The values of a whole column of numbers side by side, and the texts of a column by row, whatever the chunks.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "arrow_table.hpp"

namespace gossamer::python {

/// The values of a column as T: in place where they lie so, else copied. Moved, not copied. The table outlives it.
template <class T>
class values_as {
 public:
  /// Reads a column of integers, dates or Booleans, for T = double also of reals, for 128 bits of decimals. Throws gossamer::error for
  /// integers of 2^63 and more where T is std::int64_t.
  explicit values_as(const arrow_column& c) {
    if (c.chunks().size() == 1 && c.kind() != arrow_kind::booleans && c.kind() != arrow_kind::decimals) {
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        if constexpr (std::is_same_v<V, T>)
          if (reinterpret_cast<std::uintptr_t>(values) % alignof(T) == 0) all_ = {values, n};
      });
      if (all_.size() == c.size()) return;
    }
    if constexpr (std::is_same_v<T, std::int64_t>) {
      copy_ = c.integers();
    } else if constexpr (std::is_same_v<T, wide_integer>) {
      copy_ = c.decimals();
    } else {
      copy_.reserve(c.size());
      c.for_each_chunk([&]<class V>(const V* values, std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i)
          copy_.push_back(static_cast<T>(arrow_load<V>(values, static_cast<std::int64_t>(i))));
      });
    }
    all_ = copy_;
  }
  values_as(values_as&&) noexcept = default;
  values_as& operator=(values_as&&) noexcept = default;

  /// Takes some rows of another, by number: copies them.
  values_as(const values_as& of, const std::vector<std::uint64_t>& rows) {
    copy_.reserve(rows.size());
    for (const std::uint64_t row : rows) copy_.push_back(of.all_[row]);
    all_ = copy_;
  }

  std::span<const T> all() const { return all_; }

 private:
  std::span<const T> all_;
  std::vector<T> copy_;
};

/// The texts of a column by row, whatever its chunks. The table outlives it.
class column_texts {
 public:
  /// Takes a column of texts. Throws gossamer::error for others.
  explicit column_texts(const arrow_column& c) : column_(c) {
    if (c.kind() != arrow_kind::texts) c.refuse("texts");
    for (const arrow_chunk& chunk : column_.chunks())
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + static_cast<std::uint64_t>(chunk.size));
  }

  /// Writes the texts of the rows from `first` on, as many as there is room for.
  void read(std::uint64_t first, std::span<std::string_view> to) const {
    auto at = static_cast<std::size_t>(std::ranges::upper_bound(ends_, first) - ends_.begin());
    for (; !to.empty(); ++at) {
      const std::uint64_t n = std::min<std::uint64_t>(to.size(), ends_[at] - first);
      const arrow_chunk& chunk = column_.chunks()[at];
      const std::int64_t before = chunk.size - static_cast<std::int64_t>(ends_[at] - first);
      std::string_view* next = to.data();
      column_.for_each_text({chunk.array, chunk.begin + before, static_cast<std::int64_t>(n)},
                            [&](std::string_view text) { *next++ = text; });
      to = to.subspan(n);
      first += n;
    }
  }

 private:
  arrow_column column_;
  std::vector<std::uint64_t> ends_;  // the rows up to the end of each chunk
};

}  // namespace gossamer::python
