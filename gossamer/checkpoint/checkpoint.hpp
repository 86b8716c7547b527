#pragma once
// Checkpoints: the state that a job saves in a folder at the end of a phase. A later start, on any number of
// processes and cores, continues from there. ADR 0081 has the files and their order.
//
//   gossamer::checkpoint work({.folder = "work"}, "heat, 1000 x 1000");
//   work.add("temperatures", temperatures.handle());
//   work.add("step", &step);
//   work.restore();                      // false at the first start
//   while (step < 10'000) {
//     compute(temperatures, step++);
//     if (work.is_due()) work.save();
//   }
//   work.folder().forget();  // once the result is safe
//
// By the main fiber, while nothing changes the added objects; every function suspends. All processes must see
// the folder. The last checkpoint stays whole until the next one is on the disk: a kill, a power cut or a
// full disk at any moment leaves one of them.

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

/// The state that a job saves and restores. An object made without a folder does nothing.
class checkpoint {
 public:
  /// Makes a checkpoint that saves nothing.
  checkpoint();
  /// Opens the folder. `job` describes the computation, its inputs and options, but not the number of cores.
  /// Throws gossamer::error if the folder has the work of another job or program, if another process uses it,
  /// and if its checkpoint is damaged. Also if `seconds` is negative or no number.
  checkpoint(const checkpoint_options& options, const std::string& job);
  ~checkpoint();
  checkpoint(checkpoint&&) noexcept;
  checkpoint& operator=(checkpoint&&) noexcept;

  /// Returns whether anything is saved.
  explicit operator bool() const { return state_ != nullptr; }
  /// Returns the folder. It stays locked while this object or a copy of the folder exists.
  checkpoint_folder folder() const;
  /// Returns how many elements an array of that name had in the checkpoint; empty if there is none.
  std::optional<std::uint64_t> elements_of(const std::string& name) const;

  /// Adds an array. It is restored into an array of as many elements, however these are distributed.
  template <class T>
  void add(const std::string& name, const array<T>& a) {
    if (state_) add(name, checkpoints::array_item(section<T>(a, 0, a.size()).side()));
  }
  /// Adds a variable of the main fiber, which must outlive this object.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(const std::string& name, T* value) {
    if (state_) add(name, checkpoints::value_item(std::as_writable_bytes(std::span(value, 1))));
  }
  /// Adds the values of all cores. With as many cores, each gets its own value back. With another number of
  /// cores, the value of core c goes to the core at the same share of them, which calls merge(T& mine, const
  /// T& of_another); merge captures nothing. A core that gets no value keeps its own.
  template <class T, class Merge>
  void add(const std::string& name, const per_core<T>& values, Merge merge) {
    static_assert(std::is_trivially_copyable_v<T>, "values of cores are kept as bytes");
    if (state_) add(name, checkpoints::core_values<T, Merge>(values, merge));
  }
  /// Adds a hash map, whose keys and values are trivially copyable. Restoring inserts its keys.
  template <class Key, class Value>
    requires std::is_trivially_copyable_v<Key>
  void add(const std::string& name, const hash_map<Key, Value>& map) {
    if (state_) add(name, checkpoints::map_entries<Key, Value>(map));
  }
  /// Adds a hash set, whose keys are trivially copyable.
  template <class Key>
    requires std::is_trivially_copyable_v<Key>
  void add(const std::string& name, const hash_set<Key>& set) {
    if (state_) add(name, checkpoints::set_keys<Key>(set));
  }

  /// Reads the checkpoint into the added objects. Returns false if there is none. Throws gossamer::error,
  /// naming the file, if it is damaged, truncated or missing.
  bool restore();
  /// Returns whether it is time for the next one: see checkpoint_options::seconds.
  bool is_due() const;
  /// Writes a checkpoint, and removes the previous one. Throws gossamer::error if the disk is full; then the
  /// previous one is valid.
  void save();

 private:
  struct state;
  void add(const std::string& name, checkpoints::kept_item item);

  std::unique_ptr<state> state_;
};

}  // namespace gossamer
