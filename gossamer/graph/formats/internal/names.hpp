#pragma once
// Vertices that are names: one dictionary per core while a file is read, merged into one numbering
// afterwards, in order of first appearance in the file (so the same on any number of cores).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/formats/edges.hpp"
#include "gossamer/graph/formats/internal/labels.hpp"

namespace gossamer::graph {

/// Returns the hash of a name, the same in every process.
std::uint64_t hash_name(std::string_view name);

/// Returns whether a name is allowed: UTF-8 without control characters.
bool is_clean_name(std::string_view name);

/// Throws gossamer::error for the first name that is not allowed in a file that is to be written to `path`. Uses the cores of this
/// process.
void require_clean_names(const labels& names, const std::string& path);

/// One core's names, numbered as they come. Open addressing at most half full; the text is copied.
class name_dictionary {
 public:
  /// Returns the number of `name`, a new one if it is new. Returns k_no_vertex if it has control characters
  /// or is no UTF-8. `position`: where in the file; must not decrease from call to call. Throws
  /// gossamer::error where there is no memory for more names.
  vertex_id number(std::string_view name, std::uint64_t position);

  std::uint64_t size() const { return entries_.size(); }
  std::uint64_t text_bytes() const { return text_.size(); }
  std::string_view name(std::uint64_t i) const {
    return std::string_view(text_).substr(entries_[i].begin, entries_[i].length);
  }
  std::uint64_t hash(std::uint64_t i) const { return entries_[i].hash; }
  std::uint64_t position(std::uint64_t i) const { return entries_[i].position; }

 private:
  struct entry {
    std::uint64_t hash, position, begin;
    std::uint64_t length;
  };
  struct slot {
    std::uint32_t tag;  // high half of the hash
    vertex_id number = k_no_vertex;
  };
  void grow();

  std::vector<slot> slots_;  // power of two, or none yet
  std::vector<entry> entries_;
  std::string text_;
};

struct merged_names {
  labels names;
  std::vector<std::vector<vertex_id>> numbers;  // per dictionary: its number -> vertex
  std::vector<std::uint64_t> positions;  // of the first appearance, ascending
};

/// Merges all dictionaries' names in order of first appearance. Uses the cores of this process.
merged_names merge_names(const std::vector<const name_dictionary*>& parts);

}  // namespace gossamer::graph
