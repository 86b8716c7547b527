#pragma once
// The format of a packet's payload, in one place: a send buffer writes it, for_each_run() reads it.
//
// A payload is a sequence of runs; and, where the counting scope changes, of scope marks. A run is an 8-byte
// header and then its records side by side, filled up to a multiple of 8 bytes:
//   {handler, core, count, bytes of a record} records   a run
//   a completion's address, 16 bits to the left          a scope mark, which holds for the runs that follow (handler 0)
//
// The header of the open run is written when the run is closed. Knows neither lanes nor pools nor completions:
// a scope is an address. One core.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/packet_pool.hpp"

namespace gossamer::message {

class completion;

struct run_header {
  std::uint16_t handler, core, count, record_bytes;
};
inline constexpr std::size_t k_most_of_run = 65535;  // run_header::count
inline constexpr std::size_t k_record_alignment = 8;  // alignment of the first record of a run
inline constexpr std::size_t k_scope_mark_bytes = sizeof(run_header);
inline constexpr std::size_t k_lines_ahead =
    4;  // lines that are prefetched before the record that is written
inline constexpr unsigned k_handler_bits = 16;  // the first bits of a header; addresses have 48
inline constexpr std::size_t k_most_run_heads = k_scope_mark_bytes + sizeof(run_header);  // before a record

/// Returns the bytes that the records of a run take, padding included.
constexpr std::size_t run_bytes(std::size_t count, std::size_t record_bytes) {
  return round_up(count * record_bytes, k_record_alignment);
}

/// Constructs Record{parts...} in a packet, in place. A copy would be written by words and read by vectors,
/// which waits until the words have left the store buffer.
template <class Record, class... Parts>
void write_record(std::byte* at, const Parts&... parts) {
  static_assert(std::is_trivially_copyable_v<Record>, "records are copied as bytes");
  if constexpr (alignof(Record) <= k_record_alignment) {
    ::new (static_cast<void*>(at)) Record{parts...};
  } else {
    const Record r{parts...};
    std::memcpy(at, &r, sizeof r);
  }
}

/// The open packet for one destination: all memory that issuing a record touches. All bytes zero: none is
/// open.
struct alignas(k_line_bytes) send_buffer {
  std::byte* end = nullptr;  // where the next record goes
  std::byte* last = nullptr;  // last place where a record of the open run may go
  completion* scope = nullptr;  // of the open run
  std::uint16_t handler = 0;  // of the open run; 0: none open
  std::uint16_t record_bytes = 0;
  std::uint32_t reply_bytes = 0;
  std::uint32_t matches = 0;  // two-sided records in the packet
  std::uint32_t room = 0;  // bytes of payload that the packet can hold; stays when a chunk is full
  std::byte* run = nullptr;  // header of the open run
  fabric::packet* open = nullptr;
  completion* marked = nullptr;  // scope that holds at the end of the packet

  /// Returns whether a record of this handler and scope cannot go into the open run.
  bool needs_run(std::uint16_t id, const completion* counted_by) const {
    if (handler != id || scope != counted_by || end > last) [[unlikely]]
      return true;
    return false;
  }
  /// Prefetches for writing a line that the next records will use: the last receiver of the packet still has
  /// it. A store that waits for its line would delay the next locked instruction, which waits for all stores
  /// before it.
  void fetch_ahead() const { __builtin_prefetch(end + k_lines_ahead * k_line_bytes, 1); }
  /// Appends Record{parts...} to the open run.
  template <class Record, class... Parts>
  void append(const Parts&... parts) {
    write_record<Record>(end, parts...);
    end += sizeof(Record);
  }
  /// Returns the place of the next record of the open run, which may be large, and moves the end behind it.
  std::byte* append_room(std::size_t bytes) {
    fetch_ahead();
    std::byte* const at = end;
    end += bytes;
    return at;
  }

