// The part of an endpoint that speaks with other processes: wire packets going out, chunks coming in, and
// whose completion counts what.
#include <algorithm>
#include <utility>

#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/internal/remote_failure.hpp"
#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

namespace {

/// To the home of a completion: so many have finished elsewhere, one of them perhaps with an exception.
struct finish_record {
  completion* scope;
  std::int64_t finished;
  std::exception_ptr* error;
  std::uint32_t error_core;
  void operator()(const dispatch&) const {
    if (error != nullptr) scope->fail(std::make_exception_ptr(remote_failure{error_core, error}));
    scope->finish(finished);
  }
};

}  // namespace

// --- out ----------------------------------------------------------------------------------------

/// What surely fits one wire packet of answers to one core, whatever their sizes.
std::size_t endpoint::wire_answer_bytes() const {
  const fabric::wire_format& format = shared_.wire->format();
  constexpr std::size_t k_lost =
      fabric::packet::k_head_bytes + k_largest_answer + k_reply_overhead;  // at most
  if (format.first_chunk < 4 * k_lost) return format.room() / 4;
  return format.room() / format.first_chunk * (format.first_chunk - k_lost);
}

bool endpoint::open_chunk(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes) {
  const fabric::wire_format& format = shared_.wire->format();
  const unsigned neighbour = neighbour_to(to);
  wire_send_buffer* opened = wire_buffers_.find(neighbour, kind);
  const std::size_t least =
      std::max(round_up(fabric::packet::k_head_bytes + bytes, k_line_bytes), format.first_chunk);
  if (opened != nullptr && format.room() - opened->end < least) {
    flush_wire_buffer(neighbour, kind, reason::full);
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

/// The chunk is full, or leaves: the send buffer goes on in another one.
void endpoint::retire_chunk(send_buffer& o, unsigned to) {
  close_run(o, to);
  o.seal();
  --(is_reply(o, to) ? open_replies_ : open_requests_);
  o.release();
}

void endpoint::flush_wire_buffer(unsigned neighbour, fabric::traffic kind, reason why) {
  if (wire_buffers_.find(neighbour, kind) == nullptr) return;
  wire_send_buffer& b = wire_buffers_.close(neighbour, kind);
  send_buffer* const send_buffers = (kind == fabric::traffic::reply ? replies_ : requests_).data();
  fabric::packet& p = *b.open;
  std::size_t end = 0;
  for (const std::uint32_t at : b.chunks) {  // side by side: what chunks have not used does not travel
    fabric::packet& chunk = fabric::wire_format::chunk(p, at);
    send_buffer& o = send_buffers[chunk.owner];
    if (o.open == &chunk) retire_chunk(o, chunk.owner);
    o.room = 0;  // in the next packet it starts small
    const std::size_t bytes = fabric::wire_format::bytes_of(chunk);
    if (end != at) std::memmove(&fabric::wire_format::chunk(p, end), &chunk, bytes);
    end += bytes;
  }
  p.bytes = static_cast<std::uint32_t>(fabric::wire_format::k_head_bytes + end);
  p.matches = static_cast<std::uint16_t>(b.chunks.size());
  p.reply_bytes = neighbour;  // until the wire sends it
  wire_buffers_.recycle(b);
  const std::size_t bytes = p.bytes;
  const bool pushed = shared_.lanes.try_push(p, id() - shared_.first, shared_.wire->endpoint_index());
  GOSSAMER_ASSERT(pushed, "a lane to the wire was full: it has room for all of a core's wire packets");
  const std::size_t room = shared_.wire->format().packet_bytes;
  count_packet(bytes, room, why);
  ++counters_.wire_packets;
  counters_.wire_bytes += bytes;
  counters_.wire_room += room;
}

/// The oldest first.
void endpoint::flush_wire_buffers(fabric::traffic kind, reason why) {
  while (wire_buffers_.any_open(kind)) flush_wire_buffer(wire_buffers_.oldest(kind), kind, why);
}

void endpoint::report_later(const scope_id& parent, std::int64_t n, const std::exception_ptr& error) {
  remote_failure where{};
  if (error) where = name_failure(id(), error);
  if (where.what == nullptr && !reports_.empty() && reports_.back().parent == parent) {
    reports_.back().finished += n;
    return;
  }
  reports_.push_back({parent, n, where.core, where.what});
}

void endpoint::send_reports() {
  // One packet stays in hand: the report after the last may need it.
  while (!reports_.empty() && wire_pool(fabric::traffic::reply).available() > 1) {
    const report r = reports_.back();
    reports_.pop_back();
    write(replies_[r.parent.core], r.parent.core, nullptr,
          finish_record{r.parent.at, r.finished, r.error, r.error_core}, 0);
  }
}

/// Large messages that were granted leave in pieces while there are packets. Needs no fiber and never
/// suspends: all fibers may wait for this. Fibers that wait for packets have every other one.
bool endpoint::push_granted() {
  fabric::packet_pool& pool = wire_pool(fabric::traffic::request);
  const bool others = !wire_waiters(fabric::traffic::request).empty();
  pushed_ = others && !pushed_;
  if (others && !pushed_) return false;
  void* const own = local();
  set_local(nullptr);  // pieces are not counted
  bool some = false;
  while (to_push_ && pool.available() != 0) {
    to_push_ = mail_->push_piece();
    some = true;
    if (others) break;
  }
  set_local(own);
  if (to_push_ && pool.available() == 0) flush_wire_buffers(fabric::traffic::request, reason::request);
  return some;
}

// --- in -----------------------------------------------------------------------------------------

bool endpoint::receive_from_wire() {
  const unsigned endpoint_index = shared_.wire->endpoint_index(), mine = id() - shared_.first;
  bool some = false;
  auto& answers = shared_.lanes.between(endpoint_index, mine, fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    run_packet(*p);
    shared_.wire->release(*p);
    some = true;
  }
  auto& requests = shared_.lanes.between(endpoint_index, mine, fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    requests.pop();
    wire_requests_.push_back(p);
  }
  if (!wire_requests_.empty()) some |= take_wire_requests();
  return some;
}

/// In order for each source. One whose messages must wait for room in the mailbox holds up itself only.
bool endpoint::take_wire_requests() {
  blocked_.clear_remote();
  bool some = false;
  for (auto at = wire_requests_.begin(); at != wire_requests_.end();) {
    fabric::packet& p = **at;
    const unsigned source = p.source;
    if (blocked_.has_remote(source)) {
      ++at;
      continue;
    }
    if (!can_answer(source, p.reply_bytes)) {
      deferred_.set(shared_.wire->endpoint_index());
      break;
    }
    if (p.matches != 0 && !mail().has_room(source, p.matches, p.bytes)) {
      wait_for_mail_room(source, p);
      ++at;
      continue;
    }
    at = wire_requests_.erase(at);
    run_packet(p);
    shared_.wire->release(p);
    some = true;
  }
  return some;
}

/// Records that completions of another process count: they run under this core's shares of those.
void endpoint::run_remote_requests(std::byte* at, std::byte* end, unsigned source) {
  share_table::share* counted_by = nullptr;
  const auto leave = [&] {
    if (counted_by != nullptr) --counted_by->running;
  };
  const std::int64_t outer_answered = std::exchange(answered_, 0);
  completion* const outer_scope = std::exchange(remote_scope_, nullptr);
  set_local(nullptr);
  const auto change_scope = [&](completion* named) {
    leave();
    counted_by = nullptr;
    remote_scope_ = named;
    if (named != nullptr) {
      counted_by = &shares_.of({source, named});
      ++counted_by->running;  // so that it stays
    }
    set_local(counted_by != nullptr ? counted_by->counts : nullptr);
  };
  for_each_run(at, end, change_scope, [&](const run_header& h, std::byte* records) {
    run_handler(h, records, source, counted_by != nullptr ? counted_by->counts : nullptr);
    if (counted_by != nullptr) counted_by->finished += h.count - answered_;
    answered_ = 0;
  });
  leave();
  answered_ = outer_answered;
  remote_scope_ = outer_scope;
}

}  // namespace gossamer::message
