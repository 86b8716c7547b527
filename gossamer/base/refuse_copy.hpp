#pragma once
// What owns global data (scoped_array, scoped_hash_map, ...) is not copied. A capture by value is such a copy, and one of a deleted
// constructor tells its reader nothing. So those constructors are there, and fail to compile where they are used.

namespace gossamer {

/// Fails to compile where an Owner is copied. Called by its copy constructor, a member of a template: compiled where it is used.
template <class Owner>
constexpr void refuse_copy() {
  static_assert(
      sizeof(Owner) == 0,
      "this object owns global data and is not copied: capture handle(), as in [a = owner.handle()]");
}

}  // namespace gossamer
