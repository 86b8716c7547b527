#pragma once
// Merges the requests of a batch for the same key: stores each key once, in the order of first requests.

#include <cstdint>
#include <utility>
#include <vector>

#include "gossamer/base/bits.hpp"

namespace gossamer::combining {

/// Entry: the data stored for the first request for a key; has a member `key`. Used by its core only.
/// Clearing is O(1): slots store the round in which they were filled.
template <class Entry>
class distinct {
 public:
  /// Returns the entry for a key, and whether it was inserted. Constructs it from the arguments if it is
  /// absent.
  template <class Key, class... Args>
  std::pair<std::uint32_t, bool> add(std::uint64_t hash, const Key& key, Args&&... args) {
    if (2 * entries_.size() >= slots_.size()) [[unlikely]]
      grow();
    for (std::uint64_t at = hash;; ++at) {
      slot& s = slots_[at & (slots_.size() - 1)];
      if (s.round != round_) {
        entries_.push_back(Entry{key, std::forward<Args>(args)...});
        hashes_.push_back(hash);
        s = {round_, static_cast<std::uint32_t>(entries_.size() - 1)};
        return {s.index, true};
      }
      if (entries_[s.index].key == key) return {s.index, false};
    }
  }
  /// Returns the entry for a key, or null.
  template <class Key>
  const Entry* find(std::uint64_t hash, const Key& key) const {
    if (entries_.empty()) return nullptr;
    for (std::uint64_t at = hash;; ++at) {
      const slot& s = slots_[at & (slots_.size() - 1)];
      if (s.round != round_) return nullptr;
      if (entries_[s.index].key == key) return &entries_[s.index];
    }
  }
  Entry& operator[](std::uint32_t index) { return entries_[index]; }
  std::uint64_t hash(std::size_t index) const { return hashes_[index]; }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  void clear() {
    entries_.clear();
    hashes_.clear();
    if (++round_ != 0) return;
    slots_.assign(slots_.size(), {});
    round_ = 1;
  }

 private:
  struct slot {
    std::uint32_t round = 0, index = 0;
  };

  /// Doubles the slots. Reserves memory for the entries, too, so that nothing throws between the two
  /// insertions.
  void grow() {
    const std::size_t slots = slots_.empty() ? 64 : 2 * slots_.size();
    entries_.reserve(slots / 2);
    hashes_.reserve(slots / 2);
    slots_.assign(slots, {});
    round_ = 1;
    for (std::uint32_t e = 0; e < hashes_.size(); ++e) {
      std::uint64_t at = hashes_[e];
      while (slots_[at & (slots_.size() - 1)].round == round_) ++at;
      slots_[at & (slots_.size() - 1)] = {round_, e};
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint64_t> hashes_;
  std::vector<slot> slots_;
  std::uint32_t round_ = 1;
};

}  // namespace gossamer::combining
