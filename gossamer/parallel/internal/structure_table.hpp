#pragma once
// Maps the ids of global structures to this core's objects, and detects structures that were destroyed.
// Numbers are reused with another generation, so a handle that outlives its structure is detected, whatever
// was made since.

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer::parallel {

/// The id of a structure; 0, 0: none.
struct structure_id {
  std::uint32_t number = 0, generation = 0;
};

/// The table of one core. Used by its core only.
class structure_table {
 public:
  /// Returns this core's object, or null if the structure was destroyed.
  void* find(structure_id id) const noexcept {
    if (id.number >= rows_.size()) return nullptr;
    const row& r = rows_[id.number];
    return r.generation == id.generation ? r.object : nullptr;
  }
  void add(structure_id id, void* object) {
    if (id.number >= rows_.size()) rows_.resize(id.number + 1);
    rows_[id.number] = {object, id.generation};
  }
  /// Removes this core's object and returns it, or null if there is none.
  void* end(structure_id id) {
    if (id.number >= rows_.size() || rows_[id.number].generation != id.generation) return nullptr;
    return std::exchange(rows_[id.number].object, nullptr);
  }

  /// Allocates an id. Called on the first core of the job.
  structure_id give() {
    if (free_.empty()) return {++allocated_, first_generation_};
    const structure_id next = free_.back();
    free_.pop_back();
    return {next.number, next.generation + 1};
  }
  void take_back(structure_id id) { free_.push_back(id); }

 private:
  struct row {
    void* object = nullptr;
    std::uint32_t generation = 0;
  };

  /// Returns another first generation for each table, so that handles of an earlier job are detected, too.
  static std::uint32_t next_first_generation() {
    constexpr std::uint32_t k_stride = 0x9e3779b1;  // odd: generations of two tables are far apart
    static std::atomic<std::uint32_t> tables{0};
    return (tables.fetch_add(1, std::memory_order_relaxed) + 1) * k_stride;  // relaxed: no other data follow
  }

  std::vector<row> rows_{1};
  std::vector<structure_id> free_;
  std::uint32_t first_generation_ = next_first_generation();
  std::uint32_t allocated_ = 0;
};

}  // namespace gossamer::parallel
