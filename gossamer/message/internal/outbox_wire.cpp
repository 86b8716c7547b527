// The part of an outbox for other processes: chunks for their cores, in wire packets for neighbours.
#include <algorithm>
#include <cstring>
#include <new>

#include "gossamer/base/assert.hpp"
#include "gossamer/message/internal/outbox.hpp"

namespace gossamer::message {

/// Returns the bytes of answers to one core that certainly fit one wire packet, whatever their sizes.
std::size_t outbox::wire_answer_bytes() const {
  constexpr std::size_t k_lost =
      fabric::packet::k_head_bytes + k_largest_answer + k_reply_overhead;  // upper bound
  if (format_->first_chunk < 4 * k_lost) return format_->room() / 4;
  return format_->room() / format_->first_chunk * (format_->first_chunk - k_lost);
}

bool outbox::open_chunk(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes) {
  const fabric::wire_format& format = *format_;
  const unsigned neighbour = neighbour_to(to);
  wire_send_buffer* opened = wire_buffers_.find(neighbour, kind);
  const std::size_t least =
      std::max(round_up(fabric::packet::k_head_bytes + bytes, k_line_bytes), format.first_chunk);
  if (opened != nullptr && format.room() - opened->end < least) {
    flush_wire_packet(neighbour, kind, reason::full);
    opened = nullptr;
  }
  if (opened == nullptr) {
    fabric::packet* const p = wire_pool(kind).get();
    if (p == nullptr) return false;
    opened = &wire_buffers_.open(neighbour, *p, kind);
  }
  wire_send_buffer& b = *opened;
  const std::size_t left = format.room() - b.end;
  const std::size_t doubled = std::min<std::size_t>(2 * o.room, format.largest_chunk);
  std::size_t size = std::min(left, std::max(least, round_up(doubled, k_line_bytes)));
  if (left - size < format.first_chunk) size = left;  // no other record could use the rest
  auto* const chunk = new (&format.chunk(*b.open, b.end)) fabric::packet;
  chunk->owner = static_cast<std::uint16_t>(to);
  b.chunks.push_back(static_cast<std::uint32_t>(b.end));
  b.end += size;
  begin_packet(o, *chunk, kind, size - fabric::packet::k_head_bytes);
  return true;
}

/// Closes a chunk that is full or leaves. The send buffer continues in another one.
void outbox::retire_chunk(send_buffer& o, unsigned to) {
  close_run(o, to);
  o.seal();
  end_packet(o, kind_of(o, to));
}

void outbox::flush_wire_packet(unsigned neighbour, fabric::traffic kind, reason why) {
  if (wire_buffers_.find(neighbour, kind) == nullptr) return;
  wire_send_buffer& b = wire_buffers_.close(neighbour, kind);
  fabric::packet& p = *b.open;
  std::size_t end = 0;
  for (const std::uint32_t at : b.chunks) {  // packed: unused space of chunks is not sent
    fabric::packet& chunk = fabric::wire_format::chunk(p, at);
    send_buffer& o = buffer(kind, chunk.owner);
    if (o.open == &chunk) retire_chunk(o, chunk.owner);
    o.room = 0;  // its chunk in the next packet starts small
    const std::size_t bytes = fabric::wire_format::bytes_of(chunk);
    if (end != at) std::memmove(&fabric::wire_format::chunk(p, end), &chunk, bytes);
    end += bytes;
  }
  p.bytes = static_cast<std::uint32_t>(fabric::wire_format::k_head_bytes + end);
  p.matches = static_cast<std::uint16_t>(b.chunks.size());
  p.reply_bytes = neighbour;  // until the wire sends it
  wire_buffers_.recycle(b);
  const std::size_t bytes = p.bytes;
  const bool pushed = shared_.lanes.try_push(p, id_ - shared_.first, shared_.wire_index());
  GOSSAMER_ASSERT(pushed, "a lane to the wire was full: it has room for all of a core's wire packets");
  const std::size_t room = format_->packet_bytes;
  count_packet(bytes, room, why);
  ++counters_.wire_packets;
  counters_.wire_bytes += bytes;
  counters_.wire_room += room;
}

void outbox::flush_wire(fabric::traffic kind, reason why) {
  while (wire_buffers_.any_open(kind)) flush_wire_packet(wire_buffers_.oldest(kind), kind, why);
}

}  // namespace gossamer::message
