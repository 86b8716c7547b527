// The sending half of an endpoint: open packets, when they leave, and fibers that wait for packets or room. Packets for
// other processes are in endpoint_wire.cpp.
#include <algorithm>
#include <utility>

#include "gossamer/machine/clock.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

void endpoint::open_run(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t handler_id,
                        std::size_t record_bytes, std::uint32_t reply_bytes, std::uint32_t matches) {
  const bool replying = is_reply(o, to);
  GOSSAMER_ASSERT(replying || !in_handler_, k_handler_rule);
  while (true) {
    close_run(o, to);
    if (o.open == nullptr && !open_packet(o, to, replying ? fabric::traffic::reply : fabric::traffic::request,
                                          record_bytes + k_most_run_heads)) {
      GOSSAMER_ASSERT(!replying, "a reply found no packet: can_answer() must see to it");
      wait_for_packet(to);
      continue;  // another fiber may have used the send buffer meanwhile
    }
    // Records that the run may have: as many as its header can count, and a mailbox can take from one source.
    const std::size_t most = matches == 0 ? k_most_of_run : most_matches_ - o.matches;
    const bool welcome = (aggregate_ || o.empty()) && most != 0;
    if (welcome && o.fits_run(counted_by, record_bytes) &&
        (reply_bytes == 0 || o.reply_bytes + reply_bytes + k_reply_overhead <= most_reply_bytes_)) {
      o.open_run(to, counted_by, handler_id, record_bytes, aggregate_ ? most : 1);
      if (reply_bytes != 0) o.reply_bytes += k_reply_overhead;  // the answers of a run are a run
      // The open run; close_run() adds the rest.
      if (counted_by != nullptr && counts(o, to)) counted_by->issue(1);
      return;
    }
    if (aggregate_ && !is_local(to)) {  // the next chunk of the same wire packet
      retire_chunk(o, to);
      if (!in_handler_) receive();
      continue;
    }
    if (!try_flush(o, to, reason::full)) {
      GOSSAMER_ASSERT(!replying, "a reply lane was full");
      wait_for_room(to);
    } else if (!in_handler_) {
      // Looks at what has come, so that lanes stay short, also among cores that never idle.
      receive();
    }
  }
}

void endpoint::close_run(send_buffer& o, unsigned to) {
  const std::size_t count = o.close_run(to);
  if (count == 0) return;
  if (o.scope != nullptr && counts(o, to)) o.scope->issue(static_cast<std::int64_t>(count) - 1);
  counters_.messages += count;
  ++counters_.runs;
}

/// With room for so many bytes at least.
bool endpoint::open_packet(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes) {
  if (!is_local(to)) return open_chunk(o, to, kind, bytes);
  fabric::packet* p = (kind == fabric::traffic::reply ? reply_pool_ : request_pool_).get();
  if (p == nullptr) return false;
  begin_packet(o, *p, kind, payload_bytes_);
  local_open(kind).set(to - shared_.first);
  return true;
}

void endpoint::begin_packet(send_buffer& o, fabric::packet& p, fabric::traffic kind, std::size_t room) {
  p.kind = kind;
  p.source = static_cast<std::uint16_t>(id());
  o.begin(p, room);
  if (open_requests_ + open_replies_ == 0) opened_at_ = machine::ticks();
  ++(kind == fabric::traffic::reply ? open_replies_ : open_requests_);
}

bool endpoint::try_flush(send_buffer& o, unsigned to, reason why) {
  if (o.open == nullptr) return true;
  if (!is_local(to)) {
    flush_wire_buffer(neighbour_to(to), is_reply(o, to) ? fabric::traffic::reply : fabric::traffic::request,
                      why);
    return true;
  }
  close_run(o, to);
  fabric::packet& p = o.seal();
  const fabric::traffic kind = p.kind;
  const std::uint32_t bytes = p.bytes;  // once pushed the packet is the receiver's
  if (to != id() && !shared_.lanes.try_push(p, id() - shared_.first, to - shared_.first)) return false;

  count_packet(bytes, payload_bytes_, why);
  --(kind == fabric::traffic::reply ? open_replies_ : open_requests_);
  local_open(kind).clear(to - shared_.first);
  o.release();
  if (to != id()) {
    other(to).notify();
  } else {  // what goes to the own core is run here and now, a packetful at a time
    run_packet(p);
    request_pool_.put(p);
  }
  return true;
}

void endpoint::count_packet(std::size_t bytes, std::size_t room, reason why) {
  ++counters_.packets;
  counters_.bytes += bytes;
  counters_.packet_room += room;
  ++(why == reason::full   ? counters_.flush_full
     : why == reason::idle ? counters_.flush_idle
     : why == reason::age  ? counters_.flush_age
                           : counters_.flush_request);
}

void endpoint::flush_replies(reason why) {
  flush_wire_buffers(fabric::traffic::reply, why);
  const bit_set& open = local_open(fabric::traffic::reply);
  for (unsigned i = 0; open_replies_ != 0 && (i = open.next(i)) < shared_.cores(); ++i) {
    const bool left = try_flush(replies_[shared_.first + i], shared_.first + i, why);
    GOSSAMER_ASSERT(left, "a reply lane was full");
  }
}

/// What finds its lane full stays.
void endpoint::try_flush_all(reason why) {
  flush_replies(why);
  flush_wire_buffers(fabric::traffic::request, why);
  const bit_set& open = local_open(fabric::traffic::request);
  for (unsigned i = 0; open_requests_ != 0 && (i = open.next(i)) < shared_.cores(); ++i)
    (void)try_flush(requests_[shared_.first + i], shared_.first + i, why);
}

