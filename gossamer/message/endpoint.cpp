#include "gossamer/message/endpoint.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/core.h>

#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

void dispatch::failed(std::exception_ptr what) const {
  GOSSAMER_ASSERT(scope != nullptr);
  scope->fail(std::move(what));
}

namespace {
constexpr const char* k_wire_buffer_use = "send buffers for processes";

/// A core that sends to all others has two packets for each, up to so many that all cores' pools stay linear.
std::size_t further_packets(unsigned cores) { return 2 * std::size_t{std::min(cores, 512U)}; }

/// What others may hold back of a pool's packets, so that all of them together hold a quarter at most.
std::uint32_t batch_of(const fabric::packet_pool& pool, unsigned cores) {
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(pool.capacity() / (4 * std::size_t{cores}), 1, fabric::packet_batch::k_most));
}
}  // namespace

endpoint::endpoint(unsigned id, const endpoint_options& options, process_context& shared)
    : scheduler(id, options.scheduler, shared.sleepers),
      shared_(shared),
      requests_(shared.all, "send buffers"),
      replies_(shared.all, "send buffers"),
      request_pool_(static_cast<std::uint16_t>(id - shared.first),
                    options.request_packets + further_packets(shared.cores()), options.packet_bytes),
      reply_pool_(static_cast<std::uint16_t>(id - shared.first), k_reply_packets, options.packet_bytes),
      payload_bytes_(round_down(request_pool_.payload_bytes(), 8)),
      record_room_((shared.wire != nullptr ? std::min(payload_bytes_, chunk_room()) : payload_bytes_) -
                   k_most_run_heads),
      aggregate_(options.aggregate),
      most_reply_bytes_(static_cast<std::uint32_t>(8 * reply_pool_.payload_bytes())),
      most_matches_(static_cast<std::uint32_t>(
          std::min({mailbox::k_most_messages / shared.all, packet_room() / 16 + 1, std::size_t{65535}}))),
      local_open_{bit_set(shared.lanes.arrival_words()), bit_set(shared.lanes.arrival_words())},
      flush_delay_ticks_(options.flush_delay_ns * machine::ticks_per_us() / 1000),
      deferred_(shared.lanes.arrival_words()),
      blocked_(shared.lanes.arrival_words()),
      request_returns_(shared.cores(), "packets on their way home"),
      reply_returns_(shared.cores(), "packets on their way home"),
      return_owners_(shared.lanes.arrival_words()),
      request_batch_(batch_of(request_pool_, shared.cores())),
      reply_batch_(batch_of(reply_pool_, shared.cores())),
      spin_(options.scheduler.spin_ns != 0),
      unexpected_messages_(options.unexpected_messages),
      unexpected_bytes_(options.unexpected_bytes),
      most_payload_bytes_(options.payload_bytes_in_flight),
      wire_buffers_{{shared.wire != nullptr ? processes() : 0, k_wire_buffer_use},
                    {shared.wire != nullptr ? processes() : 0, k_wire_buffer_use}} {
  GOSSAMER_ASSERT(options.packet_bytes >= 2048 && options.packet_bytes <= 65536,
                  "packet_bytes: 2 KiB to 64 KiB");
  shared.endpoints[id - shared.first] = this;
  if (shared.wire == nullptr) return;
  remote_blocked_.resize(divide_up(shared.all, 64U));
  const std::size_t wire_packets = shared.wire->packets_of_core();
  for (std::size_t kind = 0; kind < fabric::k_traffic_classes; ++kind) {
    wire_pools_[kind] = std::make_unique<fabric::packet_pool>(
        static_cast<std::uint16_t>(id - shared.first), wire_packets, shared.wire->format().packet_bytes);
  }
  // can_answer() must be able to say yes: one packet's worth is lost to what does not fit, one is for
  // reports.
  most_reply_bytes_ = static_cast<std::uint32_t>(
      std::min<std::size_t>(most_reply_bytes_, (wire_packets - 2) * wire_answer_bytes()));
}

endpoint::~endpoint() = default;

