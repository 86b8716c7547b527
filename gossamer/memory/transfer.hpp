#pragma once
// One-sided transfers: the calling core moves elements between any two places of global memory, and the
// owners' fibers take no part. A place is a section of an array, or memory that a global pointer names (a
// per_core mailbox, an object of a heap); any size, contiguous or strided. What the caller can address
// (memory/addressable.hpp) is copied in place; anything else travels in messages: small transfers with others
// in one packet, larger ones in chunks that are copied into packets, and from where they arrive to where they
// go. Blocks of job_options::bulk_bytes and more are moved by the transport, without a copy of ours (ADR 0033).
//
//   call                        returns when                            the data is there
//   put, get                    all of it is there                      when it returns
//   async_put                   the source may be reused                when the enclosing completion has been waited for, or fence()
//   put_notify                  the source may be reused                when the notification has been counted
//   async_get                   at once; both sides must stay           when the enclosing completion has been waited for
//
// Order. What one core puts to one core, and what it notifies that core of, takes effect in the order of its
// calls; the same holds for a get that follows. That is so once the earlier call has returned. Nothing else is ordered: puts to different cores, puts of
// different cores, transfers beside messages (async, call, send), and, to a core of another process, puts to arrays
// beside puts to other memory. A put happens in no single step: a get or a
// load beside it may find part of it. Words that several cores change at once are for fetch_add() and
// compare_exchange(), which are atomic among themselves only.
//
// By fibers only. A wrong index, a released array, sides of different lengths and sides that overlap end the
// program in one line.

#include <cstdint>
#include <span>
#include <type_traits>

#include "gossamer/memory/array.hpp"
#include "gossamer/memory/notification.hpp"

namespace gossamer {

/// Blocks of elements at equal distances: a column of a matrix of `width` columns is {rows, 1, width}.
struct strided {
  /// Number of blocks.
  std::uint64_t count = 1;
  /// Elements of a block.
  std::uint64_t block = 1;
  /// Elements from the beginning of a block to that of the next.
  std::uint64_t stride = 1;
};

namespace memory {

/// One side of a transfer: elements of an array by index, or of the memory of one core by address.
struct side {
  bool of_array = false;  // else: memory of one core
  const array_state* array = nullptr;  // null: the handle names none
  std::uint64_t index = 0;  // of an array: the first element
  core_id owner = 0;  // of memory: its core
  std::byte* at = nullptr;  // of memory: the first byte
  strided shape;
  std::size_t element_bytes = 0;
  bool null = false;  // of memory: a null pointer
};

/// How a transfer ends.
enum class ending : std::uint8_t {
  waits,  // all is there when the call returns
  counted,  // by the enclosing completion
};

/// Copies the elements of `from` to `to`. `call` is what the program has called.
void transfer(const char* call, side to, side from, ending how);
/// Does the same, counted by the enclosing completion, and then notifies the core that owns all of `to`.
void transfer_and_notify(const char* call, side to, side from, global_ptr<notification> then);

/// Copies bytes that lie at `from` on core `owner` (of another process) to `into`; returns before they are
/// there: counted by the enclosing completion. Suspends where packets or tags are exhausted. A request of 40 bytes
/// and an answer for each ~1 KiB, or a bulk move.
void fetch(core_id owner, const std::byte* from, std::span<std::byte> into);

}  // namespace memory

/// Names elements of an array, or of one core's memory, for a transfer.
template <class T>
class section {
 public:
  /// Names `count` elements of an array from `index` on.
  section(const array<T>& a, std::uint64_t index, std::uint64_t count)
      : section(a, index, strided{1, count, count}) {}
  /// Names blocks of elements of an array, the first at `index`.
  section(const array<T>& a, std::uint64_t index, const strided& shape)
      : side_{.of_array = true,
              .array = a.state_,
              .index = index,
              .shape = shape,
              .element_bytes = sizeof(T)} {}
  /// Names `count` elements that lie one behind the other on one core.
  section(global_ptr<T> first, std::uint64_t count) : section(first, strided{1, count, count}) {}
  /// Names blocks of elements of one core.
  section(global_ptr<T> first, const strided& shape)
      : side_{.owner = first.owner(),
              .at = reinterpret_cast<std::byte*>(first.address()),
              .shape = shape,
              .element_bytes = sizeof(T),
              .null = !first} {}

  /// Returns the elements as transfers take them.
  const memory::side& side() const { return side_; }

