#pragma once
// Messages with a payload: a function object and any number of bytes. Small ones are copied into the
// packet behind the function object, and those of one type and about one size form a run. Large ones are
// copied once, into a block that is handed over by address and freed where it was used (one process).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "gossamer/message/delegate.hpp"

namespace gossamer {

namespace message {

/// Bytes from one record of a run to the next: sizes that differ by less than an eighth are equal.
constexpr std::size_t payload_stride(std::size_t head, std::size_t payload) {
  const std::size_t unit = std::max<std::size_t>(8, std::bit_floor(payload) / 8);
  return round_up(head, 8) + round_up(payload, unit);
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

/// A payload handed over by address; the bytes follow.
struct alignas(16) payload_block {
  endpoint* from;
  std::size_t bytes;
  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }

  /// Copies; suspends while too many bytes of this core are under way (endpoint_options::lent_bytes).
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

/// Part of a payload for another process.
template <class F>
struct payload_piece_record {
  F f;
  std::uint64_t number, total, offset;
  std::uint64_t bytes;

  static void run(const dispatch& d, std::byte* records, std::uint32_t count) {
    each_with_payload<payload_piece_record>(
        d, records, count, [&d](payload_piece_record& r, const std::byte* piece) {
          const auto whole = d.self.assemblies().add(d.source, r.number, r.total, r.offset, piece, r.bytes);
          if (whole != nullptr) r.f(std::span<const std::byte>(whole.get(), r.total));
        });
  }
};

template <class F>
void ship_in_pieces(endpoint& self, unsigned to, const F& f, std::span<const std::byte> payload) {
  using record = payload_piece_record<F>;
  const std::uint64_t number = self.assemblies().next_number();
  const std::size_t most = round_down(self.record_room() / 2, 64);
  for (std::size_t at = 0; at < payload.size(); at += most) {
    const std::size_t bytes = std::min(most, payload.size() - at);
    const record head{f, number, payload.size(), at, bytes};
    std::byte* const place = self.issue_room<record>(to, payload_stride(sizeof head, bytes), {});
    std::memcpy(place, &head, sizeof head);
    std::memcpy(place + round_up(sizeof head, 8), payload.data() + at, bytes);
  }
}

}  // namespace message

/// Ships f(std::span<const std::byte>) and the bytes it is called with to core `to`; returns when `payload`
/// may be reused. There f runs as a handler (never suspends); the bytes, aligned to 8, are gone when it
/// returns. Counted by the enclosing completion, which also gets what f throws. Any size. Suspends when
/// packets are exhausted, or lent_bytes are under way. To another process large ones go in pieces. Up to half
/// a packet: one copy, no allocation, sizeof(F) + 8 bytes more in an aggregated packet; larger: one copy, an
/// allocation, and 8 bytes more than async_on(to, f).
template <class F>
void async_on(core_id to, F f, std::span<const std::byte> payload) {
  using namespace message;
  check_captures(f);
  endpoint& self = endpoint::here();
  using small = payload_record<F>;
  const std::size_t stride = payload_stride(sizeof(small), payload.size());
  if (payload.size() > self.record_room() || stride > self.record_room() / 2) {
    if (!self.is_near(to)) return ship_in_pieces(self, to, f, payload);
    self.issue(to, payload_block_record<F>{std::move(f), payload_block::make(payload)});
    return self.flush_loans(payload.size());
  }
  const small head{std::move(f), static_cast<std::uint32_t>(payload.size())};
  std::byte* const at = self.issue_room<small>(to, stride, {});
  std::memcpy(at, &head, sizeof head);
  if (!payload.empty()) std::memcpy(at + round_up(sizeof head, 8), payload.data(), payload.size());
}

}  // namespace gossamer
