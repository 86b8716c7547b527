#pragma once
// Storage of an object that is copied as bytes, but has neither a default constructor nor an assignment: a
// lambda with captures.

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace gossamer {

/// Storage of an object. It has none until set().
template <class T>
class copied {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Replaces the object by a copy.
  void set(const T& object) { std::memcpy(static_cast<void*>(bytes_), &object, sizeof(T)); }
  T& operator*() { return *std::launder(reinterpret_cast<T*>(bytes_)); }
  const T& operator*() const { return *std::launder(reinterpret_cast<const T*>(bytes_)); }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
};

}  // namespace gossamer
