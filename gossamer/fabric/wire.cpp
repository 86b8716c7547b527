#include "gossamer/fabric/wire.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::fabric {

namespace {

constexpr unsigned k_buffers_wanted = 64;  // of all neighbours together
constexpr unsigned k_least_window = 2;
constexpr unsigned k_spare_buffers = 16;  // for packets without a credit
constexpr unsigned k_forwarding_packets = 2;  // of each kind to each neighbour
constexpr std::uint16_t k_no_owner = 0xffff;  // owner of forwarded packets

/// Returns how many credit classes there are: over direct routes all packets are on their last hop.
unsigned credit_classes(const routes& r) { return r.over_grid() ? 3 : 1; }

/// Returns the credits of each neighbour for each credit class, the same in all processes.
unsigned window_of(const routes& r) {
  return std::max(k_least_window, k_buffers_wanted / credit_classes(r) / r.most_neighbours());
}

std::size_t buffers_of(const routes& r) {
  return r.neighbours().size() * credit_classes(r) * window_of(r) + k_spare_buffers;
}

constexpr std::size_t number(traffic kind) { return static_cast<std::size_t>(kind); }

}  // namespace

std::size_t wire_format::rounded(std::size_t packet_bytes) {
  return std::bit_ceil(std::max<std::size_t>(packet_bytes, 4096));
}

wire_format::wire_format(std::size_t bytes, unsigned cores) : packet_bytes(rounded(bytes)) {
  constexpr std::size_t k_chunks_of_a_core = 4, k_chunks_at_least = 16;
  const std::size_t shared = round_down(room() / (k_chunks_of_a_core * cores), k_line_bytes);
  first_chunk = cores == 1 ? room() : std::max(shared, k_least_chunk_bytes);
  largest_chunk = std::max(first_chunk, round_down(room() / k_chunks_at_least, k_line_bytes));
}

/// Returns the credit class of a packet. Class 0 has requests on their last hop; 1 and 2 have requests and
/// replies on their first hop. Other packets need no credit.
std::size_t wire::credit_class_of(const packet& p) {
  if (p.kind == traffic::control) return k_no_credit_class;
  if (head_of(p).way == hop::first) return 1 + number(p.kind);
  return p.kind == traffic::request ? 0 : k_no_credit_class;
}

void wire::queue::push(packet& p) {
  head_of(p).next = nullptr;
  (first != nullptr ? head_of(*last).next : first) = &p;
  last = &p;
}

std::size_t wire::queue::size() const {
  std::size_t n = 0;
  for (packet* p = first; p != nullptr; p = head_of(*p).next) ++n;
  return n;
}

bool wire::peer::idle() const {
  for (const auto& way : queued)
    for (const queue& packets : way)
      if (!packets.empty()) return false;
  return std::ranges::all_of(forwarders(),
                             [](const forwarding& o) { return o.open == nullptr && o.waiting.empty(); });
}

static_assert(routes::k_many_processes - 2 == wire_options::k_most_packets);

std::size_t wire_options::packets_of_core(const routes& r) const {
  constexpr std::size_t k_usual = 16, k_spare = 8;  // each of many neighbours should have its open packet
  const std::size_t wanted = packets != 0 ? packets : std::max(k_usual, r.neighbours().size() + k_spare);
  return std::clamp(wanted, k_least_packets, k_most_packets);
}

wire_memory::wire_memory(const wire_options& o, const routes& r, unsigned cores) {
  const std::size_t bytes = wire_format::rounded(o.packet_bytes), kinds = k_traffic_classes;
  leaving = cores * kinds * o.packets_of_core(r) * bytes;
  arriving = buffers_of(r) * bytes;
  forwarding = r.over_grid() ? r.neighbours().size() * kinds * k_forwarding_packets * bytes : 0;
}

