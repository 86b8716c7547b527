#include "gossamer/message/endpoint.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/core.h>

#include "gossamer/machine/clock.hpp"
#include "gossamer/message/mailbox.hpp"

namespace gossamer::message {

void dispatch::failed(std::exception_ptr what) const {
  GOSSAMER_ASSERT(scope != nullptr);
  scope->fail(std::move(what));
}

namespace {
/// What others may hold back of a pool's packets, so that all of them together hold a quarter at most.
std::uint32_t batch_of(const fabric::packet_pool& pool, unsigned cores) {
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(pool.capacity() / (4 * std::size_t{cores}), 1, fabric::packet_batch::k_most));
}
}  // namespace

endpoint::endpoint(unsigned id, const endpoint_options& options, neighbourhood& shared)
    : scheduler(id, options.scheduler, shared.sleepers),
      shared_(shared),
      requests_(std::make_unique<outlet[]>(shared.lanes.cores())),
      replies_(std::make_unique<outlet[]>(shared.lanes.cores())),
      request_pool_(static_cast<std::uint16_t>(id), options.request_packets + 2 * shared.lanes.cores(),
                    options.packet_bytes),
      reply_pool_(static_cast<std::uint16_t>(id), k_reply_packets, options.packet_bytes),
      payload_bytes_(round_down(request_pool_.payload_bytes(), 8)),
      aggregate_(options.aggregate),
      most_reply_bytes_(static_cast<std::uint32_t>(8 * reply_pool_.payload_bytes())),
      flush_delay_ticks_(options.flush_delay_ns * machine::ticks_per_us() / 1000),
      deferred_(shared.lanes.arrival_words()),
      blocked_(shared.lanes.arrival_words()),
      request_home_(shared.lanes.cores()),
      reply_home_(shared.lanes.cores()),
      request_batch_(batch_of(request_pool_, shared.lanes.cores())),
      reply_batch_(batch_of(reply_pool_, shared.lanes.cores())),
      spin_(options.scheduler.spin_ns != 0),
      unexpected_messages_(options.unexpected_messages),
      unexpected_bytes_(options.unexpected_bytes),
      most_lent_(options.lent_bytes) {
  GOSSAMER_ASSERT(options.packet_bytes >= 2048 && options.packet_bytes <= 65536,
                  "packet_bytes: 2 KiB to 64 KiB");
  shared.endpoints[id] = this;
}

endpoint::~endpoint() = default;

// --- outbox -------------------------------------------------------------------------------------

void endpoint::open_run(outlet& o, unsigned to, completion* counted_by, std::uint16_t handler_id,
                        std::size_t record_bytes, std::uint32_t reply_bytes) {
  const bool replying = is_reply(o, to);
  GOSSAMER_ASSERT(replying || !in_handler_, k_handler_rule);
  while (true) {
    close_run(o, to);
    if (o.open == nullptr && !open_packet(o, replying ? fabric::traffic::reply : fabric::traffic::request)) {
      GOSSAMER_ASSERT(!replying, "a reply found no packet: can_answer() must see to it");
      wait_for_packet();
      continue;  // another fiber may have used the outlet meanwhile
    }
    const std::size_t mark = counted_by != o.marked ? sizeof(run_header) + sizeof(std::uintptr_t) : 0;
    const auto room = static_cast<std::size_t>(limit_of(o) - o.end);
    const bool welcome = aggregate_ || o.end == o.open->payload();
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
      o.last = aggregate_ ? limit_of(o) - record_bytes : o.end;
      if (reply_bytes != 0) o.reply_bytes += k_reply_overhead;  // the answers of a run are a run
      if (counted_by != nullptr) counted_by->issue(1);  // the open run; close_run() adds the rest
      return;
    }
    if (!try_flush(o, to, reason::full)) {
      GOSSAMER_ASSERT(!replying, "a reply lane was full");
      wait_for_room(to);
    } else if (!in_handler_) {
      receive();  // who sends a packet looks at what has come: lanes stay short, also among cores that never
                  // idle
    }
  }
}

