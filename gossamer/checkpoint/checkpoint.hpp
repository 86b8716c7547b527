#pragma once
// Checkpoints: what a job keeps in a folder at the end of a phase. Started again, on any number of processes and cores, it goes on from
// there. ADR 0081 has the files and their order.
//
//   gossamer::checkpoint work({.folder = "work"}, "heat, 1000 x 1000");
//   work.add("temperatures", temperatures.handle());
//   work.add("step", &step);
//   work.restore();                      // false at the first start
//   while (step < 10'000) {
//     compute(temperatures, step++);
//     if (work.is_due()) work.save();
//   }
//   gossamer::forget_checkpoint("work");  // once the result is safe
//
// By the main fiber, while nothing changes what was added; every function suspends. All processes must see the folder. The last checkpoint
// stays whole until the next one is on the disk: a kill, a power cut or a full disk at any moment leaves one of them.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/checkpoint/checkpoint_options.hpp"
#include "gossamer/checkpoint/internal/kept_item.hpp"
#include "gossamer/combining/hash_map.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/memory/transfer.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer {

/// What a job keeps, and goes on from. One made without a folder does nothing.
class checkpoint {
 public:
  /// Keeps nothing.
  checkpoint();
  /// Opens the folder. `job` says what is computed, of what and by which options, but not on how many cores. Throws gossamer::error where the
  /// folder has the work of another job or program, where another process uses it, and where its checkpoint is damaged.
  checkpoint(const checkpoint_options& options, const std::string& job);
  ~checkpoint();
  checkpoint(checkpoint&&) noexcept;
  checkpoint& operator=(checkpoint&&) noexcept;

  /// Returns whether anything is kept.
  explicit operator bool() const { return state_ != nullptr; }
  /// Returns how many elements an array of that name had in the checkpoint; nothing where there is none.
  std::optional<std::uint64_t> elements_of(const std::string& name) const;

  /// Keeps an array. It is restored into one of as many elements, however these are divided.
  template <class T>
  void add(const std::string& name, const array<T>& a) {
    if (state_) add(name, checkpoints::array_item(section<T>(a, 0, a.size()).side()));
  }
  /// Keeps a value of the main fiber's, which must outlive this.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(const std::string& name, T* value) {
    if (state_) add(name, checkpoints::value_item(std::as_writable_bytes(std::span(value, 1))));
  }
  /// Keeps the values of all cores. On as many cores each has its own again. On another number core c's goes to the core at the same share of
  /// them, which calls merge(T& mine, const T& of_another): it captures nothing. A core that gets none keeps what it has.
  template <class T, class Merge>
  void add(const std::string& name, const per_core<T>& values, Merge merge) {
    static_assert(std::is_trivially_copyable_v<T>, "values of cores are kept as bytes");
    if (state_) add(name, checkpoints::core_values<T, Merge>(values, merge));
  }
  /// Keeps a hash map, whose keys and values are trivially copyable. Its keys are inserted when it is restored.
  template <class Key, class Value>
    requires std::is_trivially_copyable_v<Key>
  void add(const std::string& name, const hash_map<Key, Value>& map) {
    if (state_) add(name, checkpoints::map_entries<Key, Value>(map));
  }
  /// Keeps a hash set, whose keys are trivially copyable.
  template <class Key>
    requires std::is_trivially_copyable_v<Key>
  void add(const std::string& name, const hash_set<Key>& set) {
    if (state_) add(name, checkpoints::set_keys<Key>(set));
  }

  /// Reads the checkpoint into what was added. Returns false where there is none. Throws gossamer::error, by the file, for what is damaged,
  /// cut off or missing.
  bool restore();
  /// Returns whether it is time for the next one: see checkpoint_options::seconds.
  bool is_due() const;
  /// Writes a checkpoint, and removes the one before. Throws gossamer::error where the disk is full; the one before is valid then.
  void save();

 private:
  struct state;
  void add(const std::string& name, checkpoints::kept_item item);

  std::unique_ptr<state> state_;
};

}  // namespace gossamer