wire::wire(transport& t, mesh& lanes, host& h, const wire_options& o, std::uint32_t job)
    : transport_(t),
      lanes_(lanes),
      host_(h),
      bulk_(t, lanes.cores() - 1, job),
      processes_(t.size()),
      rank_(t.rank()),
      cores_(lanes.cores() - 1),
      options_(o),
      routes_(processes_, rank_, o.how),
      format_(o.packet_bytes, routes_.most_behind() * cores_),
      job_(job),
      window_(window_of(routes_)),
      most_under_way_(std::max<std::size_t>(
          1, transport::k_send_slots / std::max<std::size_t>(1, routes_.neighbours().size()))),
      peers_(processes_),
      sends_(transport::k_send_slots),
      buffer_count_(buffers_of(routes_)),
      region_((buffer_count_ + 1) * format_.packet_bytes, "packets", machine::pages::small) {
  const auto first = reinterpret_cast<std::uintptr_t>(region_.data());
  buffers_ =
      reinterpret_cast<std::byte*>(round_up(first, format_.packet_bytes));  // release() masks addresses
  for (std::size_t i = buffer_count_; i-- > 0;) free_buffers_.push_back(&buffer(i));
  for (unsigned s = transport::k_send_slots; s-- > 0;) free_slots_.push_back(s);
  for (unsigned s = transport::k_receive_slots; s-- > 0;) free_receives_.push_back(s);
  for (const unsigned n : routes_.neighbours())
    std::fill_n(peers_[n].credits, credit_classes(routes_), window_);
  for (auto& by_core : waiting_) by_core.resize(cores_);
  if (routes_.over_grid()) {
    forwarding_region_ = {memory().forwarding, "packets of other processes", machine::pages::small};
    forwarders_.resize(routes_.neighbours().size() * k_traffic_classes);
    std::byte* at = forwarding_region_.data();
    for (forwarding& way : forwarders_)
      for (unsigned i = 0; i < k_forwarding_packets; ++i, at += format_.packet_bytes)
        way.free.push_back(reinterpret_cast<packet*>(at));
    forwarding* through = forwarders_.data();
    for (const unsigned n : routes_.neighbours())
      peers_[n].through = std::exchange(through, through + k_traffic_classes);
  }
  receive_more();
}

wire::~wire() = default;

bool wire::poll() {
  const std::unique_lock hold(lock_, std::try_to_lock);
  if (!hold.owns_lock()) return false;
  machine::preemption_point();  // others only try this lock
  bool moved = take_arrivals();
  if (bulk_.any()) moved |= poll_bulk();
  moved |= give_credits_back();
  moved |= take_from_cores();
  if (!started_.empty()) moved |= finish_sends();
  if (stirred_) moved |= send_queued();
  if (waiting_chunks_ != 0) moved |= deliver_waiting();
  if (waiting_to_forward_ != 0) moved |= pass_on_waiting();
  return moved;
}

/// Waits for the moves that both sides have begun. Records that would have begun the other side of the rest
/// were dropped with the cores. Collective.
void wire::end_bulk() {
  if (bulk_.tags() == 0) return;
  using ends = std::array<std::uint64_t, 2>;
  std::vector<ends> all(processes_);
  while (true) {
    poll_bulk();
    bulk_.forget_over();
    const ends mine{bulk_.expected(), bulk_.ended()};
    transport_.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    ends sum{};
    for (const ends& e : all) sum[0] += e[0], sum[1] += e[1];
    if (sum[0] == sum[1]) break;
  }
  receive_lone_sends();
  bulk_.cancel();
}

/// Receives sends whose receive never began, one of each process at a time. Collective.
void wire::receive_lone_sends() {
  using send = bulk_mover::lone_send;
  std::vector<send> all(processes_);
  std::vector<unsigned char> over(processes_);
  while (true) {
    const send mine = bulk_.find_lone_send();
    transport_.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    if (std::ranges::all_of(all, [](const send& s) { return s.peer == send::k_none; })) return;
    for (unsigned p = 0; p < processes_; ++p)
      if (all[p].peer == rank_) bulk_.receive_lone_send(p, all[p]);
    do {
      poll_bulk();
      bulk_.forget_over();
      bool done = mine.peer == send::k_none || !bulk_.has(bulk_move::way::out, mine.peer, mine.tag);
      for (unsigned p = 0; p < processes_; ++p)
        done &= all[p].peer != rank_ || !bulk_.has(bulk_move::way::in, p, all[p].tag);
      const auto mine_over = static_cast<unsigned char>(done);
      transport_.all_gather(std::as_bytes(std::span(&mine_over, 1)), std::as_writable_bytes(std::span(over)));
    } while (std::ranges::find(over, 0) != over.end());
  }
}

bool wire::poll_bulk() {
  return bulk_.poll([this](unsigned core) { host_.bulk_over(core); });
}