// --- outbox -------------------------------------------------------------------------------------

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
    const std::size_t mark = counted_by != o.marked ? sizeof(run_header) + sizeof(std::uintptr_t) : 0;
    const auto room = static_cast<std::size_t>(limit_of(o) - o.end);
    // Records that the run may have: as many as its header can count, and a mailbox can take from one source.
    const std::size_t most = matches == 0 ? k_most_of_run : most_matches_ - o.matches;
    const bool welcome = (aggregate_ || o.end == o.open->payload()) && most != 0;
    if (welcome && room >= mark + sizeof(run_header) + record_bytes &&
        (reply_bytes == 0 || o.reply_bytes + reply_bytes + k_reply_overhead <= most_reply_bytes_)) {
      if (mark != 0) {
        const run_header h{0, static_cast<std::uint16_t>(to), 0, 0};
        std::memcpy(o.end, &h, sizeof h);
        const auto scope_bits = reinterpret_cast<std::uintptr_t>(counted_by);
        std::memcpy(o.end + sizeof h, &scope_bits, sizeof scope_bits);
        o.end += mark;
        o.marked = counted_by;
      }
      o.run = o.end;
      o.end += sizeof(run_header);
      o.handler = handler_id;
      o.scope = counted_by;
      o.record_bytes = static_cast<std::uint16_t>(record_bytes);
      o.last = o.end;
      if (aggregate_)
        o.last +=
            std::min(static_cast<std::size_t>(limit_of(o) - o.end) - record_bytes, (most - 1) * record_bytes);
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
  if (o.handler == 0) return;
  std::byte* const first = o.run + sizeof(run_header);
  const auto count = static_cast<std::size_t>(o.end - first) / o.record_bytes;
  const run_header h{o.handler, static_cast<std::uint16_t>(to), static_cast<std::uint16_t>(count),
                     o.record_bytes};
  std::memcpy(o.run, &h, sizeof h);
  o.end = first + round_up(count * o.record_bytes, 8);
  o.handler = 0;
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
  set_bit(local_open(kind), to - shared_.first);
  return true;
}