void endpoint::flush() {
  flush_wire_buffers(fabric::traffic::request, reason::request);
  const bit_set& open = local_open(fabric::traffic::request);
  for (unsigned i = 0; open_requests_ != 0 && (i = open.next(i)) < shared_.cores(); ++i)
    while (!try_flush(requests_[shared_.first + i], shared_.first + i, reason::request))
      wait_for_room(shared_.first + i);
}

void endpoint::wait_for_packet(unsigned to) {
  ++counters_.pool_waits;
  if (!is_local(to)) {
    try_flush_all(reason::request);
    receive();  // moves the wire
    if (wire_pool(fabric::traffic::request).available() == 0)
      wire_waiters(fabric::traffic::request).wait("a packet to another process");
    return;
  }
  request_pool_.want();
  try_flush_all(reason::request);  // what lies in open packets cannot come back before it has left
  if (request_pool_.available() == 0) packet_waiters_.wait("a packet");
}

/// A full lane is usually emptied within a few us. Taking what comes meanwhile keeps both sides going.
bool endpoint::spin_for_room(unsigned to) {
  constexpr int k_looks = 256;
  for (int i = 0; spin_ && i < k_looks; ++i) {
    if (lane_to(to).has_room()) return true;
    receive();
    machine::cpu_relax();
  }
  return false;
}

void endpoint::wait_for_room(unsigned to) {
  if (spin_for_room(to)) return;
  ++counters_.pool_waits;
  request_pool_.want();  // so that a core that makes room says so at once
  room_waiters_.push_back({to, running()});
  suspend("room in a lane");
}

void endpoint::wait_for_reply_room(unsigned to, std::size_t bytes) {
  while (!can_answer(to, static_cast<std::uint32_t>(bytes))) {
    reply_pool_.want();
    (is_local(to) ? reply_waiters_ : wire_waiters(fabric::traffic::reply)).wait("room for an answer");
  }
}

bool endpoint::wake_waiters() {
  bool woke = false;
  for (std::size_t n = reply_waiters_.empty() ? 0 : reply_pool_.available(); n > 1; --n)
    woke |= reply_waiters_.wake_one();
  if (payloads_.may_wake()) {
    payloads_.wake(*this);
    woke = true;
  }
  for (const auto kind : {fabric::traffic::reply, fabric::traffic::request})
    if (!wire_waiters(kind).empty() && wire_pool(kind).available() > 0)
      while (wire_waiters(kind).wake_one()) woke = true;  // few: one that finds none waits again
  if (!packet_waiters_.empty())
    for (std::size_t n = request_pool_.available(); n > 0 && packet_waiters_.wake_one(); --n) woke = true;
  unsigned served = cores();  // one at a time: it may take all the room there is
  std::erase_if(room_waiters_, [&](const room_waiter& w) {
    if (w.to == served || !lane_to(w.to).has_room()) return false;
    served = w.to;
    wake(*w.who);
    return woke = true;
  });
  return woke;
}

void endpoint::while_busy() {
  if (!shares_.empty() && machine::ticks() - shares_reported_at_ > flush_delay_ticks_) {
    shares_.report_all();
    shares_reported_at_ = machine::ticks();
  }
  const bool request_flush = std::exchange(flush_requested_, false);
  if (open_requests_ + open_replies_ == 0) return;
  if (!request_flush && machine::ticks() - opened_at_ <= flush_delay_ticks_) return;
  try_flush_all(request_flush ? reason::request : reason::age);
  opened_at_ = machine::ticks();
}

bool endpoint::before_idle() {
  shares_.report_all();
  if (!reports_.empty()) send_reports();
  if (open_requests_ + open_replies_ != 0)
    try_flush_all(reason::idle);  // what finds its lane full stays: may_leave() says when to try again
  return deferred_.empty();
}

void endpoint::before_sleep() {
  if (!returns_.empty()) return_packets(returning::all);
  // What others hold of ours may be what a fiber waits for here.
  if (open_requests_ != 0 || !room_waiters_.empty() || !packet_waiters_.empty()) request_pool_.want();
}

bool endpoint::has_news() const {
  if (shared_.wire != nullptr && (shared_.wire->poll() || wire_pool_returned())) return true;
  return shared_.lanes.any_arrival(id() - shared_.first, blocked_.local_words()) ||
         (!packet_waiters_.empty() && request_pool_.any_returned()) ||
         (!reply_waiters_.empty() && reply_pool_.any_returned()) || may_leave() || payloads_.may_wake();
}

/// Whether something that found its lane full would find room now. A core that takes packets out of a lane brings
/// them home and notifies this core: by the batch, soon where they are wanted (before_sleep() says so), and
/// before it sleeps itself.
bool endpoint::may_leave() const {
  if (open_requests_ == 0 && room_waiters_.empty()) return false;
  (void)request_pool_.any_returned();  // seq_cst, before the look at the lanes: pairs with return_packets()
  const auto room = [this](unsigned to) { return to == id() || !is_local(to) || lane_to(to).has_room(); };
  if (wire_buffers_.any_open(fabric::traffic::request)) return true;
  const bit_set& open = local_open_[static_cast<std::size_t>(fabric::traffic::request)];
  for (unsigned i = 0; open_requests_ != 0 && (i = open.next(i)) < shared_.cores(); ++i)
    if (room(shared_.first + i)) return true;
  return std::ranges::any_of(room_waiters_, [&](const room_waiter& w) { return room(w.to); });
}

}  // namespace gossamer::message