unsigned wire::heartbeat() {
  const std::lock_guard hold(lock_);
  take_arrivals();
  const std::uint32_t heard = peers_[watched()].received;
  const bool is_silent = std::exchange(last_heard_, heard) == heard;
  missed_heartbeats_ = is_silent && !posted_.empty() ? missed_heartbeats_ + 1 : 0;
  const unsigned watcher = (rank_ + 1) % processes_;
  if (peers_[watcher].under_way == 0) leaving_notes_.emplace_back(watcher, make_note({}));
  finish_sends();
  send_queued();
  return missed_heartbeats_;
}

// --- out ----------------------------------------------------------------------------------------

wire::peer& wire::busy(unsigned process) {
  peer& p = peers_[process];
  if (!std::exchange(p.busy, true)) busy_peers_.push_back(process);
  stirred_ = true;
  return p;
}

bool wire::take_from_cores() {
  bool some = false;
  const hop way = routes_.over_grid() ? hop::first : hop::last;
  for (unsigned core = 0; core < cores_; ++core) {
    for (const traffic kind : {traffic::reply, traffic::request}) {
      lane& from = lanes_.between(core, endpoint_index(), kind);
      while (packet* p = from.front()) {
        queued_.fetch_add(1, std::memory_order_seq_cst);  // before it leaves the lane
        machine::preemption_point();
        from.pop();
        const unsigned to = p->reply_bytes;  // the neighbour's number until it leaves
        head_of(*p).way = way;
        busy(to).to_send(way, kind).push(*p);
        some = true;
      }
    }
  }
  if (any_notes_.load(std::memory_order_relaxed)) {
    const std::lock_guard hold(notes_lock_);
    any_notes_.store(false, std::memory_order_relaxed);
    some |= !notes_.empty();
    std::ranges::move(notes_, std::back_inserter(leaving_notes_));
    notes_.clear();
  }
  if (some) send_queued();
  return some;
}

bool wire::send_queued() {
  if (free_slots_.empty()) return stirred_ = false;  // finish_sends() sets it again
  bool some = send_notes();
  std::erase_if(busy_peers_, [&](unsigned to) {
    some |= send_queued(to);
    peers_[to].busy = !peers_[to].idle();
    return !peers_[to].busy;
  });
  stirred_ = some;  // the packet that is open for a neighbour may be next
  return some;
}

bool wire::send_notes() {
  bool some = false;
  for (; !leaving_notes_.empty() && !free_slots_.empty(); some = true) {
    auto [to, n] = std::move(leaving_notes_.front());
    leaving_notes_.pop_front();
    start_note(to, std::move(n));
  }
  return some;
}

bool wire::send_queued(unsigned to) {
  peer& p = peers_[to];
  bool some = false;
  for (const traffic kind : {traffic::reply, traffic::request}) {
    if (p.through != nullptr && p.through[number(kind)].open != nullptr && p.to_send(hop::last, kind).empty())
      queue_open(p, kind);
    some |= send_queued(to, hop::last, kind);
    some |= send_queued(to, hop::first, kind);
  }
  count_held_back(p, held_back(p));
  return some;
}

bool wire::lacks_credit(const peer& p, const packet& next) {
  const std::size_t credit_class = credit_class_of(next);
  return credit_class != k_no_credit_class && p.credits[credit_class] == 0;
}

/// Returns how many of the packets held for a process wait for its credits, or behind a packet that does.
std::size_t wire::held_back(const peer& p) {
  std::size_t n = 0;
  for (const hop way : {hop::first, hop::last})
    for (const traffic kind : {traffic::reply, traffic::request}) {
      const queue& packets = p.queued[static_cast<std::size_t>(way)][number(kind)];
      if (packets.empty() || !lacks_credit(p, *packets.first)) continue;
      n += packets.size();
      if (way == hop::first || p.through == nullptr) continue;
      const forwarding& o = p.through[number(kind)];
      n += (o.open != nullptr ? 1 : 0) + (o.free.empty() ? o.waiting.size() : 0);
    }
  return n;
}

void wire::count_held_back(peer& p, std::size_t now) {
  if (now == p.held_back) return;
  held_back_.fetch_add(now - p.held_back, std::memory_order_seq_cst);  // modulo 2^64
  p.held_back = static_cast<std::uint32_t>(now);
}

