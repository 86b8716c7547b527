#pragma once
// One-sided transfers: the calling core moves elements between any two places of global memory, and the
// owners' fibers take no part. A place is a section of an array, or memory that a global pointer names (a
// per_core mailbox, an object of a heap). It has any size, and is contiguous or strided. The caller copies in place what it
// can address (memory/addressable.hpp). Anything else travels in messages: small transfers share a packet, larger ones are
// cut into chunks that are copied into packets and out of them. The transport moves blocks of job_options::bulk_bytes and more
// without these copies (ADR 0033).
//
//   call                        returns when                            the data is there
//   put, get                    all of it is there                      when it returns
//   async_put                   the source may be reused                when the enclosing completion has been waited for, or fence()
//   put_notify                  the source may be reused                when the notification has been counted
//   async_get                   at once; both sides must stay           when the enclosing completion has been waited for
//
// Order. Puts and notifications of one core to one core take effect in the order of the calls, and so does
// a get that follows. An earlier call must have returned. Nothing else is ordered: puts to different cores, puts by
// different cores, transfers beside messages (async, call, send), and, to a core of another process, puts to arrays
// beside puts to other memory. A put is not atomic: a get or a load beside it may see part of it. Use fetch_add() and
// compare_exchange() for words that several cores change at once; these are atomic with respect to each other only.
//
// Only fibers transfer. A wrong index, a released array, sides of different lengths and sides that overlap end the
// program in one line.

#include <cstdint>
#include <span>
#include <type_traits>

#include "gossamer/memory/array.hpp"
#include "gossamer/memory/notification.hpp"

namespace gossamer {

/// A shape: blocks of elements at equal distances. A column of a matrix of `width` columns is {rows, 1, width}.
struct strided {
  /// Number of blocks.
  std::uint64_t count = 1;
  /// Elements of each block.
  std::uint64_t block = 1;
  /// Elements from the begin of a block to the begin of the next one.
  std::uint64_t stride = 1;
};

namespace memory {

/// One side of a transfer: elements of an array by index, or memory of one core by address.
struct side {
  bool of_array = false;  // else memory of one core
  const array_state* array = nullptr;  // null: the handle names none
  std::uint64_t index = 0;  // of an array: the first element
  core_id owner = 0;  // of memory: its core
  std::byte* at = nullptr;  // of memory: the first byte
  strided shape;
  std::size_t element_bytes = 0;
  bool null = false;  // of memory: a null pointer
};

/// When a transfer returns.
enum class ending : std::uint8_t {
  waits,  // when all data is there
  counted,  // before; the enclosing completion counts it
};

/// Copies the elements of `from` to `to`. Error lines name `call`.
void transfer(const char* call, side to, side from, ending how);
/// Copies as transfer() does, counted by the enclosing completion, and then notifies the core that owns all of `to`.
void transfer_and_notify(const char* call, side to, side from, global_ptr<notification> then);

/// Copies bytes at `from` on core `owner` of another process to `into`. Returns before they have arrived; the enclosing
/// completion counts it. Suspends where packets or tags are exhausted. Costs a request of 40 bytes and
/// an answer for each ~1 KiB, or a bulk move.
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
  /// Names `count` consecutive elements of one core.
  section(global_ptr<T> first, std::uint64_t count) : section(first, strided{1, count, count}) {}
  /// Names blocks of elements of one core.
  section(global_ptr<T> first, const strided& shape)
      : side_{.owner = first.owner(),
              .at = reinterpret_cast<std::byte*>(first.address()),
              .shape = shape,
              .element_bytes = sizeof(T),
              .null = !first} {}

  /// Returns the elements in the form that transfer() takes.
  const memory::side& side() const { return side_; }

 private:
  static_assert(std::is_trivially_copyable_v<T>, "elements are transferred as bytes");
  memory::side side_;
};

namespace memory {

/// The argument of a put: a section, or anything that converts to std::span<const T>.
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

/// The argument of a get: a section, or anything that converts to std::span<T>.
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

/// Copies `from` to a place of the same size. Suspends until all of it has arrived, unless it is copied in
/// place.
template <class T>
void put(const section<T>& to, const std::type_identity_t<memory::source<T>>& from) {
  memory::transfer("put", to.side(), from.from, memory::ending::waits);
}
/// Copies `from` to the elements of an array from `index` on, as put(to, from) does.
template <class T>
void put(const array<T>& to, std::uint64_t index, const std::type_identity_t<std::span<const T>>& from) {
  put(section<T>(to, index, from.size()), from);
}

/// Copies `from` to a place of the same size. Returns when `from` may be reused; the enclosing completion counts the rest.
/// Suspends only in three cases: packets are exhausted, the caller can address neither side, or a block moves in bulk.
/// In the last case it suspends until the block has arrived; several fibers put several such blocks at once.
template <class T>
void async_put(const section<T>& to, const std::type_identity_t<memory::source<T>>& from) {
  memory::transfer("async_put", to.side(), from.from, memory::ending::counted);
}
/// Copies `from` to the elements of an array from `index` on, as async_put(to, from) does.
template <class T>
void async_put(const array<T>& to, std::uint64_t index,
               const std::type_identity_t<std::span<const T>>& from) {
  async_put(section<T>(to, index, from.size()), from);
}

/// Copies as async_put() does, and then increments `then`. A fiber that sees the increment sees the
/// data. The core of `then` must own all of `to`.
template <class T>
void put_notify(const section<T>& to, const std::type_identity_t<memory::source<T>>& from,
                global_ptr<notification> then) {
  memory::transfer_and_notify("put_notify", to.side(), from.from, then);
}
/// Copies `from` to the elements of an array from `index` on, as put_notify(to, from, then) does.
template <class T>
void put_notify(const array<T>& to, std::uint64_t index, const std::type_identity_t<std::span<const T>>& from,
                global_ptr<notification> then) {
  put_notify(section<T>(to, index, from.size()), from, then);
}

/// Copies a place to `into`, which has the same size. Suspends until all of it has arrived, unless it is copied in
/// place.
template <class T>
void get(const section<T>& from, const std::type_identity_t<memory::sink<T>>& into) {
  memory::transfer("get", into.to, from.side(), memory::ending::waits);
}
/// Copies the elements of an array from `index` on to `into`, as get(from, into) does.
template <class T>
void get(const array<T>& from, std::uint64_t index, const std::type_identity_t<std::span<T>>& into) {
  get(section<T>(from, index, into.size()), into);
}

/// Copies a place to `into`, which has the same size and must not change until the enclosing completion has been waited for.
/// Suspends only in three cases: packets are exhausted, the caller can address neither side, or a core moves more than 64
/// blocks in bulk at once (its number of tags).
template <class T>
void async_get(const section<T>& from, const std::type_identity_t<memory::sink<T>>& into) {
  memory::transfer("async_get", into.to, from.side(), memory::ending::counted);
}
/// Copies the elements of an array from `index` on to `into`, as async_get(from, into) does.
template <class T>
void async_get(const array<T>& from, std::uint64_t index, const std::type_identity_t<std::span<T>>& into) {
  async_get(section<T>(from, index, into.size()), into);
}

/// Suspends until everything that this core has put to core `to`, by calls that have returned, has arrived. Costs a message and
/// its acknowledgement; nothing inside a process.
void fence(core_id to);

}  // namespace gossamer
