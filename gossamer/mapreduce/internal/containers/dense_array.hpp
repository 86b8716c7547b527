#pragma once
// Values of keys that are small integers: one cell for each key that there may be, on every core. No key is hashed. Cells
// take memory when they are first touched. Partitions are ranges of keys.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/parallel/loop.hpp"

namespace gossamer::mapreduce {

/// Throws gossamer::error for a key that is none of 0 to n - 1.
[[noreturn, gnu::cold]] void refuse_key(bool negative, std::uint64_t key, std::uint64_t n);
/// Throws gossamer::error where there is no room for n cells on each core of this process.
void check_dense_keys(std::uint64_t n, std::size_t cell_bytes);

/// What the map function emits into: an array of this core. Used by one core at a time; read in place by the others once
/// its core has come to the end of its stage.
template <class Key, class Value, class Combine>
class dense_emitter {
  static_assert(std::is_integral_v<Key> || std::is_enum_v<Key>, "dense keys are integers");
  static_assert(std::is_trivially_copyable_v<Value>, "values are copied as bytes");

 public:
  /// A key that was emitted, for another process.
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
  /// Emits values[i] with the key first + i: what a map function has combined by itself, in local variables. Otherwise as emit().
  void emit_range(Key first, std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      emit(static_cast<Key>(static_cast<std::uint64_t>(first) + i), values[i]);
  }
  void flush() {}

  /// Counts nothing: a count would cost as much as an emission. So simulations charge what the map function declares, and no more.
  static constexpr std::uint64_t emitted() { return 0; }
  std::uint64_t bytes() const { return n_ * sizeof(cell); }
  /// Counts the keys that were emitted. Looks at all cells.
  std::uint64_t count_pairs() const {
    const auto is_taken = [](const cell& c) { return c.taken; };
    return static_cast<std::uint64_t>(std::count_if(cells_.data(), cells_.data() + n_, is_taken));
  }

  /// Makes the cells. Before anything is emitted.
  void prepare(const Combine& combine, std::uint64_t n) {
    check_dense_keys(n, sizeof(cell));
    combine_ = combine;
    n_ = n;
    cells_ = {n, "a dense array of keys", machine::pages::huge};
  }

  /// Returns where the range of a partition begins.
  std::uint64_t begin_of(core_id partition) const { return parallel::block_begin(0, n_, partition, cores()); }

  /// Combines what another core has of a partition into what this one has.
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
  /// Appends what this core has of a partition.
  void write(core_id partition, std::vector<std::byte>& out) const {
    for_each(partition, [&](std::uint64_t key, const Value& value) {
      const entry e{key, value};
      const auto* const bytes = reinterpret_cast<const std::byte*>(&e);
      out.insert(out.end(), bytes, bytes + sizeof e);
    });
  }
  /// Calls f(key, value) for each key of a partition that was emitted, ascending.
  template <class F>
  void for_each(core_id partition, F f) const {
    for (std::uint64_t k = begin_of(partition), end = begin_of(partition + 1); k < end; ++k)
      if (cells_[k].taken) f(k, cells_[k].value);
  }

 private:
  /// Both on one line: a core stores twice in a cycle where both stores go to the same line.
  struct cell {
    Value value;
    bool taken;
  };
  static constexpr bool k_adds = std::is_integral_v<Value> && std::is_same_v<Combine, std::plus<>>;

  void add(std::uint64_t k, const Value& value) {
    cell& c = cells_[k];
    if constexpr (k_adds)  // to zero, at first
      c.value += value;
    else
      c.value = c.taken ? combine_(c.value, value) : value;
    c.taken = true;
  }

  machine::zeroed_array<cell> cells_;
  std::uint64_t n_ = 0;
  [[no_unique_address]] Combine combine_;
};

}  // namespace gossamer::mapreduce
