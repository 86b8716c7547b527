#pragma once
// Numbers names in order of appearance: one core's part of the dictionary of a text's vertices.
// merge_names.hpp merges those of all cores.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/internal/name_hash.hpp"
#include "gossamer/graph/store/view.hpp"

namespace gossamer::graph {

/// Throws gossamer::error if the number of vertices exceeds the vertex type. `what`: their kind, in plural.
void check_count(std::uint64_t vertices, const char* what);

/// The names of one core, numbered in order of appearance. The text is copied. Open addressing, at most two
/// thirds full, in the order of hashes: growing moves slots forward only, and the names of a range of hashes
/// are adjacent. A slot fully identifies a short name.
class name_dictionary {
 public:
  /// Returns the number of `name`; a new one if it is new. Returns k_no_vertex if it has control characters
  /// or is not UTF-8. `position`: its position in the file; must not decrease from call to call. Throws
  /// gossamer::error if memory for more names does not suffice.
  vertex_id number(std::string_view name, std::uint64_t position) {
    return number(name, hash_name(name), position);
  }
  /// Does the same for a name whose hash is known.
  vertex_id number(std::string_view name, std::uint64_t hash, std::uint64_t position) {
    if (entries_.size() >= limit_) grow();
    const std::uint32_t length = kept_length(name.size());
    std::uint64_t i = hash >> shift_;
    for (; slots_[i].length != k_free; i = next(i)) {
      const slot& s = slots_[i];
      if (s.hash == hash && s.length == length &&
          (length <= k_short_name + 1 || this->name(s.number) == name))
        return s.number;
    }
    return add(i, name, hash, position);
  }

  /// Prefetches what number() reads first.
  void prefetch(std::uint64_t hash) const {
    if (slots_.size() != 0) __builtin_prefetch(&slots_[hash >> shift_]);
  }
  /// Prefetches, for a name that is not short, what number() reads next. prefetch_text() prefetches the rest,
  /// once this is in the cache.
  void prefetch_entry(std::uint64_t hash) const {
    const slot* const s = first_slot(hash);
    if (s) __builtin_prefetch(&entries_[s->number]);
  }
  void prefetch_text(std::uint64_t hash) const {
    const slot* const s = first_slot(hash);
    if (s) __builtin_prefetch(text_.data() + entries_[s->number].begin);
  }

  std::uint64_t size() const { return entries_.size(); }
  std::uint64_t text_bytes() const { return text_.size(); }
  std::string_view name(std::uint64_t i) const {
    const std::uint64_t begin = entries_[i].begin;
    return std::string_view(text_).substr(begin, end_of(i) - begin);
  }
  /// Returns the position of the first appearance of a name; ascending.
  std::uint64_t position(std::uint64_t i) const { return entries_[i].position; }

  /// Calls f(hash, number, length) for all names whose hash begins with `bits` bits of that value. Two names
  /// with equal hashes and equal lengths are equal if the length is at most k_short_name + 1.
  template <class F>
  void for_each_of(std::uint64_t value, unsigned bits, F f) const {
    if (slots_.size() == 0) return;
    const auto begins = [bits](std::uint64_t hash) { return bits == 0 ? 0 : hash >> (64 - bits); };
    const std::uint64_t least = bits == 0 ? 0 : value << (64 - bits);
    const std::uint64_t most = bits == 0 ? ~std::uint64_t{0} : least + (~std::uint64_t{0} >> bits);
    const std::uint64_t last = most >> shift_;
    // Slots up to `last` may be free. After it, the first free slot ends the moved entries.
    const std::uint64_t start = least >> shift_;
    std::uint64_t i = start;
    bool behind = false;
    do {
      const slot& s = slots_[i];
      behind = behind || i == last;
      if (s.length == k_free && behind) return;
      if (s.length != k_free && begins(s.hash) == value) f(s.hash, s.number, s.length);
      i = next(i);
    } while (i != start);
  }

 private:
  static constexpr std::uint32_t k_free = 0;

  struct entry {
    std::uint64_t position, begin;
  };
  struct slot {
    std::uint64_t hash;
    vertex_id number;
    std::uint32_t length;  // kept_length(), or k_free
  };

  /// Returns the length of a short name + 1, and the same value for all others.
  static std::uint32_t kept_length(std::size_t size) {
    return static_cast<std::uint32_t>(size <= k_short_name ? size + 1 : k_short_name + 2);
  }
  std::uint64_t next(std::uint64_t i) const { return (i + 1) & (slots_.size() - 1); }
  std::uint64_t end_of(std::uint64_t i) const {
    return i + 1 < entries_.size() ? entries_[i + 1].begin : text_.size();
  }
  const slot* first_slot(std::uint64_t hash) const {
    if (slots_.size() == 0) return nullptr;
    const slot& s = slots_[hash >> shift_];
    return s.length != k_free && s.hash == hash ? &s : nullptr;
  }
  vertex_id add(std::uint64_t at, std::string_view name, std::uint64_t hash, std::uint64_t position);
  void grow();

  buffer<slot> slots_;  // power of two, or none yet; zero bytes: free
  unsigned shift_ = 63;  // hash -> its first slot
  std::uint64_t limit_ = 0;  // maximum number of names before growing
  std::vector<entry> entries_;
  std::string text_;
};

}  // namespace gossamer::graph