 private:
  static_assert(std::is_trivially_copyable_v<T>, "elements are transferred as bytes");
  memory::side side_;
};

namespace memory {

/// What a put takes: a section, or anything that a std::span<const T> can be made of.
template <class T>
struct source {
  source(const section<T>& s) : from(s.side()) {}
  template <class Range>
    requires std::is_convertible_v<const Range&, std::span<const T>>
  source(const Range& r) : source(std::span<const T>(r), 0) {}

  side from;

 private:
  source(std::span<const T> s, int)
      : from{.owner = here(),
             .at = reinterpret_cast<std::byte*>(const_cast<T*>(s.data())),  // only read
             .shape = {1, s.size(), s.size()},
             .element_bytes = sizeof(T)} {}
};

/// What a get takes: a section, or anything that a std::span<T> can be made of.
template <class T>
struct sink {
  sink(const section<T>& s) : to(s.side()) {}
  template <class Range>
    requires std::is_convertible_v<Range&&, std::span<T>>
  sink(Range&& r) : sink(std::span<T>(r), 0) {}

  side to;

 private:
  sink(std::span<T> s, int)
      : to{.owner = here(),
           .at = reinterpret_cast<std::byte*>(s.data()),
           .shape = {1, s.size(), s.size()},
           .element_bytes = sizeof(T)} {}
};

}  // namespace memory

/// Copies `from` to a place of as many elements. Suspends until all of it is there, unless it was copied in
/// place.
template <class T>
void put(const section<T>& to, const std::type_identity_t<memory::source<T>>& from) {
  memory::transfer("put", to.side(), from.from, memory::ending::waits);
}
/// Copies `from` to the elements of an array from `index` on; otherwise as above.
template <class T>
void put(const array<T>& to, std::uint64_t index, const std::type_identity_t<std::span<const T>>& from) {
  put(section<T>(to, index, from.size()), from);
}

/// Copies `from` to a place of as many elements. Returns when `from` may be reused; counted by the enclosing
/// completion. Suspends only where packets are exhausted, where both sides are out of reach, or until a block is
/// there that is moved in bulk: fibers put several of those at once.
template <class T>
void async_put(const section<T>& to, const std::type_identity_t<memory::source<T>>& from) {
  memory::transfer("async_put", to.side(), from.from, memory::ending::counted);
}
/// Copies `from` to the elements of an array from `index` on; otherwise as above.
template <class T>
void async_put(const array<T>& to, std::uint64_t index,
               const std::type_identity_t<std::span<const T>>& from) {
  async_put(section<T>(to, index, from.size()), from);
}

/// Does what async_put() does, and then counts one more in `then`: a fiber that finds it counted finds the
/// data. The core of `then` must own all of `to`.
template <class T>
void put_notify(const section<T>& to, const std::type_identity_t<memory::source<T>>& from,
                global_ptr<notification> then) {
  memory::transfer_and_notify("put_notify", to.side(), from.from, then);
}
/// Copies `from` to the elements of an array from `index` on; otherwise as above.
template <class T>
void put_notify(const array<T>& to, std::uint64_t index, const std::type_identity_t<std::span<const T>>& from,
                global_ptr<notification> then) {
  put_notify(section<T>(to, index, from.size()), from, then);
}

/// Copies a place of as many elements to `into`. Suspends until all of it is there, unless it was copied in
/// place.
template <class T>
void get(const section<T>& from, const std::type_identity_t<memory::sink<T>>& into) {
  memory::transfer("get", into.to, from.side(), memory::ending::waits);
}
/// Copies the elements of an array from `index` on to `into`; otherwise as above.
template <class T>
void get(const array<T>& from, std::uint64_t index, const std::type_identity_t<std::span<T>>& into) {
  get(section<T>(from, index, into.size()), into);
}

/// Copies a place of as many elements to `into`, which must stay as it is until the enclosing completion has
/// been waited for. Suspends only where packets are exhausted, where both sides are out of reach, or where more
/// blocks are moved in bulk than a core has tags (64).
template <class T>
void async_get(const section<T>& from, const std::type_identity_t<memory::sink<T>>& into) {
  memory::transfer("async_get", into.to, from.side(), memory::ending::counted);
}
/// Copies the elements of an array from `index` on to `into`; otherwise as above.
template <class T>
void async_get(const array<T>& from, std::uint64_t index, const std::type_identity_t<std::span<T>>& into) {
  async_get(section<T>(from, index, into.size()), into);
}

/// Suspends until all is there that this core has put to core `to` by calls that have returned. Costs a message and its answer;
/// nothing inside a process.
void fence(core_id to);

}  // namespace gossamer
