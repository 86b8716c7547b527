#pragma once
// Global pointers, and the operations through them. A pointer has 64 bits: 16 for the core, 48 for the address there.
// Every operation runs at the owner, one after another, so a single operation is atomic without locks. A bare verb
// suspends until it is done. It is linearizable, and sequentially consistent with structures (docs/guide.md). `async`
// returns at once; the enclosing completion counts it; its order is undefined. An operation costs one small message,
// and a second one where there is an answer. On the own core it is a plain access; `async` runs there when the send buffer is
// flushed. make_global() sends no message.

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
  /// Returns the plain address. Valid at the owner, and within its process while the object is read-only.
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

/// Makes a T on this core's heap. Sends no message, does not suspend.
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

/// Destroys the object at its owner. Suspends until that is done.
template <class T>
void destroy_global(global_ptr<T> p) {
  if (!p) [[unlikely]]
    message::refuse_null("destroy_global");
  call_on(p.owner(), [p] {
    std::destroy_at(p.address());
    std::pmr::polymorphic_allocator<T>(&memory::partition::here().heap()).deallocate(p.address(), 1);
  });
}

/// Runs f(T&) at the owner. Suspends until the answer has arrived. Returns the result of f, or throws its exception.
template <class T, class F>
auto call(global_ptr<T> p, F f) -> std::invoke_result_t<F&, T&> {
  if (!p) [[unlikely]]
    message::refuse_null("call, read or write");
  return message::call_at(p.owner(), p.address(), std::move(f));
}

/// Ships f(T&) to the owner and returns before it runs. The enclosing completion counts it.
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
/// Adds `difference` and returns the previous value. Suspends unless this core owns the object.
template <class T>
T fetch_add(global_ptr<T> p, std::type_identity_t<T> difference) {
  return call(p,
              [difference](T& object) { return std::exchange(object, static_cast<T>(object + difference)); });
}
/// Stores `desired` if the object equals `expected`, and returns the previous value. Suspends unless this core owns the object.
template <class T>
T compare_exchange(global_ptr<T> p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return call(p, [expected, desired](T& object) {
    const T before = object;
    if (before == expected) object = desired;
    return before;
  });
}

}  // namespace gossamer
