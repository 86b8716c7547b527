#pragma once
// Messages with a payload: a function object and any number of bytes. Small payloads are copied into the
// packet behind the function object; those of one type and about one size form a run. A large payload is
// copied once, into a block that is passed by address and freed where it was used (one process).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "gossamer/message/delegate.hpp"

namespace gossamer {

namespace message {

/// Returns the bytes from one record of a run to the next. Sizes that differ by less than an eighth count as
/// equal.
constexpr std::size_t payload_stride(std::size_t head, std::size_t payload) {
  const std::size_t unit = std::max<std::size_t>(8, std::bit_floor(payload) / 8);  // a power of two
  return round_up(head, 8) + ((payload + unit - 1) & ~(unit - 1));
}

/// Calls f(record, payload) for every record of a run whose records are a Head and its payload. An
/// exception ends one record, not the run.
template <class Head, class F>
void each_with_payload(const dispatch& d, std::byte* at, std::uint32_t count, F f) {
  for (; count > 0; --count, at += d.record_bytes) {
    try {
      f(*std::launder(reinterpret_cast<Head*>(at)), at + round_up(sizeof(Head), 8));
    } catch (...) {
      d.failed(std::current_exception());
    }
  }
}

template <class F>
struct payload_record {
  F f;
  std::uint32_t bytes;

  static void run(const dispatch& d, std::byte* records, std::uint32_t count) {
    each_with_payload<payload_record>(d, records, count, [](payload_record& r, const std::byte* payload) {
      r.f(std::span<const std::byte>(payload, r.bytes));
    });
  }
};

/// A payload passed by address. The bytes follow.
struct alignas(16) payload_block {
  endpoint* from;
  std::size_t bytes;
  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }

  /// Copies the payload. Suspends while too many bytes of this core are in flight
  /// (endpoint_options::payload_bytes_in_flight). Throws std::bad_alloc; then nothing is in flight.
  static payload_block* make(std::span<const std::byte> payload);
  struct release {
    void operator()(payload_block* b) const;
  };
  using owner = std::unique_ptr<payload_block, release>;
};

template <class F>
struct payload_block_record {
  F f;
  payload_block* block;
  const void* target() const { return block; }
  void operator()(const dispatch&) {
    const payload_block::owner mine(block);
    f(std::span<const std::byte>(mine->data(), mine->bytes));
  }
};

/// A chunk of a payload for another process.
template <class F>
struct payload_chunk_record {
  F f;
  std::uint64_t number, total, offset;
  std::uint64_t bytes;

  static void run(const dispatch& d, std::byte* records, std::uint32_t count) {
    each_with_payload<payload_chunk_record>(
        d, records, count, [&d](payload_chunk_record& r, const std::byte* chunk) {
          const auto whole = d.self.assemblies().add(d.source, r.number, r.total, r.offset, chunk, r.bytes);
          if (whole != nullptr) r.f(std::span<const std::byte>(whole.get(), r.total));
        });
  }
};

/// A chunk of a payload whose sender waits for an answer. The last chunk is answered.
template <class R, class F>
struct payload_call_record {
  F f;
  call_slot<R>* slot;
  std::uint64_t number, total, offset;
  std::uint64_t bytes;

  static void run(const dispatch& d, std::byte* records, std::uint32_t count) {
    each_with_payload<payload_call_record>(
        d, records, count, [&d](payload_call_record& r, const std::byte* chunk) {
          const bool last = r.offset + r.bytes == r.total;
          try {
            const auto whole = d.self.assemblies().add(d.source, r.number, r.total, r.offset, chunk, r.bytes);
            if (!last) return;
            if (whole == nullptr) throw std::bad_alloc();
            d.self.reply(d.source,
                         answer_record<R>{r.slot, r.f(std::span<const std::byte>(whole.get(), r.total))});
          } catch (...) {
            if (last)
              d.self.reply(d.source,
                           failure_record<R>{r.slot, new std::exception_ptr(std::current_exception())});
          }
        });
  }
};

/// Ships a payload in chunks. make(number, total, offset, bytes) returns the Record at the head of that
/// chunk. `last_needs` are the bytes that the answer to the last chunk requires.
template <class Record, class Make>
void ship_in_chunks(endpoint& self, unsigned to, std::span<const std::byte> payload, std::uint32_t last_needs,
                    Make make) {
  const std::uint64_t number = self.assemblies().next_number();
  const std::size_t most = round_down(self.record_room() / 2, 64);
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(most, payload.size() - at);
    const Record head = make(number, payload.size(), at, bytes);
    const bool last = at + bytes == payload.size();
    std::byte* const place =
        self.issue_room<Record>(to, payload_stride(sizeof head, bytes), {last ? last_needs : 0, 0});
    std::memcpy(place, &head, sizeof head);
    if (bytes != 0) std::memcpy(place + round_up(sizeof head, 8), payload.data() + at, bytes);
    at += bytes;
  } while (at < payload.size());
}

