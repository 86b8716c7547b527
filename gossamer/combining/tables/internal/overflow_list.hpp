#pragma once
// Entries that splitting segments cannot spread, because their hashes agree in all bits that the table uses.
// Found by a linear search. Empty unless a hash function is bad; such tables stay correct but become slow.

#include <cstddef>
#include <cstring>
#include <new>

#include "gossamer/combining/tables/internal/table_memory.hpp"

namespace gossamer::combining {

template <class Entry>
class overflow_list {
 public:
  bool empty() const noexcept { return head_ == nullptr; }

  template <class Equal>
  [[gnu::noinline]] Entry* find(const Equal& equal) const {
    for (block* b = head_; b != nullptr; b = b->next)
      for (std::size_t i = 0; i < b->used; ++i)
        if (Entry* const e = b->entry(i); equal(*e)) return e;
    return nullptr;
  }

  /// Returns the place of a new entry. Throws the exception of the resource.
  Entry* claim(table_memory& memory) {
    if (head_ == nullptr || head_->used == k_entries)
      head_ = new (memory.allocate(sizeof(block), alignof(block))) block(head_);
    return head_->entry(head_->used++);
  }

  /// Erases an entry. The last entry takes its place.
  void erase(Entry* e, table_memory& memory) noexcept {
    std::memmove(static_cast<void*>(e), head_->entry(--head_->used), sizeof *e);
    if (head_->used == 0) pop(memory);
  }

  void clear(table_memory& memory) noexcept {
    while (head_ != nullptr) pop(memory);
  }

  template <class F>
  void for_each(F&& f) const {
    for (block* b = head_; b != nullptr; b = b->next)
      for (std::size_t i = 0; i < b->used; ++i) f(*b->entry(i));
  }

 private:
  static constexpr std::size_t k_entries = 64;
  struct block {
    explicit block(block* rest) noexcept : next(rest) {}
    block* next;
    std::size_t used = 0;
    alignas(Entry) std::byte bytes[k_entries * sizeof(Entry)];
    Entry* entry(std::size_t i) noexcept { return reinterpret_cast<Entry*>(bytes) + i; }
  };

  void pop(table_memory& memory) noexcept {
    block* const b = head_;
    head_ = b->next;
    memory.deallocate(b, sizeof(block), alignof(block));
  }

  block* head_ = nullptr;  // the only block that is not full
};

}  // namespace gossamer::combining