  /// Starts an empty payload of `bytes` in a packet. Only if none is open.
  void begin(fabric::packet& p, std::size_t bytes) {
    open = &p;
    room = static_cast<std::uint32_t>(bytes);
    end = p.payload();
    marked = nullptr;
    reply_bytes = 0;
    matches = 0;
    for (std::size_t i = 1; i < k_lines_ahead; ++i) __builtin_prefetch(end + i * k_line_bytes, 1);
  }
  /// Returns the bytes of payload that are left. No run is open.
  std::size_t left() const { return static_cast<std::size_t>(open->payload() + room - end); }
  /// Returns the bytes of payload that are written. One is open.
  std::size_t used() const { return static_cast<std::size_t>(end - open->payload()); }
  /// Returns whether the packet has no record yet.
  bool empty() const { return end == open->payload(); }
  /// Returns whether a run of one such record fits. No run is open.
  bool fits_run(const completion* counted_by, std::size_t bytes) const {
    return left() >= (counted_by != marked ? k_scope_mark_bytes : 0) + sizeof(run_header) + bytes;
  }

  /// Opens a run of at most `most` records (and at most k_most_of_run), behind a scope mark if the scope
  /// changes. After fits_run().
  void open_run(completion* counted_by, std::uint16_t id, std::size_t bytes, std::size_t most) {
    if (counted_by != marked) mark_scope(counted_by);
    run = end;
    end += sizeof(run_header);
    handler = id;
    scope = counted_by;
    record_bytes = static_cast<std::uint16_t>(bytes);
    extend_run(most);
  }
  /// Closes the open run and returns its number of records; 0 where none is open.
  std::size_t close_run(unsigned to) {
    if (handler == 0) return 0;
    const std::size_t count = run_records();
    const run_header h{handler, static_cast<std::uint16_t>(to), static_cast<std::uint16_t>(count),
                       record_bytes};
    std::memcpy(run, &h, sizeof h);
    end = run + sizeof h + run_bytes(count, record_bytes);
    handler = 0;
    return count;
  }

  /// Writes the contents of the packet into its head.
  fabric::packet& seal() const {
    open->bytes = static_cast<std::uint32_t>(end - open->payload());
    open->reply_bytes = reply_bytes;
    open->matches = static_cast<std::uint16_t>(matches);  // the outbox makes sure that they fit
    return *open;
  }
  /// Continues in a larger packet, into which this one has been copied. An open run stays open: the caller
  /// calls extend_run() or closes it.
  void move_to(fabric::packet& p, std::size_t bytes) {
    if (handler != 0) run = p.payload() + (run - open->payload());
    end = p.payload() + used();
    open = &p;
    room = static_cast<std::uint32_t>(bytes);
  }
  /// Returns whether a run of such records is open.
  bool is_run_of(const completion* counted_by, std::uint16_t id, std::size_t bytes) const {
    return handler == id && scope == counted_by && record_bytes == bytes;
  }
  /// Returns the records of the open run; 0 where none is open.
  std::size_t run_records() const {
    if (handler == 0) return 0;
    const auto bytes = static_cast<std::size_t>(end - run) - sizeof(run_header);
    return bytes == record_bytes ? 1 : bytes / record_bytes;  // a division is slow
  }
  /// Lets the open run have at most `most` further records. There is space for one.
  void extend_run(std::size_t most) {
    last = end + std::min(left() - record_bytes, (most - 1) * record_bytes);
  }
  /// Forgets the packet, which has left.
  void release() {
    open = nullptr;
    end = last = nullptr;
  }

 private:
  void mark_scope(completion* counted_by) {
    const std::uint64_t mark = reinterpret_cast<std::uintptr_t>(counted_by) << k_handler_bits;
    GOSSAMER_DEBUG_ASSERT(mark >> k_handler_bits == reinterpret_cast<std::uintptr_t>(counted_by));
    std::memcpy(end, &mark, sizeof mark);
    end += k_scope_mark_bytes;
    marked = counted_by;
  }
};
static_assert(sizeof(send_buffer) == k_line_bytes);

/// Reads a payload: calls on_scope(completion*) for each scope mark and on_run(header, first record) for each
/// run, in their order. A payload starts without a scope.
template <class OnScope, class OnRun>
void for_each_run(std::byte* at, const std::byte* end, OnScope on_scope, OnRun on_run) {
  while (at < end) {
    run_header h;
    std::memcpy(&h, at, sizeof h);
    at += sizeof h;
    if (h.handler == 0) {
      std::uint64_t mark;
      std::memcpy(&mark, at - sizeof h, sizeof mark);
      on_scope(reinterpret_cast<completion*>(mark >> k_handler_bits));
    } else {
      on_run(h, at);
      at += run_bytes(h.count, h.record_bytes);
    }
  }
}

}  // namespace gossamer::message