/// Runs f(payload) at a core of another process, and waits for the result.
template <class R, class F>
R remote_call(core_id to, const F& f, std::span<const std::byte> payload) {
  using record = payload_call_record<R, F>;
  endpoint& self = endpoint::here();
  call_slot<R> slot{self.running()};
  GOSSAMER_ASSERT(slot.waiter != nullptr, "only a fiber can call (a handler cannot wait)");
  void* const outer = self.local();
  self.set_local(nullptr);  // chunks are not counted: the answer wakes this fiber
  ship_in_chunks<record>(self, to, payload, sizeof(answer_record<R>) + sizeof(failure_record<R>),
                         [&](std::uint64_t number, std::uint64_t total, std::uint64_t at,
                             std::uint64_t bytes) { return record{f, &slot, number, total, at, bytes}; });
  self.set_local(outer);
  return take_answer(slot);
}

/// The call to a core of this process: its handler reads the payload in the caller's memory.
template <class F>
struct local_payload {
  F f;
  const std::byte* at;
  std::size_t bytes;
  auto operator()() { return f(std::span<const std::byte>(at, bytes)); }
};

}  // namespace message

/// Ships f(std::span<const std::byte>) and the bytes of `payload` to core `to`. Returns when `payload` may be
/// reused. f runs there as a handler: it never suspends. The bytes are aligned to 8, and are invalid when f
/// returns. The enclosing completion counts the operation, and rethrows its exception. Any size. Suspends
/// when packets are exhausted, or when payload_bytes_in_flight bytes are outstanding. To another process a
/// large payload travels in chunks. Up to half a packet costs one copy, no allocation, and sizeof(F) + 8
/// bytes more in an aggregated packet. More costs one copy, an allocation, and 8 bytes more than async_on(to,
/// f).
template <class F>
void async_on(core_id to, const F& f, std::span<const std::byte> payload) {
  using namespace message;
  endpoint& self = inside("async_on", to);
  using shipped = std::decay_t<F>;  // a function is shipped as its address
  check_captures<shipped>(f);
  using small = payload_record<shipped>;
  const std::size_t stride = payload_stride(sizeof(small), payload.size());
  if (payload.size() > self.record_room() || stride > self.record_room() / 2) {
    if (!self.is_local(to)) {
      using chunk = payload_chunk_record<shipped>;
      return ship_in_chunks<chunk>(self, to, payload, 0,
                                   [&f](std::uint64_t number, std::uint64_t total, std::uint64_t at,
                                        std::uint64_t bytes) { return chunk{f, number, total, at, bytes}; });
    }
    payload_block::owner owned(payload_block::make(payload));
    self.issue(to, payload_block_record<shipped>{f, owned.get()});
    (void)owned.release();  // the record owns it from here on
    if (self.payloads().should_flush(payload.size())) self.flush();
    return;
  }
  std::byte* const at = self.issue_room<small>(to, stride, {});
  write_record<small>(at, f, static_cast<std::uint32_t>(payload.size()));
  if (!payload.empty()) std::memcpy(at + round_up(sizeof(small), 8), payload.data(), payload.size());
}

/// Runs f(std::span<const std::byte>) at core `to` with the bytes of `payload`, of any size. Suspends until
/// the result has arrived, and returns it, or throws the exception of f. The result is trivially copyable and
/// at most 512 bytes. f runs as a handler: it never suspends, and needs no fiber. The bytes have the
/// alignment that they have here, at most 16, and are invalid when f returns. Inside a process f reads them
/// in place, without a copy. To another process they travel in chunks.
template <class F>
auto call_on(core_id to, F f, std::span<const std::byte> payload)
    -> std::invoke_result_t<F&, std::span<const std::byte>> {
  using R = std::invoke_result_t<F&, std::span<const std::byte>>;
  static_assert(!std::is_void_v<R>, "what is called with bytes answers something");
  const message::endpoint& self = message::inside("call_on", to);
  if (to == self.id()) return f(payload);
  message::check_captures(f);
  if (self.is_local(to))
    return message::remote_call<R>(to,
                                   message::local_payload<F>{std::move(f), payload.data(), payload.size()});
  return message::remote_call<R>(to, f, payload);
}

}  // namespace gossamer
