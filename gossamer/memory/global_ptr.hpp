#pragma once
// Global pointers: 64 bits, 16 for the core and 48 for the address there; and what can be done through them.
// Every operation runs at the owner, one after the other: single operations are atomic without locks. A bare verb
// suspends until done: it is linearizable, and sequentially consistent with structures (docs/guide.md). `async`
// returns at once, counted by the enclosing completion, in no order. All but make_global cost one small message,
// two where there is an answer; on the own core a plain access (async: none of it before the outbox is run).

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "gossamer/memory/heap.hpp"
#include "gossamer/message/delegate.hpp"

namespace gossamer {

/// A core and an address there, in 64 bits. Trivially copyable.
template <class T>
class global_ptr {
 public:
  constexpr global_ptr() = default;
  /// Points to nothing.
  constexpr global_ptr(std::nullptr_t) {}
  /// Points to an object that `owner` owns.
  global_ptr(core_id owner, T* address)
      : bits_(std::uint64_t{owner} << k_address_bits | reinterpret_cast<std::uintptr_t>(address)) {
    GOSSAMER_DEBUG_ASSERT(reinterpret_cast<std::uintptr_t>(address) >> k_address_bits == 0);
  }

  /// Returns the core that owns the object.
  core_id owner() const { return static_cast<core_id>(bits_ >> k_address_bits); }
  /// Returns the plain address. Meaningful at the owner, and within its process while the object is frozen.
  T* address() const { return reinterpret_cast<T*>(bits_ & ((std::uint64_t{1} << k_address_bits) - 1)); }
  /// Returns whether it points to something.
  explicit operator bool() const { return bits_ != 0; }
  /// Compares owner and address.
  friend bool operator==(global_ptr, global_ptr) = default;
  /// Returns a pointer to the element n further on, of the same core.
  global_ptr operator+(std::ptrdiff_t n) const { return {owner(), address() + n}; }

 private:
  static constexpr unsigned k_address_bits = 48;
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(global_ptr<int>) == 8 && std::is_trivially_copyable_v<global_ptr<int>>);

/// Makes a T on this core's heap. Local: no message.
template <class T, class... Args>
global_ptr<T> make_global(Args&&... args) {
  (void)message::inside("make_global");
  std::pmr::polymorphic_allocator<T> heap(&memory::partition::here().heap());
  T* object = heap.allocate(1);
  try {
    std::construct_at(object, std::forward<Args>(args)...);
  } catch (...) {
    heap.deallocate(object, 1);
    throw;
  }
  return {here(), object};
}

/// Destroys it at its owner; suspends until done.
template <class T>
void destroy_global(global_ptr<T> p) {
  if (!p) [[unlikely]]
    message::refuse_null("destroy_global");
  call_on(p.owner(), [p] {
    std::destroy_at(p.address());
    std::pmr::polymorphic_allocator<T>(&memory::partition::here().heap()).deallocate(p.address(), 1);
  });
}

/// Runs f(T&) at the owner; returns its result, or throws what it threw.
template <class T, class F>
auto call(global_ptr<T> p, F f) -> std::invoke_result_t<F&, T&> {
  if (!p) [[unlikely]]
    message::refuse_null("call, read or write");
  return message::call_at(p.owner(), p.address(), std::move(f));
}

/// Ships f(T&) to the owner, counted by the enclosing completion.
template <class T, class F>
void async(global_ptr<T> p, F f) {
  if (!p) [[unlikely]]
    message::refuse_null("async");
  message::async_at(p.owner(), p.address(), std::move(f));
}

/// Returns a copy of the object. Suspends unless this core owns it.
template <class T>
T read(global_ptr<T> p) {
  return call(p, [](T& object) { return object; });
}
/// Assigns the object. Suspends unless this core owns it.
template <class T>
void write(global_ptr<T> p, const std::type_identity_t<T>& value) {
  call(p, [value](T& object) { object = value; });
}
/// Adds and returns the value from before.
template <class T>
T fetch_add(global_ptr<T> p, std::type_identity_t<T> difference) {
  return call(p,
              [difference](T& object) { return std::exchange(object, static_cast<T>(object + difference)); });
}
/// Stores `desired` where the object equals `expected`; returns the value from before.
template <class T>
T compare_exchange(global_ptr<T> p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return call(p, [expected, desired](T& object) {
    const T before = object;
    if (before == expected) object = desired;
    return before;
  });
}

}  // namespace gossamer
