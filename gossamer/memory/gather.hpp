#pragma once
// Gathers elements of a global array by many indices at once. Requests travel to the owners in bulk, and answers travel
// back in bulk and are stored where they belong. No fiber waits for a single element.

#include <cstdint>
#include <span>

#include "gossamer/memory/array.hpp"

namespace gossamer {

namespace memory {

template <class T>
struct gather_answer {
  T* into;
  T value;
  const void* target() const { return into; }
  void operator()(const message::dispatch&) const { *into = value; }
};

template <class T>
struct gather_request {
  const T* cell;
  T* into;
  const void* target() const { return cell; }
  void operator()(const message::dispatch& d) const {
    d.self.reply_counted(d, gather_answer<T>{into, *cell});
  }
};

}  // namespace memory

/// Sets into[k] = from[at[k]] for every k. Suspends until all elements have arrived. By any fiber. Costs two small
/// messages for each element of another core (16 bytes, and 8 + sizeof(T)), and a prefetched load for each
/// element of this core. Elements have at most 512 bytes. Neither span may change meanwhile.
template <class T>
void gather(array<T> from, std::span<const std::uint64_t> at, std::span<T> into) {
  static_assert(sizeof(T) <= 512, "gather copies elements into messages: at most 512 bytes each");
  GOSSAMER_ASSERT(at.size() == into.size(), "gather: as many places as indices");
  constexpr std::size_t k_ahead = 16;
  auto& self = message::inside("gather");
  message::completion mine(self);
  void* const outer = self.local();
  self.set_local(&mine);
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (k + k_ahead < at.size())
      if (const auto later = from.pointer(at[k + k_ahead], "gather"); later.owner() == self.id())
        __builtin_prefetch(later.address());
    const auto cell = from.pointer(at[k], "gather");
    if (cell.owner() == self.id())
      into[k] = *cell.address();
    else
      self.issue_request_counted(cell.owner(), memory::gather_request<T>{cell.address(), &into[k]},
                                 sizeof(memory::gather_answer<T>));
  }
  self.set_local(outer);
  self.flush();
  mine.wait();
}

}  // namespace gossamer