void endpoint::close_run(outlet& o, unsigned to) {
  if (o.handler == 0) return;
  std::byte* const first = o.run + sizeof(run_header);
  const auto count = static_cast<std::size_t>(o.end - first) / o.record_bytes;
  const run_header h{o.handler, static_cast<std::uint16_t>(to), static_cast<std::uint16_t>(count),
                     o.record_bytes};
  std::memcpy(o.run, &h, sizeof h);
  o.end = first + round_up(count * o.record_bytes, 8);
  o.handler = 0;
  if (o.scope != nullptr) o.scope->issue(static_cast<std::int64_t>(count) - 1);
  counters_.messages += count;
  ++counters_.runs;
}

bool endpoint::open_packet(outlet& o, fabric::traffic kind) {
  auto& pool = kind == fabric::traffic::reply ? reply_pool_ : request_pool_;
  fabric::packet* p = pool.get();
  if (p == nullptr) return false;
  p->kind = kind;
  p->source = static_cast<std::uint16_t>(id());
  o.open = p;
  o.end = p->payload();
  o.marked = nullptr;
  o.reply_bytes = 0;
  o.matches = 0;
  if (open_requests_ + open_replies_ == 0) opened_at_ = machine::ticks();
  ++(kind == fabric::traffic::reply ? open_replies_ : open_requests_);
  return true;
}

