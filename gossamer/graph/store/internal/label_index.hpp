#pragma once
// Finds vertices by string labels, with a table that is made at the second look-up.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gossamer/graph/store/internal/labels.hpp"

namespace gossamer::graph {

/// A hash table of names: open addressing, two thirds full. Immutable.
class label_table {
 public:
  explicit label_table(const labels& names);
  std::optional<vertex_id> find(const labels& names, std::string_view text) const;
  std::uint64_t memory_bytes() const { return slots_.size() * sizeof(slot); }
  static std::uint64_t bytes_for(std::uint64_t names) { return slots_for(names) * sizeof(slot); }

 private:
  struct slot {
    std::uint32_t tag;  // of the hash
    vertex_id after;    // vertex + 1; 0: free
  };
  static std::uint64_t slots_for(std::uint64_t names) { return names + names / 2 + 2; }
  std::uint64_t first(std::uint64_t hash) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(hash) * slots_.size() >> 64);
  }
  std::uint64_t next(std::uint64_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }

  buffer<slot> slots_;
};

/// The table of a set of labels and their copies, or none yet. Any thread.
class label_index {
 public:
  label_index() = default;
  label_index(const label_index&) = delete;
  label_index& operator=(const label_index&) = delete;
  ~label_index();

  /// Returns the table. Makes it in the second call. Returns nullptr in the first one, and if memory does not
  /// suffice.
  const label_table* table_of(const labels& names);
  std::uint64_t memory_bytes() const;

 private:
  std::atomic<bool> searched_{false};
  std::atomic<const label_table*> table_{nullptr};  // owned
};

}  // namespace gossamer::graph
