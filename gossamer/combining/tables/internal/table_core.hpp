#pragma once
// The common part of flat_table and string_table: entries found by a hash and a predicate. Extendible hashing
// (Fagin, Nievergelt, Pippenger, Strong, ACM TODS 1979): a directory of segments of about 16 KiB, indexed by
// hash bits. A full segment is split in two; other segments do not change. The directory doubles as needed
// (one pointer per segment or two). A table of less than one segment has a smaller one, which doubles.
//
// An insertion that finds no free slot within k_window groups of its home makes the segment grow. If memory
// for that is lacking, the segment fills up to its last slot before an insertion fails. Not all of these
// insertions try to allocate: a failed allocation may take far longer than an insertion, since it reads
// system information.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>

#include "gossamer/combining/tables/internal/overflow_list.hpp"
#include "gossamer/combining/tables/internal/table_memory.hpp"
#include "gossamer/combining/tables/internal/table_segment.hpp"

namespace gossamer::combining {

/// HashOf: a stateless function object that returns the hash with which an entry was inserted.
template <class Entry, class HashOf>
class table_core {
  using segment = table_segment<Entry>;

 public:
  static constexpr std::size_t k_most_moved = std::size_t{segment::k_most_groups} * segment::k_slots;

  explicit table_core(std::pmr::memory_resource& memory) noexcept : memory_(memory) {}
  ~table_core() { clear(); }
  table_core(const table_core&) = delete;
  table_core& operator=(const table_core&) = delete;

  template <class Equal>
  Entry* find(std::uint64_t hash, const Equal& equal) const {
    std::byte* const at = directory_[index_of(hash)];
    if (at == nullptr) [[unlikely]]
      return nullptr;
    Entry* const e = segment(at, group_mask_).find(hash, equal);
    if (e != nullptr) [[likely]]
      return e;
    return overflow_.empty() ? nullptr : overflow_.find(equal);
  }

  /// Returns the slot of a new entry, to be written at once. Throws if memory does not suffice. Then nothing
  /// but the length of the directory may have changed.
  Entry* claim(std::uint64_t hash) {
    Entry* e = claim_within(hash, window());
    if (e == nullptr) [[unlikely]]
      e = claim_slowly(hash);
    set_size(size() + 1);
    return e;
  }

  template <class Equal>
  bool erase(std::uint64_t hash, const Equal& equal) {
    std::byte* const at = directory_[index_of(hash)];
    if (at == nullptr) return false;
    if (!segment(at, group_mask_).erase(hash, equal)) {
      if (overflow_.empty()) return false;
      Entry* const e = overflow_.find(equal);
      if (e == nullptr) return false;
      overflow_.erase(e, memory_);
    }
    set_size(size() - 1);
    return true;
  }

  /// Calls f(entry) for each entry.
  template <class F>
  void for_each(F&& f) const {
    for_each_segment([&](segment s) {
      s.for_each([&](Entry& e) {
        f(e);
        return true;
      });
    });
    overflow_.for_each(f);
  }

  void clear() noexcept {
    // Backwards: the first directory entry of a segment is reached after its repetitions.
    for (std::size_t i = directory_mask_ + 1; i-- > 0;)
      if (first_in_directory(i)) free_segment(directory_[i], group_mask_ + 1);
    if (directory_ != &only_) free_directory(directory_, directory_mask_ + 1);
    overflow_.clear(memory_);
    directory_ = &only_;
    only_ = nullptr;
    directory_mask_ = 0;
    group_mask_ = 0;
    segments_ = 0;
    set_size(0);
    without_asking_ = 0;
  }

  const void* probable_address(std::uint64_t hash) const noexcept {
    std::byte* const at = directory_[index_of(hash)];
    return at != nullptr ? segment(at, group_mask_).entry_line(hash) : nullptr;
  }
  void prefetch(std::uint64_t hash) const noexcept {
    std::byte* const at = directory_[index_of(hash)];
    if (at != nullptr) segment(at, group_mask_).prefetch(hash);
  }

  /// Returns the number of entries. By any core: the owner may change it meanwhile.
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  std::size_t bytes() const noexcept { return memory_.bytes(); }
  std::size_t moved() const noexcept { return moved_; }
  table_memory& memory() noexcept { return memory_; }

 private:
  static constexpr std::uint32_t k_most_groups = segment::k_most_groups;
  static constexpr std::uint32_t k_window = 8;
  static constexpr std::size_t k_sample = 64;
  static constexpr std::uint32_t k_without_asking = 256;
  // Directory entries per segment: 1 to 4 with good hashes; a larger number indicates a bad hash.
  static constexpr std::size_t k_most_repeated = 16;

  void set_size(std::size_t n) noexcept { size_.store(n, std::memory_order_relaxed); }

  std::size_t index_of(std::uint64_t hash) const noexcept {
    return (hash >> k_directory_shift) & directory_mask_;
  }

  /// Returns the number of groups that a probe visits. Small segments grow before they are full.
  std::uint32_t window() const noexcept { return std::min(k_window, group_mask_ / 2 + 1); }

  Entry* claim_within(std::uint64_t hash, std::uint32_t window) const noexcept {
    std::byte* const at = directory_[index_of(hash)];
    return at != nullptr ? segment(at, group_mask_).claim(hash, window) : nullptr;
  }