bool endpoint::try_flush(outlet& o, unsigned to, reason why) {
  if (o.open == nullptr) return true;
  close_run(o, to);
  fabric::packet& p = *o.open;
  p.bytes = static_cast<std::uint32_t>(o.end - p.payload());
  p.reply_bytes = o.reply_bytes;
  p.matches = static_cast<std::uint16_t>(o.matches);  // 16 bytes each at least: fits
  const std::uint32_t bytes = p.bytes;  // once pushed the packet is the receiver's
  if (to != id() && !shared_.lanes.try_push(p, id(), to)) return false;

  ++counters_.packets;
  counters_.bytes += bytes;
  counters_.packet_room += payload_bytes_;
  ++(why == reason::full   ? counters_.flush_full
     : why == reason::idle ? counters_.flush_idle
     : why == reason::age  ? counters_.flush_age
                           : counters_.flush_request);
  --(is_reply(o, to) ? open_replies_ : open_requests_);
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

bool endpoint::try_flush_all(reason why) {
  bool all = true;
  for (unsigned to = 0; open_replies_ != 0 && to < cores(); ++to) all &= try_flush(replies_[to], to, why);
  for (unsigned to = 0; open_requests_ != 0 && to < cores(); ++to) all &= try_flush(requests_[to], to, why);
  return all;
}

void endpoint::flush() {
  for (unsigned to = 0; open_requests_ != 0 && to < cores(); ++to)
    while (!try_flush(requests_[to], to, reason::request)) wait_for_room(to);
}

void endpoint::wait_for_packet() {
  ++counters_.pool_waits;
  request_pool_.want();
  try_flush_all(reason::request);  // what lies in open packets cannot come back before it has left
  if (request_pool_.available() == 0) packet_waiters_.wait("a packet");
}

/// A full lane is usually emptied within a few us. Taking what comes meanwhile keeps both sides going.
bool endpoint::spin_for_room(unsigned to) {
  constexpr int k_looks = 256;
  for (int i = 0; spin_ && i < k_looks; ++i) {
    if (shared_.lanes.between(id(), to, fabric::traffic::request).has_room()) return true;
    receive();
    machine::cpu_relax();
  }
  return false;
}

void endpoint::wait_for_room(unsigned to) {
  if (spin_for_room(to)) return;
  ++counters_.pool_waits;
  request_pool_.want();  // so that who makes room says so at once
  room_waiters_.push_back({to, running()});
  suspend("room in a lane");
}

void endpoint::wait_for_reply_room(std::size_t bytes) {
  while (!can_answer(static_cast<std::uint32_t>(bytes))) {
    reply_pool_.want();
    reply_waiters_.wait("room for an answer");
  }
}

bool endpoint::wake_waiters() {
  bool woke = false;
  for (std::size_t n = reply_waiters_.empty() ? 0 : reply_pool_.available(); n > 1; --n)
    woke |= reply_waiters_.wake_one();
  if (lender_ != nullptr && loan_fits()) {
    wake(*std::exchange(lender_, nullptr));
    woke = true;
  }
  if (!packet_waiters_.empty())
    for (std::size_t n = request_pool_.available(); n > 0 && packet_waiters_.wake_one(); --n) woke = true;
  unsigned served = cores();  // one at a time: it may take all the room there is
  std::erase_if(room_waiters_, [&](const room_waiter& w) {
    if (w.to == served || !shared_.lanes.between(id(), w.to, fabric::traffic::request).has_room())
      return false;
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
  if (to_bring_home_ != 0 && ++polls_ % 8 == 0) send_home(returning::wanted);
  if (!packet_waiters_.empty() || !room_waiters_.empty() || !reply_waiters_.empty() || lender_ != nullptr)
    moved |= wake_waiters();
  return moved;
}

void endpoint::while_busy() {
  if (open_requests_ + open_replies_ == 0 || machine::ticks() - opened_at_ <= flush_delay_ticks_) return;
  try_flush_all(reason::age);
  opened_at_ = machine::ticks();
}

bool endpoint::before_idle() {
  if (open_requests_ + open_replies_ != 0)
    try_flush_all(reason::idle);  // what finds its lane full stays: may_leave() says when to try again
  return std::ranges::all_of(deferred_, [](std::uint64_t w) { return w == 0; });
}

void endpoint::before_sleep() {
  if (to_bring_home_ != 0) send_home(returning::all);
  // What others hold of ours may be what somebody waits for here.
  if (open_requests_ != 0 || !room_waiters_.empty() || !packet_waiters_.empty()) request_pool_.want();
}

bool endpoint::has_news() const {
  return shared_.lanes.any_arrival(id(), blocked_) ||
         (!packet_waiters_.empty() && request_pool_.any_returned()) ||
         (!reply_waiters_.empty() && reply_pool_.any_returned()) || may_leave() ||
         (lender_ != nullptr && loan_fits());
}

/// Whether something that found its lane full would find room now. Whoever takes packets out of a lane brings
/// them home and notifies this core: by the batch, soon where they are wanted (before_sleep() says so), and
/// before it sleeps itself.
bool endpoint::may_leave() const {
  if (open_requests_ == 0 && room_waiters_.empty()) return false;
  (void)request_pool_.any_returned();  // seq_cst, before the look at the lanes: pairs with send_home()
  const auto room = [this](unsigned to) {
    return to == id() || shared_.lanes.between(id(), to, fabric::traffic::request).has_room();
  };
  for (unsigned to = 0; to < cores(); ++to)
    if (requests_[to].open != nullptr && room(to)) return true;
  return std::ranges::any_of(room_waiters_, [&](const room_waiter& w) { return room(w.to); });
}

bool endpoint::receive() {
  bool some = false;
  for (std::size_t w = 0; w < deferred_.size(); ++w) {
    std::uint64_t bits = shared_.lanes.take_arrivals(id(), w) | std::exchange(deferred_[w], 0);
    for (; bits != 0; bits &= bits - 1)
      some |= receive_from(static_cast<unsigned>(w * 64) + static_cast<unsigned>(std::countr_zero(bits)));
  }
  return some;
}

/// An emptied packet: goes home with others, once there are enough of them.
void endpoint::bring_home(unsigned owner, fabric::packet& p) {
  const bool reply = p.kind == fabric::traffic::reply;
  fabric::packet_batch& batch = (reply ? reply_home_ : request_home_)[owner];
  batch.push(p);
  ++to_bring_home_;
  if (batch.size() >= (reply ? reply_batch_ : request_batch_)) give_home(batch, owner, p.kind);
}

void endpoint::give_home(fabric::packet_batch& batch, unsigned owner, fabric::traffic kind) {
  endpoint& home = other(owner);
  to_bring_home_ -= batch.size();
  (kind == fabric::traffic::reply ? home.reply_pool_ : home.request_pool_).put_batch(batch);
  home.notify();
}

bool endpoint::receive_from(unsigned source) {
  bool some = false;
  auto& answers = shared_.lanes.between(source, id(), fabric::traffic::reply);
  while (fabric::packet* p = answers.front()) {
    answers.pop();
    run_packet(*p);
    bring_home(source, *p);
    some = true;
  }
  auto& requests = shared_.lanes.between(source, id(), fabric::traffic::request);
  while (fabric::packet* p = requests.front()) {
    const std::uint64_t bit = std::uint64_t{1} << (source % 64);
    if (!can_answer(p->reply_bytes)) {
      deferred_[source / 64] |= bit;
      reply_pool_.want();
      break;
    }
    if (p->matches != 0 && !mail().has_room(source, p->matches, p->bytes)) {
      blocked_[source / 64] |= bit;
      break;
    }
    requests.pop();
    run_packet(*p);
    bring_home(source, *p);
    some = true;
  }
  return some;
}

bool endpoint::can_answer(std::uint32_t bytes) {
  if (bytes == 0) return true;
  const std::size_t usable =
      reply_pool_.payload_bytes() - 1024 - k_reply_overhead;  // a record may not fit the rest
  // Open packets count for nothing: the one for this source may be nearly full.
  if (reply_pool_.available() * usable >= bytes + usable) return true;
  for (unsigned to = 0; open_replies_ != 0 && to < cores(); ++to)
    try_flush(replies_[to], to, reason::request);  // so that they come back; cannot fail
  return reply_pool_.available() * usable >= bytes + usable;
}

void endpoint::run_packet(fabric::packet& p) {
  const bool outer = std::exchange(in_handler_, true);
  void* const fibers_own = local();
  run_payload(p.payload(), p.payload() + p.bytes, p.source);
  set_local(fibers_own);
  in_handler_ = outer;
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
    handler_function(h.handler)(
        dispatch{*this, static_cast<std::uint16_t>(source), counted_by, h.record_bytes}, at, h.count);
    at += round_up(std::size_t{h.count} * h.record_bytes, 8);
    finished += h.count;
  }
  if (counted_by != nullptr) counted_by->finish(finished);
}

void endpoint::send_home(returning which) {
  for (unsigned owner = 0; owner < cores(); ++owner) {
    const endpoint& home = other(owner);
    if (!request_home_[owner].empty() && (which == returning::all || home.request_pool_.wanted()))
      give_home(request_home_[owner], owner, fabric::traffic::request);
    if (!reply_home_[owner].empty() && (which == returning::all || home.reply_pool_.wanted()))
      give_home(reply_home_[owner], owner, fabric::traffic::reply);
  }
}

// --- two-sided messages, payloads ---------------------------------------------------------------

void endpoint::make_mailbox() {
  mail_ = std::make_unique<mailbox>(*this, unexpected_messages_, unexpected_bytes_);
}

bool endpoint::loan_fits() const {
  // seq_cst: after falling asleep, or before; pairs with end_loan()
  const std::size_t out = lent_.load(std::memory_order_seq_cst);
  return out == 0 || out + wanted_ <= most_lent_;
}

void endpoint::lend(std::size_t bytes) {
  lending_.lock();
  wanted_ = bytes;
  if (!loan_fits()) {
    lender_ = running();
    suspend("payloads to be used: as many bytes as lent_bytes are on their way");
  }
  lent_.fetch_add(bytes, std::memory_order_relaxed);  // only a count
  lending_.unlock();
}

void endpoint::end_loan(std::size_t bytes) {
  lent_.fetch_sub(bytes,
                  std::memory_order_seq_cst);  // before the look at the sleeper; pairs with loan_fits()
  notify();
}

std::string endpoint::describe_wait(const fiber::fiber& f) {
  std::string what = mail_ != nullptr ? mail_->describe_wait(f) : "";
  return !what.empty() ? what : f.waits_for != nullptr ? f.waits_for : "nothing";
}

std::string endpoint::describe_unmatched() { return mail_ != nullptr ? mail_->describe_unmatched() : ""; }

// --- captured addresses -------------------------------------------------------------------------

void endpoint::check_captures(const void* bytes, std::size_t size, const std::type_info& what) const {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= size; at += alignof(std::uintptr_t)) {
    std::uintptr_t bits;
    std::memcpy(&bits, static_cast<const std::byte*>(bytes) + at, sizeof bits);
    const void* const address = reinterpret_cast<const void*>(bits);
    for (const endpoint* e : shared_.endpoints) {
      if (e == nullptr || !e->on_fiber_stack(address)) continue;
      const std::string message = fmt::format(
          "{} captured the address of a variable on a fiber's stack (byte {} of the capture): capture by "
          "value",
          what.name(), at);
      assertion_failed("captures mean something on every core", __FILE__, __LINE__, message.c_str());
    }
  }
}

}  // namespace gossamer::message