bool wire::send_queued(unsigned to, hop way, traffic kind) {
  peer& p = peers_[to];
  queue& packets = p.to_send(way, kind);
  bool some = false;
  for (; !packets.empty() && !free_slots_.empty() && p.under_way < most_under_way_; some = true) {
    packet& next = *packets.first;
    if (lacks_credit(p, next)) break;
    if (const std::size_t credit_class = credit_class_of(next); credit_class != k_no_credit_class)
      --p.credits[credit_class];
    packets.take();
    while (!packets.empty() && join(next, *packets.first)) let_go(*packets.take(), to);
    start(to, next, nullptr);
  }
  return some;
}

/// Appends `behind` to `p` if it fits; returns whether it did. This joins packets of cores that write little
/// to the same process, and packets that were queued while there was no credit.
bool wire::join(packet& p, const packet& behind) {
  const std::size_t bytes = behind.bytes - wire_format::k_head_bytes;
  if (!options_.joins || p.bytes + bytes > format_.packet_bytes) return false;
  std::memcpy(reinterpret_cast<std::byte*>(&p) + p.bytes,
              reinterpret_cast<const std::byte*>(&behind) + wire_format::k_head_bytes, bytes);
  p.bytes += static_cast<std::uint32_t>(bytes);
  p.matches = static_cast<std::uint16_t>(p.matches + behind.matches);  // a line each at least: fits
  joined_.fetch_add(1, std::memory_order_relaxed);
  queued_.fetch_sub(1, std::memory_order_seq_cst);  // p is still counted
  return true;
}

void wire::let_go(packet& p, unsigned to) {
  if (p.owner == k_no_owner)
    peers_[to].through[number(p.kind)].free.push_back(&p);
  else
    host_.left(p);
}

void wire::start_note(unsigned to, std::unique_ptr<note> n) {
  packet& p = n->top;
  start(to, p, std::move(n));
}

void wire::start(unsigned to, packet& p, std::unique_ptr<note> owner) {
  const unsigned slot = free_slots_.back();
  free_slots_.pop_back();
  p.source = static_cast<std::uint16_t>(rank_);
  head_of(p).job = job_;
  head_of(p).number = peers_[to].sent++;
  bool counted = p.kind != traffic::control;  // or brings credits, for which a packet may wait
  for (std::size_t a = 0; a < k_credit_classes; ++a) {
    head_of(p).credits[a] = static_cast<std::uint16_t>(std::exchange(peers_[to].owed[a], 0));
    counted |= head_of(p).credits[a] != 0;
  }
  if (counted) sent_.fetch_add(1, std::memory_order_seq_cst);
  if (p.kind != traffic::control) {
    machine::preemption_point();
    queued_.fetch_sub(1, std::memory_order_seq_cst);  // after it is counted as sent
  }
  ++peers_[to].under_way;
  transport_.send(slot, to, {reinterpret_cast<const std::byte*>(&p), p.bytes});
  sends_[slot] = {&p, to, std::move(owner)};
  started_.push_back(slot);
}

/// Polls a few incomplete sends; the next call continues with the next few. So a poll stays cheap, and a slow
/// process does not delay the completion of sends to others, however many are in flight to it.
bool wire::finish_sends() {
  constexpr std::size_t k_most_polled = 4;
  bool some = false;
  for (std::size_t left = started_.size(), polled = 0; left > 0 && polled < k_most_polled; --left) {
    if (next_polled_ >= started_.size()) next_polled_ = 0;
    const unsigned slot = started_[next_polled_];
    if (!transport_.sent(slot)) {
      ++next_polled_;
      ++polled;
      continue;
    }
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(next_polled_));
    stirred_ = true;
    under_way done = std::exchange(sends_[slot], {});
    free_slots_.push_back(slot);
    --peers_[done.to].under_way;
    if (done.owner == nullptr) let_go(*done.p, done.to);
    some = true;
  }
  return some;
}

std::unique_ptr<wire::note> wire::make_note(std::span<const std::byte> text) const {
  auto n = std::make_unique_for_overwrite<note>();
  const std::size_t size = std::min(text.size(), most_note_bytes());
  n->top = {};
  n->top.kind = traffic::control;
  n->top.bytes = static_cast<std::uint32_t>(wire_format::k_head_bytes + size);
  if (size != 0) std::memcpy(n->text, text.data(), size);
  return n;
}

void wire::send_note(unsigned to, std::span<const std::byte> text) {
  auto n = make_note(text);
  const std::lock_guard hold(notes_lock_);
  notes_.emplace_back(to, std::move(n));
  any_notes_.store(true, std::memory_order_relaxed);
}

