#pragma once
// Values of keys that are small integers: an array with one cell for each possible key, on every core. Keys
// are not hashed. Pages of cells take memory when they are first touched. Partitions are ranges of keys.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/base/copied.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::mapreduce {

/// Throws gossamer::error: a key is not in 0 to n - 1.
[[noreturn, gnu::cold]] void refuse_key(bool negative, std::uint64_t key, std::uint64_t n);
/// Throws gossamer::error if memory does not suffice for n cells on each core of this process.
void check_dense_keys(std::uint64_t n, std::size_t cell_bytes);

/// The object that the map function emits into: an array of this core. One core at a time uses it. Other
/// cores read it in place after the stage of its core has ended.
template <class Key, class Value, class Combine>
class dense_emitter {
  static_assert(std::is_integral_v<Key> || std::is_enum_v<Key>, "dense keys are integers");
  static_assert(std::is_trivially_copyable_v<Value>, "values are copied as bytes");

 public:
  /// An emitted key and its value, as sent to another process.
  struct entry {
    std::uint64_t key;
    Value value;
  };

  /// Emits a pair. Never suspends; throws gossamer::error for a key out of range.
  void emit(Key key, const Value& value) {
    const auto k = static_cast<std::uint64_t>(key);
    if (k >= n_) [[unlikely]]
      refuse_key(key < Key{}, k, n_);
    add(k, value);
  }
  /// Emits values[i] with the key first + i. For map functions that have combined values in local variables.
  /// Otherwise as emit().
  void emit_range(Key first, std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      emit(static_cast<Key>(static_cast<std::uint64_t>(first) + i), values[i]);
  }
  void flush() {}

  /// Returns 0: counting would cost as much as emitting. So simulations charge only what the map function
  /// declares.
  static constexpr std::uint64_t emitted() { return 0; }
  std::uint64_t bytes() const { return n_ * sizeof(cell); }
  /// Returns the number of distinct emitted keys. Reads all cells.
  std::uint64_t count_pairs() const {
    const auto is_taken = [](const cell& c) { return c.taken; };
    return static_cast<std::uint64_t>(std::count_if(cells_.data(), cells_.data() + n_, is_taken));
  }

  /// Allocates the cells. Call it before anything is emitted.
  void prepare(const Combine& combine, std::uint64_t n) {
    check_dense_keys(n, sizeof(cell));
    combine_.set(combine);
    n_ = n;
    cells_ = {n, "a dense array of keys", machine::pages::huge};
  }

  /// Returns the first key of a partition.
  std::uint64_t begin_of(core_id partition) const { return parallel::block_begin(0, n_, partition, cores()); }

  /// Combines another core's values of a partition into those of this core.
  void join(const dense_emitter& from, core_id partition) {
    from.for_each(partition, [&](std::uint64_t key, const Value& value) { add(key, value); });
  }
  void join(std::span<const std::byte> entries) {
    for (; !entries.empty(); entries = entries.subspan(sizeof(entry))) {
      entry e;
      std::memcpy(static_cast<void*>(&e), entries.data(), sizeof e);
      add(e.key, e.value);
    }
  }
  /// Appends this core's values of a partition.
  void write(core_id partition, std::vector<std::byte>& out) const {
    for_each(partition, [&](std::uint64_t key, const Value& value) {
      const entry e{key, value};
      const auto* const bytes = reinterpret_cast<const std::byte*>(&e);
      out.insert(out.end(), bytes, bytes + sizeof e);
    });
  }
  /// Calls f(key, value) for each emitted key of a partition, ascending.
  template <class F>
  void for_each(core_id partition, F f) const {
    for (std::uint64_t k = begin_of(partition), end = begin_of(partition + 1); k < end; ++k)
      if (cells_[k].taken) f(k, cells_[k].value);
  }

 private:
  /// Both members are on one cache line: a core completes two stores per cycle if they go to the same line.
  struct cell {
    Value value;
    bool taken;
  };
  static constexpr bool k_adds = std::is_integral_v<Value> && std::is_same_v<Combine, std::plus<>>;

  void add(std::uint64_t k, const Value& value) {
    cell& c = cells_[k];
    if constexpr (k_adds)  // starting from zero
      c.value += value;
    else
      c.value = c.taken ? (*combine_)(c.value, value) : value;
    c.taken = true;
  }

  machine::zeroed_array<cell> cells_;
  std::uint64_t n_ = 0;
  copied<Combine> combine_;
};

}  // namespace gossamer::mapreduce