void endpoint::begin_packet(send_buffer& o, fabric::packet& p, fabric::traffic kind, std::size_t room) {
  p.kind = kind;
  p.source = static_cast<std::uint16_t>(id());
  o.open = &p;
  o.room = static_cast<std::uint32_t>(room);
  o.end = p.payload();
  o.marked = nullptr;
  o.reply_bytes = 0;
  o.matches = 0;
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
  fabric::packet& p = *o.open;
  p.bytes = static_cast<std::uint32_t>(o.end - p.payload());
  p.reply_bytes = o.reply_bytes;
  p.matches = static_cast<std::uint16_t>(o.matches);  // most_matches_ at most
  const fabric::traffic kind = p.kind;
  const std::uint32_t bytes = p.bytes;  // once pushed the packet is the receiver's
  if (to != id() && !shared_.lanes.try_push(p, id() - shared_.first, to - shared_.first)) return false;

  count_packet(bytes, payload_bytes_, why);
  --(kind == fabric::traffic::reply ? open_replies_ : open_requests_);
  clear_bit(local_open(kind), to - shared_.first);
  o.open = nullptr;
  o.end = o.last = nullptr;
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

/// The first that is set, from there on; past the end where there is none.
unsigned endpoint::next_bit(const bit_set& bits, unsigned from) {
  const auto words = static_cast<unsigned>(bits.size());
  for (unsigned w = from / 64; w < words; from = ++w * 64)
    if (const std::uint64_t rest = bits[w] >> (from % 64); rest != 0)
      return from + static_cast<unsigned>(std::countr_zero(rest));
  return words * 64;
}

void endpoint::flush_replies(reason why) {
  flush_wire_buffers(fabric::traffic::reply, why);
  const bit_set& open = local_open(fabric::traffic::reply);
  for (unsigned i = 0; open_replies_ != 0 && (i = next_bit(open, i)) < shared_.cores(); ++i) {
    const bool left = try_flush(replies_[shared_.first + i], shared_.first + i, why);
    GOSSAMER_ASSERT(left, "a reply lane was full");
  }
}

/// What finds its lane full stays.
void endpoint::try_flush_all(reason why) {
  flush_replies(why);
  flush_wire_buffers(fabric::traffic::request, why);
  const bit_set& open = local_open(fabric::traffic::request);
  for (unsigned i = 0; open_requests_ != 0 && (i = next_bit(open, i)) < shared_.cores(); ++i)
    (void)try_flush(requests_[shared_.first + i], shared_.first + i, why);
}

void endpoint::flush() {
  flush_wire_buffers(fabric::traffic::request, reason::request);
  const bit_set& open = local_open(fabric::traffic::request);
  for (unsigned i = 0; open_requests_ != 0 && (i = next_bit(open, i)) < shared_.cores(); ++i)
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
  if (payload_waiter_ != nullptr && payload_fits()) {
    wake(*std::exchange(payload_waiter_, nullptr));
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

// --- inbox --------------------------------------------------------------------------------------

bool endpoint::poll() {
  GOSSAMER_DEBUG_ASSERT(!in_handler_);
  bool moved = receive();
  if (to_push_) [[unlikely]]
    moved |= push_granted();
  if (to_return_ != 0 && ++polls_ % 8 == 0) return_packets(returning::wanted);
  if (!packet_waiters_.empty() || !room_waiters_.empty() || !reply_waiters_.empty() ||
      payload_waiter_ != nullptr || anybody_waits_for_wire())
    moved |= wake_waiters();
  if (!reports_.empty()) send_reports();
  return moved;
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
  return std::ranges::all_of(deferred_, [](std::uint64_t w) { return w == 0; });
}

void endpoint::before_sleep() {
  if (to_return_ != 0) return_packets(returning::all);
  // What others hold of ours may be what a fiber waits for here.
  if (open_requests_ != 0 || !room_waiters_.empty() || !packet_waiters_.empty()) request_pool_.want();
}

bool endpoint::has_news() const {
  if (shared_.wire != nullptr && (shared_.wire->poll() || wire_pool_returned())) return true;
  return shared_.lanes.any_arrival(id() - shared_.first, blocked_) ||
         (!packet_waiters_.empty() && request_pool_.any_returned()) ||
         (!reply_waiters_.empty() && reply_pool_.any_returned()) || may_leave() ||
         (payload_waiter_ != nullptr && payload_fits());
}

/// Whether something that found its lane full would find room now. A core that takes packets out of a lane brings
/// them home and notifies this core: by the batch, soon where they are wanted (before_sleep() says so), and
/// before it sleeps itself.
bool endpoint::may_leave() const {
  if (open_requests_ == 0 && room_waiters_.empty()) return false;
  (void)request_pool_.any_returned();  // seq_cst, before the look at the lanes: pairs with return_packets()
  const auto room = [this](unsigned to) { return to == id() || !is_local(to) || lane_to(to).has_room(); };
  if (!open_wire_buffers_[static_cast<std::size_t>(fabric::traffic::request)].empty()) return true;
  const bit_set& open = local_open_[static_cast<std::size_t>(fabric::traffic::request)];
  for (unsigned i = 0; open_requests_ != 0 && (i = next_bit(open, i)) < shared_.cores(); ++i)
    if (room(shared_.first + i)) return true;
  return std::ranges::any_of(room_waiters_, [&](const room_waiter& w) { return room(w.to); });
}

bool endpoint::receive() {
  if (auto* s = machine::simulated()) [[unlikely]]
    s->look();
  bool some = shared_.wire != nullptr &&
              (running() == nullptr || running()->kind != fiber::stack_class::small) &&
              shared_.wire->poll();  // a transport may need tens of KiB of stack
  for (std::size_t w = 0; w < deferred_.size(); ++w) {
    std::uint64_t bits =
        shared_.lanes.take_arrivals(id() - shared_.first, w) | std::exchange(deferred_[w], 0);
    for (; bits != 0; bits &= bits - 1)
      some |= receive_from(static_cast<unsigned>(w * 64) + static_cast<unsigned>(std::countr_zero(bits)));
  }
  if (common_freed_) [[unlikely]]
    some |= receive_blocked();
  return some;
}

/// Requests of that source wait until the mailbox has more room.
void endpoint::wait_for_mail_room(unsigned source, const fabric::packet& p) {
  const copy_room need = mail().common_need(source, p.matches, p.bytes);
  least_need_ = {std::min(least_need_.messages, need.messages), std::min(least_need_.bytes, need.bytes)};
  if (is_local(source)) return set_bit(blocked_, source - shared_.first);
  set_bit(remote_blocked_, source);
  remote_blocked_list_.push_back(source);
}

/// Common room has come: looks again at all that wait for room, in turn, those of the wire as one, until
/// there is less than any of them needs. So room for one message costs a look at one source, not at all.
bool endpoint::receive_blocked() {
  common_freed_ = false;
  unsigned left = remote_blocked_list_.empty() ? 0 : 1;
  for (const std::uint64_t word : blocked_) left += static_cast<unsigned>(std::popcount(word));
  if (left == 0) return false;
  bool some = false;
  const copy_room least = std::exchange(least_need_, k_no_need);  // found anew of those that stay
  for (; left > 0; --left, ++next_blocked_) {
    if (!mail().common_room().holds(least)) {
      least_need_ = {std::min(least_need_.messages, least.messages),
                     std::min(least_need_.bytes, least.bytes)};
      break;
    }
    unsigned endpoint_index = next_bit(blocked_, next_blocked_);
    if (endpoint_index >= shared_.cores() &&
        (next_blocked_ > shared_.cores() || remote_blocked_list_.empty()))
      endpoint_index = next_bit(blocked_, 0);
    next_blocked_ = std::min(endpoint_index, shared_.cores());  // the wire's is the last
    some |= receive_from(next_blocked_);
  }
  return some;
}

/// An emptied packet: goes home with others, once there are enough of them.
void endpoint::return_packet(unsigned owner, fabric::packet& p) {
  const bool reply = p.kind == fabric::traffic::reply;
  fabric::packet_batch& batch = (reply ? reply_returns_ : request_returns_)[owner];
  batch.push(p);
  ++to_return_;
  set_bit(return_owners_, owner);
  if (batch.size() >= (reply ? reply_batch_ : request_batch_)) return_batch(batch, owner, p.kind);
}

void endpoint::return_batch(fabric::packet_batch& batch, unsigned owner, fabric::traffic kind) {
  endpoint& home = *shared_.endpoints[owner];
  to_return_ -= batch.size();
  (kind == fabric::traffic::reply ? home.reply_pool_ : home.request_pool_).put_batch(batch);
  home.notify();
}

bool endpoint::receive_from(unsigned endpoint_index) {
  if (endpoint_index == shared_.cores()) return receive_from_wire();
  const unsigned source = endpoint_index + shared_.first, mine = id() - shared_.first;
  bool some = false;
  auto& answers = shared_.lanes.between(endpoint_index, mine, fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    run_packet(*p);
    return_packet(endpoint_index, *p);
    some = true;
  }
  auto& requests = shared_.lanes.between(endpoint_index, mine, fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    if (!can_answer(source, p->reply_bytes)) {
      set_bit(deferred_, endpoint_index);
      reply_pool_.want();
      break;
    }
    if (p->matches != 0) {
      if (!mail().has_room(source, p->matches, p->bytes)) {
        wait_for_mail_room(source, *p);
        break;
      }
      clear_bit(blocked_, endpoint_index);  // or what comes next would not keep the core awake
    }
    requests.pop();
    run_packet(*p);
    return_packet(endpoint_index, *p);
    some = true;
  }
  return some;
}

bool endpoint::can_answer(unsigned to, std::uint32_t bytes) {
  if (bytes == 0) return true;
  const bool local = is_local(to);
  const auto& pool = local ? reply_pool_ : wire_pool(fabric::traffic::reply);
  const std::size_t usable =
      local ? reply_pool_.payload_bytes() - k_largest_answer - k_reply_overhead : wire_answer_bytes();
  // Open packets count for nothing: the one for this source may be nearly full.
  if (pool.available() * usable >= bytes + usable) return true;
  if (open_replies_ != 0) flush_replies(reason::request);  // so that they come back
  return pool.available() * usable >= bytes + usable;
}

void endpoint::run_packet(fabric::packet& p) {
  const bool outer = std::exchange(in_handler_, true);
  const interrupted before = begin_handlers();
  void* const own = local();
  counters_.received_bytes += p.bytes;
  if (is_local(p.source) || p.kind == fabric::traffic::reply) [[likely]]
    run_payload(p.payload(), p.payload() + p.bytes, p.source);
  else
    run_remote_requests(p.payload(), p.payload() + p.bytes, p.source);
  set_local(own);
  end_handlers(before);
  in_handler_ = outer;
}

const char* endpoint::running_handler() const {
  return in_handler_ && handler_ != 0 ? handler_name(handler_) : nullptr;
}

void endpoint::not_joined(const fiber::fiber& f, std::exception_ptr what) noexcept {
  if (message::completion* const mine = scope())
    mine->fail(std::move(what));
  else
    scheduler::not_joined(f, std::move(what));
}

void endpoint::run_payload(std::byte* at, std::byte* end, unsigned source) {
  completion* counted_by = nullptr;
  std::int64_t finished = 0;
  set_local(nullptr);
  while (at < end) {
    run_header h;
    std::memcpy(&h, at, sizeof h);
    at += sizeof h;
    if (h.handler == 0) {
      if (counted_by != nullptr) counted_by->finish(finished);
      finished = 0;
      std::uintptr_t scope_bits;
      std::memcpy(&scope_bits, at, sizeof scope_bits);
      at += sizeof scope_bits;
      counted_by = reinterpret_cast<completion*>(scope_bits);
      set_local(counted_by);
      continue;
    }
    handler_ = h.handler;
    handler_function(h.handler)(
        dispatch{*this, static_cast<std::uint16_t>(source), counted_by, h.record_bytes}, at, h.count);
    at += round_up(std::size_t{h.count} * h.record_bytes, 8);
    finished += h.count;
    counters_.handled += h.count;
  }
  if (counted_by != nullptr) counted_by->finish(finished);
}

void endpoint::return_packets(returning which) {
  for (unsigned owner = 0; (owner = next_bit(return_owners_, owner)) < shared_.cores(); ++owner) {
    const endpoint& home = *shared_.endpoints[owner];
    if (!request_returns_[owner].empty() && (which == returning::all || home.request_pool_.wanted()))
      return_batch(request_returns_[owner], owner, fabric::traffic::request);
    if (!reply_returns_[owner].empty() && (which == returning::all || home.reply_pool_.wanted()))
      return_batch(reply_returns_[owner], owner, fabric::traffic::reply);
    if (request_returns_[owner].empty() && reply_returns_[owner].empty()) clear_bit(return_owners_, owner);
  }
}

// --- two-sided messages, payloads ---------------------------------------------------------------

void endpoint::make_mailbox() {
  mail_ = std::make_unique<mailbox>(*this, unexpected_messages_, unexpected_bytes_);
}

bool endpoint::payload_fits() const {
  // seq_cst: after falling asleep, or before; pairs with release_payload()
  const std::size_t out = payload_bytes_in_flight_.load(std::memory_order_seq_cst);
  return out == 0 || out + wanted_ <= most_payload_bytes_;
}

void endpoint::reserve_payload(std::size_t bytes) {
  payload_mutex_.lock();
  wanted_ = bytes;
  if (!payload_fits()) {
    payload_waiter_ = running();
    suspend("payloads to be used: as many bytes as payload_bytes_in_flight are on their way");
  }
  payload_bytes_in_flight_.fetch_add(bytes, std::memory_order_relaxed);  // only a count
  payload_mutex_.unlock();
}

void endpoint::release_payload(std::size_t bytes) {
  payload_bytes_in_flight_.fetch_sub(
      bytes,
      std::memory_order_seq_cst);  // before the look at the sleeper; pairs with payload_fits()
  notify();
}

std::string endpoint::describe_wait(const fiber::fiber& f) {
  std::string what = mail_ != nullptr ? mail_->describe_wait(f) : "";
  return !what.empty() ? what : f.waits_for != nullptr ? f.waits_for : "nothing";
}

std::string endpoint::describe_unmatched() { return mail_ != nullptr ? mail_->describe_unmatched() : ""; }

// --- captured addresses -------------------------------------------------------------------------

void endpoint::check_captures(const void* bytes, std::size_t size, const char* what) const {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= size; at += alignof(std::uintptr_t)) {
    std::uintptr_t bits;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + at, sizeof bits);
    const void* const address = reinterpret_cast<const void*>(bits);
    if (!in_own_frames(address)) continue;
    const std::string message = fmt::format(
        "{} captured the address of a variable on a fiber's stack (byte {} of the capture): capture by value",
        shown(what).view(), at);
    assertion_failed("captures mean something on every core", __FILE__, __LINE__, message.c_str());
  }
}

}  // namespace gossamer::message