// --- in -----------------------------------------------------------------------------------------

void wire::receive_more() {
  while (!free_buffers_.empty() && !free_receives_.empty()) {
    const posting next{free_receives_.back(), free_buffers_.back()};
    free_receives_.pop_back();
    free_buffers_.pop_back();
    transport_.receive(next.slot, {reinterpret_cast<std::byte*>(next.buffer), format_.packet_bytes});
    posted_.push_back(next);
  }
}

/// Takes packets out of filled receive buffers; returns whether there were any. The oldest buffers are filled
/// first, with one exception: a large message whose sender computes has its buffer but not its bytes, and
/// messages of others fill later buffers. So one later buffer is polled at intervals, and a few in every poll
/// after one was found full.
bool wire::take_arrivals() {
  constexpr unsigned k_polls_between = 8, k_most_polled = 8;
  if (any_returned_.load(std::memory_order_relaxed)) collect_returned();
  bool some = false;
  while (!posted_.empty() && take_arrival(0)) {
    some = true;
    overtaken_ = false;
  }
  unsigned polled = overtaken_ ? k_most_polled : ++polls_ % k_polls_between == 0 ? 1 : 0;
  while (polled > 0 && posted_.size() > 1) {
    if (next_place_ == 0 || next_place_ >= posted_.size()) next_place_ = 1;
    if (take_arrival(next_place_)) {
      some = overtaken_ = true;
      polled = k_most_polled;
    } else {
      ++next_place_;
      --polled;
    }
  }
  return some;
}

/// Takes the packet in posted_[place]. A packet that overtook one of the same process waits for it.
bool wire::take_arrival(std::size_t place) {
  const posting one = posted_[place];
  const auto a = transport_.received(one.slot);
  if (!a) return false;
  posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(place));
  free_receives_.push_back(one.slot);
  packet& p = *one.buffer;
  GOSSAMER_ASSERT(a->bytes >= wire_format::k_head_bytes && a->bytes == p.bytes && a->from < processes_,
                  "what came over the wire is no packet of this job");
  if (head_of(p).job != job_) {
    free_buffers_.push_back(&p);  // a credit note that arrived too late for the previous job
  } else if (head_of(p).number != peers_[a->from].received) {
    early_.emplace_back(a->from, &p);
  } else {
    deal(p, a->from);
    while (packet* const next = take_early(a->from)) deal(*next, a->from);
  }
  receive_more();
  return true;
}

/// Takes the next packet of a process if it has arrived out of order; else null.
packet* wire::take_early(unsigned from) {
  const auto next = std::ranges::find_if(early_, [&](const auto& e) {
    return e.first == from && head_of(*e.second).number == peers_[from].received;
  });
  if (next == early_.end()) return nullptr;
  packet* const p = next->second;
  early_.erase(next);
  return p;
}

void wire::deal(packet& p, unsigned from) {
  peer& sender = peers_[from];
  GOSSAMER_ASSERT(head_of(p).number == sender.received, "packets of one process came out of order");
  ++sender.received;
  bool credits = false;
  for (std::size_t a = 0; a < k_credit_classes; ++a) {
    sender.credits[a] += head_of(p).credits[a];
    credits |= head_of(p).credits[a] != 0;
  }
  if (credits) {
    stirred_ = true;
    count_held_back(sender, 0);  // until the next send_queued()
  }
  if (p.kind == traffic::control) {
    if (credits)
      received_.fetch_add(
          1, std::memory_order_seq_cst);  // after packets that they release are counted as queued
    const auto* text = reinterpret_cast<const std::byte*>(&p) + wire_format::k_head_bytes;
    if (p.bytes > wire_format::k_head_bytes) host_.note(from, {text, p.bytes - wire_format::k_head_bytes});
    free_buffers_.push_back(&p);
    return;
  }
  const unsigned chunks = p.matches;
  head_of(p).refs.store(chunks, std::memory_order_relaxed);  // before the lanes publish the chunks
  std::size_t at = 0;
  for (unsigned i = 0; i < chunks; ++i) {
    packet& chunk = wire_format::chunk(p, at);
    at += wire_format::bytes_of(chunk);  // before it is given away
    const unsigned core = chunk.owner - rank_ * cores_;
    core < cores_ ? deliver(core, chunk) : pass_on(chunk);
  }
  machine::preemption_point();
  received_.fetch_add(1, std::memory_order_seq_cst);  // after forwarded packets are counted as queued
}

