// The sending half of an endpoint: fibers that wait for packets or free slots, and when the outbox is
// flushed. The outbox manages packets.
#include <algorithm>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

void endpoint::open_run(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t handler_id,
                        std::size_t record_bytes, std::uint32_t reply_bytes, std::uint32_t matches) {
  const bool replying = out_.is_reply(o, to);
  GOSSAMER_ASSERT(replying || !in_handler_, k_handler_rule);
  const outbox::first_record r{counted_by, handler_id, record_bytes, reply_bytes, matches};
  while (true) {  // another fiber may use the send buffer while this one waits
    switch (out_.open_run(o, to, r)) {
      case outbox::status::opened:
        return;
      case outbox::status::packet_left:
        // Polls, so that lanes stay short also among cores that never idle, and granted messages continue.
        // Not for replies: answers to polled requests would use the buffers that were reserved for this one.
        if (replying) break;
        receive();
        if (to_push_) [[unlikely]]
          (void)push_granted();
        break;
      case outbox::status::no_packet:
        GOSSAMER_ASSERT(!replying, "a reply found no packet: can_answer() must see to it");
        wait_for_packet(to);
        break;
      case outbox::status::lane_full:
        GOSSAMER_ASSERT(!replying, "a reply lane was full");
        wait_for_room(to);
        break;
    }
  }
}

void endpoint::flush() {
  out_.flush_wire(fabric::traffic::request, reason::request);
  for (unsigned i = 0; (i = out_.next_open_request(i)) < shared_.endpoint_indices(); ++i) {
    const unsigned to = shared_.core_of(i);
    while (!out_.try_flush(out_.requests(to), to, reason::request)) wait_for_room(to);
  }
}

void endpoint::wait_for_packet(unsigned to) {
  ++counters_.pool_waits;
  if (!is_local(to)) {
    out_.flush_all(reason::request);
    receive();  // polls the wire
    if (out_.wire_pool(fabric::traffic::request).available() == 0)
      wire_waiters(fabric::traffic::request).wait("a packet to another process");
    return;
  }
  fabric::packet_pool& pool = out_.pool(fabric::traffic::request);
  pool.want();
  out_.flush_all(reason::request);  // packets return only after they have left
  if (pool.available() == 0) packet_waiters_.wait("a packet");
}

/// Waits a short time for a free slot in a lane, and returns whether there is one: a full lane usually
/// empties within a few us. Polls meanwhile, so that both sides progress.
bool endpoint::spin_for_room(unsigned to) {
  constexpr int k_polls = 256;
  for (int i = 0; spin_ && i < k_polls; ++i) {
    if (out_.lane_has_room(to)) return true;
    receive();
    machine::cpu_relax();
  }
  return false;
}

void endpoint::wait_for_room(unsigned to) {
  if (spin_for_room(to)) return;
  ++counters_.pool_waits;
  out_.pool(fabric::traffic::request).want();  // cores that free slots then notify this one at once
  room_waiters_.push_back({to, running()});
  suspend("room in a lane");
}

void endpoint::wait_for_reply_room(unsigned to, std::size_t bytes) {
  while (!out_.can_answer(to, static_cast<std::uint32_t>(bytes))) {
    if (shared_.has_node_lane(to)) {
      room_waiters_.push_back({to, running(), static_cast<std::uint32_t>(bytes)});
      suspend("room for an answer");
      continue;
    }
    out_.pool(fabric::traffic::reply).want();
    (is_local(to) ? reply_waiters_ : wire_waiters(fabric::traffic::reply)).wait("room for an answer");
  }
}

