// The sending half of an endpoint: fibers that wait for packets or for room, and when the outbox is flushed. Packets are
// the outbox's business.
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
        // Looks at what has come, so that lanes stay short, also among cores that never idle. What was granted goes on, too. Replies do
        // without: what a look answers would take the room that this one was promised.
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
    receive();  // moves the wire
    if (out_.wire_pool(fabric::traffic::request).available() == 0)
      wire_waiters(fabric::traffic::request).wait("a packet to another process");
    return;
  }
  fabric::packet_pool& pool = out_.pool(fabric::traffic::request);
  pool.want();
  out_.flush_all(reason::request);  // what lies in open packets cannot come back before it has left
  if (pool.available() == 0) packet_waiters_.wait("a packet");
}

/// Waits a moment for room in a lane and returns whether there is some: a full lane is usually emptied within a few
/// us. Taking what comes meanwhile keeps both sides going.
bool endpoint::spin_for_room(unsigned to) {
  constexpr int k_looks = 256;
  for (int i = 0; spin_ && i < k_looks; ++i) {
    if (out_.lane_has_room(to)) return true;
    receive();
    machine::cpu_relax();
  }
  return false;
}

void endpoint::wait_for_room(unsigned to) {
  if (spin_for_room(to)) return;
  ++counters_.pool_waits;
  out_.pool(fabric::traffic::request).want();  // so that a core that makes room says so at once
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
  unsigned served = cores();  // one at a time: it may take all the room there is
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
  constexpr std::uint32_t k_looks = 8;  // a look at the clock takes as long as a small message
  if (!proxies_.empty() && (late || (++busy_looks_ % k_looks == 0 &&
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

/// Reports of two-sided messages wait a moment: an answer is often on its way, and its sender waits for no report.
bool endpoint::before_idle(idling step) {
  proxies_.report(step == idling::begins ? remote_completion_proxies::which::awaited
                                         : remote_completion_proxies::which::all);
  if (!reports_.empty()) send_reports();
  if (out_.any_open())
    out_.flush_all(reason::idle);  // what finds its lane full stays: may_leave() says when to try again
  return !in_.has_deferred() && !moves_get_on();
}

void endpoint::before_sleep() {
  note_lane_waits();
  counted_idle_ = true;
  looks_ = 0;  // the next look is at the wire, too
  in_.return_all();
  // What others hold of ours may be what a fiber waits for here.
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

/// Returns whether a fiber that waits for a wire packet finds one of its kind. What has come back of the other kind is no news: it would
/// keep the core awake for ever.
bool endpoint::wire_waiter_goes_on() const {
  for (const auto kind : {fabric::traffic::reply, fabric::traffic::request}) {
    // seq_cst, before the look at the pool; pairs with put_batch()
    (void)out_.wire_pool(kind).any_returned();
    if (!wire_waiters_[static_cast<std::size_t>(kind)].empty() && out_.wire_pool(kind).available() != 0)
      return true;
  }
  return false;
}

/// Returns whether something that found its lane full would find room now. A core that takes packets out of a lane
/// brings them home and notifies this core: by the batch, soon where they are wanted (before_sleep() says so), and
/// before it sleeps itself.
bool endpoint::may_leave() const {
  if (!out_.any_open_request() && room_waiters_.empty()) return false;
  // seq_cst, before the look at the lanes: pairs with the return of packets
  (void)out_.pool(fabric::traffic::request).any_returned();
  return out_.may_leave() ||
         std::ranges::any_of(room_waiters_, [this](const room_waiter& w) { return has_room(w); });
}

}  // namespace gossamer::message