// --- forwarding -------------------------------------------------------------------------------------

void wire::pass_on(packet& chunk) {
  const unsigned to = chunk.owner / cores_;
  GOSSAMER_ASSERT(routes_.next(to) == to, "a packet came to a process that it is not for");
  peer& p = busy(to);
  forwarding& o = p.through[number(chunk.kind)];
  if (o.waiting.empty() && try_pass_on(p, chunk)) return;
  queued_.fetch_add(1, std::memory_order_seq_cst);
  o.waiting.push_back(&chunk);
  ++waiting_to_forward_;
}

bool wire::try_pass_on(peer& p, packet& chunk) {
  forwarding& o = p.through[number(chunk.kind)];
  const std::size_t bytes = wire_format::bytes_of(chunk);
  if (o.open != nullptr && o.open->bytes + bytes > format_.packet_bytes) queue_open(p, chunk.kind);
  if (o.open == nullptr) {
    if (o.free.empty()) return false;
    queued_.fetch_add(1, std::memory_order_seq_cst);
    o.open = new (o.free.back()) packet;
    o.free.pop_back();
    o.open->kind = chunk.kind;
    o.open->owner = k_no_owner;
    o.open->bytes = wire_format::k_head_bytes;
    head_of(*o.open).way = hop::last;
  }
  std::memcpy(reinterpret_cast<std::byte*>(o.open) + o.open->bytes, &chunk, bytes);
  o.open->bytes += static_cast<std::uint32_t>(bytes);
  ++o.open->matches;
  release(chunk);
  return true;
}

void wire::queue_open(peer& p, traffic kind) {
  p.to_send(hop::last, kind).push(*std::exchange(p.through[number(kind)].open, nullptr));
}

bool wire::pass_on_waiting() {
  bool some = false;
  for (const unsigned to : busy_peers_) {
    for (forwarding& o : peers_[to].forwarders()) {
      std::size_t gone = 0;
      while (gone < o.waiting.size() && try_pass_on(peers_[to], *o.waiting[gone])) ++gone;
      if (gone == 0) continue;
      o.waiting.erase(o.waiting.begin(), o.waiting.begin() + static_cast<std::ptrdiff_t>(gone));
      waiting_to_forward_ -= gone;
      queued_.fetch_sub(gone, std::memory_order_seq_cst);  // their packets are counted
      some = stirred_ = true;
    }
  }
  return some;
}

// --- to the cores -------------------------------------------------------------------------------

void wire::deliver(unsigned core, packet& chunk) {
  GOSSAMER_ASSERT(core < cores_, "a packet came to a process that it is not for");
  auto& waiting = waiting_[static_cast<std::size_t>(chunk.kind)][core];
  if (waiting.empty() && lanes_.try_push(chunk, endpoint_index(), core)) return host_.arrived(core);
  waiting.push_back(&chunk);
  ++waiting_chunks_;
}

bool wire::deliver_waiting() {
  bool some = false;
  for (auto& by_core : waiting_) {
    for (unsigned core = 0; core < cores_; ++core) {
      auto& waiting = by_core[core];
      while (!waiting.empty() && lanes_.try_push(*waiting.front(), endpoint_index(), core)) {
        waiting.pop_front();
        --waiting_chunks_;
        host_.arrived(core);
        some = true;
      }
    }
  }
  return some;
}