  [[gnu::noinline]] Entry* claim_slowly(std::uint64_t hash) {
    if (without_asking_ > 0) {
      --without_asking_;
      if (Entry* const e = claim_within(hash, group_mask_ + 1); e != nullptr) return e;
    }
    try {
      grow(hash);
    } catch (...) {
      without_asking_ = k_without_asking;
      if (Entry* const e = claim_within(hash, group_mask_ + 1); e != nullptr) return e;
      throw;
    }
    if (Entry* const e = claim_within(hash, group_mask_ + 1); e != nullptr) return e;
    return overflow_.claim(memory_);
  }

  void grow(std::uint64_t hash) {
    if (only_ == nullptr && segments_ == 0)
      start();
    else if (group_mask_ + 1 < k_most_groups)
      enlarge();
    else
      divide(hash);
  }

  void start() {
    only_ = make_segment(1);
    segments_ = 1;
  }

  void enlarge() {
    const std::uint32_t before = group_mask_ + 1;
    std::byte* const larger = make_segment(2 * before);
    moved_ += segment(only_, group_mask_).copy_to(segment(larger, 2 * before - 1), HashOf{});
    free_segment(only_, before);
    only_ = larger;
    group_mask_ = 2 * before - 1;
  }

  void divide(std::uint64_t hash) {
    const std::size_t i = index_of(hash);
    const unsigned depth = depth_of(i);
    const segment full(directory_[i], group_mask_);
    if (!is_worth_dividing(full, depth)) return;
    if (std::size_t{1} << depth == directory_mask_ + 1) double_directory();
    std::byte* const fresh = make_segment(k_most_groups);
    ++segments_;
    moved_ += full.divide(segment(fresh, group_mask_), bit_of(depth), HashOf{});
    const std::size_t one = std::size_t{1} << depth;
    for (std::size_t j = (i & (one - 1)) | one; j <= directory_mask_; j += 2 * one) directory_[j] = fresh;
  }

  static constexpr std::uint64_t bit_of(unsigned depth) {
    return std::uint64_t{1} << (k_directory_shift + depth);
  }

  /// Returns how many directory bits of the hash all entries of this segment share. Derived from the distance
  /// to the next repetition in the directory.
  unsigned depth_of(std::size_t i) const noexcept {
    unsigned depth = static_cast<unsigned>(std::countr_one(directory_mask_));
    while (depth > 0 && directory_[i ^ (std::size_t{1} << (depth - 1))] == directory_[i]) --depth;
    return depth;
  }

  /// Returns whether splitting is likely to help: the segment has to be half full, and both halves nonempty.
  /// With bad hashes it does not help.
  bool is_worth_dividing(segment full, unsigned depth) const {
    if (depth == k_most_directory_bits) return false;
    if (std::size_t{1} << depth == directory_mask_ + 1 && directory_mask_ >= k_most_repeated * segments_)
      return false;
    if (full.size() < k_most_moved / 2) return false;
    std::size_t seen = 0, ones = 0;
    full.for_each([&](const Entry& e) {
      ones += (HashOf{}(e)&bit_of(depth)) != 0;
      return ++seen < k_sample;
    });
    return ones >= seen / 8 && seen - ones >= seen / 8;
  }

  void double_directory() {
    const std::size_t n = directory_mask_ + 1;
    auto* const longer =
        static_cast<std::byte**>(memory_.allocate(2 * n * sizeof(std::byte*), alignof(std::byte*)));
    std::copy_n(directory_, n, longer);
    std::copy_n(directory_, n, longer + n);
    if (directory_ != &only_) free_directory(directory_, n);
    directory_ = longer;
    directory_mask_ = 2 * n - 1;
  }

  bool first_in_directory(std::size_t i) const noexcept {
    return directory_[i] != nullptr && (i == 0 || directory_[i - std::bit_floor(i)] != directory_[i]);
  }

  template <class F>
  void for_each_segment(F&& f) const {
    for (std::size_t i = 0; i <= directory_mask_; ++i)
      if (first_in_directory(i)) f(segment(directory_[i], group_mask_));
  }

  std::byte* make_segment(std::uint32_t groups) {
    auto* const front = static_cast<std::byte*>(memory_.allocate(segment::bytes(groups), segment::k_align));
    std::byte* const at = front + segment::front_bytes(groups);
    segment(at, groups - 1).clear();
    return at;
  }
  void free_segment(std::byte* at, std::uint32_t groups) noexcept {
    memory_.deallocate(at - segment::front_bytes(groups), segment::bytes(groups), segment::k_align);
  }
  void free_directory(std::byte** directory, std::size_t n) noexcept {
    memory_.deallocate(static_cast<void*>(directory), n * sizeof(std::byte*), alignof(std::byte*));
  }

  // Read first by every lookup.
  std::byte** directory_ = &only_;
  std::uint64_t directory_mask_ = 0;
  std::uint32_t group_mask_ = 0;
  overflow_list<Entry> overflow_;
  std::byte* only_ = nullptr;  // the directory of a single segment
  std::atomic<std::size_t> size_{0};  // relaxed: one writer, and a number alone
  std::size_t segments_ = 0, moved_ = 0;
  std::uint32_t without_asking_ = 0;  // insertions that fill segments before the next attempt to allocate
  table_memory memory_;
};

}  // namespace gossamer::combining