bool endpoint::wake_waiters() {
  bool woke = false;
  for (std::size_t n = reply_waiters_.empty() ? 0 : out_.pool(fabric::traffic::reply).available(); n > 1; --n)
    woke |= reply_waiters_.wake_one();
  if (payloads_.may_wake()) {
    payloads_.wake(*this);
    woke = true;
  }
  for (const auto kind : {fabric::traffic::reply, fabric::traffic::request})
    if (!wire_waiters(kind).empty() && out_.wire_pool(kind).available() > 0)
      while (wire_waiters(kind).wake_one()) woke = true;  // few: one that finds none waits again
  if (!packet_waiters_.empty()) {
    const std::size_t packets = out_.pool(fabric::traffic::request).available();
    for (std::size_t n = packets; n > 0 && packet_waiters_.wake_one(); --n) woke = true;
  }
  unsigned served = cores();  // one at a time: it may use all free slots
  std::erase_if(room_waiters_, [&](const room_waiter& w) {
    if (w.to == served || !has_room(w)) return false;
    served = w.to;
    mark_active();
    wake(*w.who);
    return woke = true;
  });
  return woke;
}

void endpoint::while_busy(bool late) {
  constexpr std::uint32_t k_calls_per_clock = 8;  // reading the clock takes as long as a small message
  if (!proxies_.empty() && (late || (++busy_calls_ % k_calls_per_clock == 0 &&
                                     machine::ticks() - reported_at_ > out_.flush_delay_ticks()))) {
    proxies_.report(remote_completion_proxies::which::all);
    reported_at_ = machine::ticks();
  }
  if (late) {
    quick_runs_ = 0;
    if (!reports_.empty()) send_reports();
  }
  out_.flush_aged(std::exchange(flush_requested_, false) || late);
  if (late) push_wire();
}

/// Delays reports of two-sided messages: an answer is often about to be sent, and its sender waits for no
/// report.
bool endpoint::before_idle(idling step) {
  proxies_.report(step == idling::begins ? remote_completion_proxies::which::awaited
                                         : remote_completion_proxies::which::all);
  if (!reports_.empty()) send_reports();
  if (out_.any_open())
    out_.flush_all(reason::idle);  // packets for full lanes stay: may_leave() returns when to try again
  return !in_.has_deferred() && !moves_get_on();
}

void endpoint::before_sleep() {
  note_lane_waits();
  counted_idle_ = true;
  wire_polls_ = 0;  // the next poll includes the wire
  in_.return_all();
  // A fiber here may wait for packets that other cores hold.
  if (out_.any_open_request() || !room_waiters_.empty() || !packet_waiters_.empty())
    out_.pool(fabric::traffic::request).want();
}

bool endpoint::has_news() const {
  if (poll_wire() || any_bulk_over()) return true;
  if (shared_.wire != nullptr && (wire_waiter_goes_on() || has_chunk_to_push() || has_report_to_send()))
    return true;
  return in_.any_arrival() ||
         (!packet_waiters_.empty() && out_.pool(fabric::traffic::request).any_returned()) ||
         (!reply_waiters_.empty() && out_.pool(fabric::traffic::reply).any_returned()) || may_leave() ||
         payloads_.may_wake();
}

/// Returns whether a fiber that waits for a wire packet finds one of its kind. Returned packets of the other
/// kind do not count: they would keep the core awake for ever.
bool endpoint::wire_waiter_goes_on() const {
  for (const auto kind : {fabric::traffic::reply, fabric::traffic::request}) {
    // seq_cst, before reading the pool; pairs with put_batch()
    (void)out_.wire_pool(kind).any_returned();
    if (!wire_waiters_[static_cast<std::size_t>(kind)].empty() && out_.wire_pool(kind).available() != 0)
      return true;
  }
  return false;
}

/// Returns whether something that found its lane full would find a free slot now. A core that takes packets
/// out of a lane returns them and notifies this core: in batches, soon if they are requested (before_sleep()
/// does), and before it sleeps itself.
bool endpoint::may_leave() const {
  if (!out_.any_open_request() && room_waiters_.empty()) return false;
  // seq_cst, before reading the lanes: pairs with the return of packets
  (void)out_.pool(fabric::traffic::request).any_returned();
  return out_.may_leave() ||
         std::ranges::any_of(room_waiters_, [this](const room_waiter& w) { return has_room(w); });
}

}  // namespace gossamer::message