void wire::release(packet& chunk) {
  auto& p = *reinterpret_cast<packet*>(reinterpret_cast<std::uintptr_t>(&chunk) &
                                       ~static_cast<std::uintptr_t>(format_.packet_bytes - 1));
  // acq_rel: all chunks have been read before the buffer is reused for a receive
  if (head_of(p).refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  machine::preemption_point();
  const std::lock_guard hold(returned_lock_);
  returned_.push_back(&p);
  any_returned_.store(true, std::memory_order_relaxed);
}

void wire::collect_returned() {
  machine::preemption_point();
  std::vector<packet*> back;
  {
    const std::lock_guard hold(returned_lock_);
    any_returned_.store(false, std::memory_order_relaxed);
    back.swap(returned_);
  }
  for (packet* p : back) {
    free_buffers_.push_back(p);
    const std::size_t credit_class = credit_class_of(*p);
    if (credit_class == k_no_credit_class || closed_) continue;  // credits are useless after the job
    const unsigned owed = ++peers_[p->source].owed[credit_class];
    if (owed * 2 < window_) continue;
    if (!free_slots_.empty())
      start_note(p->source, make_note({}));
    else if ((owed - 1) * 2 < window_)  // once: it leaves when a slot is free
      leaving_notes_.emplace_back(p->source, make_note({}));
  }
  receive_more();
}

/// Returns owed credits if return_credits() has requested that. Returns whether there were any.
bool wire::give_credits_back() {
  if (!credits_asked_.load(std::memory_order_relaxed)) return false;
  credits_asked_.store(false, std::memory_order_relaxed);
  bool some = false;
  for (unsigned to = 0; to < processes_ && !closed_; ++to)
    if (std::ranges::any_of(peers_[to].owed, [](unsigned owed) { return owed != 0; })) {
      leaving_notes_.emplace_back(to, make_note({}));
      some = true;
    }
  if (some) send_queued();
  return some;
}

// --- the end ------------------------------------------------------------------------------------

void wire::close() {
  const std::lock_guard hold(lock_);
  take_from_cores();
  while (!started_.empty() || !busy_peers_.empty() || !leaving_notes_.empty()) {
    for (const unsigned to : busy_peers_) {
      for (auto& way : peers_[to].queued)
        for (queue& packets : way) packets = {};
      for (forwarding& o : peers_[to].forwarders()) o = {};
    }
    take_arrivals();
    finish_sends();
    send_queued();
  }
  end_bulk();
  closed_ = true;  // sends nothing from here on: the other side may have ended its job
  transport_.barrier();  // what was sent has been received or lies in a buffer
  while (take_arrivals()) {}
  do {
    for (std::size_t place = 0; place < posted_.size();)
      if (!take_arrival(place)) ++place;
  } while (!early_.empty());
  if (any_returned_.load(std::memory_order_relaxed))
    collect_returned();  // of forwarded packets, though nothing leaves any more
  GOSSAMER_DEBUG_ASSERT(buffers_in_use() + free_buffers_.size() + posted_.size() == buffer_count_,
                        "a buffer is free and was not given back: its credit is lost");
  transport_.cancel_receives();
}

/// Counts the buffers that hold chunks. After close() no core uses any; some may hold chunks that no core has
/// taken.
std::size_t wire::buffers_in_use() const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < buffer_count_; ++i) {
    packet* const p = &buffer(i);
    const bool idle = std::ranges::find(free_buffers_, p) != free_buffers_.end() ||
                      std::ranges::find(posted_, p, &posting::buffer) != posted_.end();
    n += !idle && head_of(*p).refs.load(std::memory_order_acquire) != 0;  // pairs with release()
  }
  return n;
}

bool wire::anything_queued() const {
  for (unsigned core = 0; core < cores_; ++core)
    for (const traffic kind : {traffic::reply, traffic::request})
      if (lanes_.between(core, endpoint_index(), kind).waiting()) return true;
  const std::uint64_t held_back = held_back_.load(std::memory_order_seq_cst);
  return queued_.load(std::memory_order_seq_cst) != held_back;
}

std::string wire::describe() {
  const std::unique_lock hold(lock_, std::try_to_lock);
  if (!hold.owns_lock()) return "";
  std::string text =
      fmt::format("; wire of process {}: {} sent, {} received, {} leaving, {} of {} buffers posted", rank_,
                  sent(), received(), started_.size(), posted_.size(), buffer_count_);
  constexpr unsigned k_shown = 16;
  unsigned busy = 0;
  for (unsigned p = 0; p < processes_; ++p)
    if (const peer& to = peers_[p]; !to.idle() && ++busy <= k_shown)
      text += fmt::format("; {} requests and {} replies wait for process {}, {}+{}+{} credits",
                          to.queued[0][0].size() + to.queued[1][0].size(),
                          to.queued[0][1].size() + to.queued[1][1].size(), p, to.credits[0], to.credits[1],
                          to.credits[2]);
  if (busy > k_shown) text += fmt::format("; and requests and replies for {} more processes", busy - k_shown);
  if (waiting_to_forward_ != 0) text += fmt::format("; {} chunks wait to go forwarding", waiting_to_forward_);
  if (waiting_chunks_ != 0) text += fmt::format("; {} chunks wait for their core", waiting_chunks_);
  return text;
}

}  // namespace gossamer::fabric
