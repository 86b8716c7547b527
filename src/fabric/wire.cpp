#include "gossamer/fabric/wire.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/core.h>

#include "gossamer/base/assert.hpp"

namespace gossamer::fabric {

namespace {

constexpr std::size_t k_buffers_wanted = 64;  // for requests, of all processes together
constexpr unsigned k_least_window = 2;

unsigned window_for(unsigned processes) {
  return std::max(k_least_window, static_cast<unsigned>(k_buffers_wanted / std::max(1U, processes - 1)));
}

}  // namespace

wire_format::wire_format(std::size_t bytes, unsigned cores)
    : packet_bytes(std::bit_ceil(std::max<std::size_t>(bytes, 2 * k_least_chunk_bytes))) {
  const std::size_t room = packet_bytes - k_head_bytes;
  const std::size_t most = room / k_least_chunk_bytes;
  chunks = static_cast<unsigned>(cores == 1 ? 1 : std::clamp<std::size_t>(4 * std::size_t{cores}, 1, most));
  chunk_bytes = round_down(room / chunks, k_line_bytes);
}

wire::wire(transport& t, mesh& lanes, host& h, const wire_format& format, std::uint32_t job)
    : transport_(t),
      lanes_(lanes),
      host_(h),
      format_(format),
      processes_(t.size()),
      rank_(t.rank()),
      cores_(lanes.cores() - 1),
      window_(window_for(processes_)),
      job_(job),
      peers_(processes_),
      sends_(transport::k_send_slots),
      buffer_count_(std::size_t{window_} * (processes_ - 1) + k_spare_buffers),
      region_((buffer_count_ + 1) * format.packet_bytes, "packets", machine::pages::small) {
  const auto first = reinterpret_cast<std::uintptr_t>(region_.data());
  buffers_ =
      reinterpret_cast<std::byte*>(round_up(first, format_.packet_bytes));  // release() masks addresses
  for (std::size_t i = buffer_count_; i-- > 0;) free_buffers_.push_back(&buffer(i));
  for (unsigned s = transport::k_send_slots; s-- > 0;) free_slots_.push_back(s);
  for (peer& p : peers_) p.credits = window_;
  for (auto& by_core : waiting_) by_core.resize(cores_);
  receive_more();
}

wire::~wire() = default;

bool wire::poll() {
  const std::unique_lock hold(lock_, std::try_to_lock);
  if (!hold.owns_lock()) return false;
  bool moved = take_arrivals();
  moved |= take_from_cores();
  if (!started_.empty()) moved |= finish_sends();
  if (!busy_peers_.empty()) moved |= send_queued();
  if (waiting_chunks_ != 0) moved |= deliver_waiting();
  return moved;
}

// --- out ----------------------------------------------------------------------------------------

bool wire::take_from_cores() {
  bool some = false;
  const auto queue = [&](unsigned to) -> peer& {
    if (std::ranges::find(busy_peers_, to) == busy_peers_.end()) busy_peers_.push_back(to);
    some = true;
    return peers_[to];
  };
  for (unsigned core = 0; core < cores_; ++core) {
    for (const traffic kind : {traffic::reply, traffic::request}) {
      lane& from = lanes_.between(core, station(), kind);
      while (packet* p = from.front()) {
        queued_.fetch_add(1, std::memory_order_seq_cst);  // before it leaves the lane
        from.pop();
        peer& to = queue(p->reply_bytes);  // says the process until it leaves
        (kind == traffic::reply ? to.replies : to.requests).push_back(p);
      }
    }
  }
  if (any_notes_.load(std::memory_order_relaxed)) {
    const std::lock_guard hold(notes_lock_);
    any_notes_.store(false, std::memory_order_relaxed);
    for (auto& [to, n] : notes_) queue(to).notes.push_back(std::move(n));
    notes_.clear();
  }
  if (some) send_queued();
  return some;
}

bool wire::send_queued() {
  bool some = false;
  std::erase_if(busy_peers_, [&](unsigned to) {
    some |= send_queued(to);
    const peer& p = peers_[to];
    return p.requests.empty() && p.replies.empty() && p.notes.empty();
  });
  return some;
}

bool wire::send_queued(unsigned to) {
  peer& p = peers_[to];
  bool some = false;
  for (; !p.notes.empty() && !free_slots_.empty(); some = true) {
    start_note(to, std::move(p.notes.front()));
    p.notes.pop_front();
  }
  for (; !p.replies.empty() && !free_slots_.empty(); some = true) {
    start(to, *p.replies.front(), nullptr);
    p.replies.pop_front();
  }
  for (; !p.requests.empty() && p.credits > 0 && !free_slots_.empty(); some = true) {
    --p.credits;
    start(to, *p.requests.front(), nullptr);
    p.requests.pop_front();
  }
  return some;
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
  head_of(p).credits = std::exchange(peers_[to].owed, 0);
  if (p.kind != traffic::control) {
    sent_.fetch_add(1, std::memory_order_seq_cst);
    queued_.fetch_sub(1, std::memory_order_seq_cst);  // after it is counted as sent
  }
  transport_.send(slot, to, {reinterpret_cast<const std::byte*>(&p), p.bytes});
  sends_[slot] = {&p, std::move(owner)};
  started_.push_back(slot);
}

/// Looks at the oldest few: a slow process does not keep the packets that have gone to others.
bool wire::finish_sends() {
  constexpr std::size_t k_looks = 4;
  bool some = false;
  for (std::size_t i = 0, looks = 0; i < started_.size() && looks < k_looks;) {
    const unsigned slot = started_[i];
    if (!transport_.sent(slot)) {
      ++i;
      ++looks;
      continue;
    }
    started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(i));
    under_way done = std::exchange(sends_[slot], {});
    free_slots_.push_back(slot);
    if (done.owner == nullptr) host_.left(*done.p);
    some = true;
  }
  return some;
}

std::unique_ptr<wire::note> wire::make_note(std::span<const std::byte> text) {
  auto n = std::make_unique_for_overwrite<note>();
  const std::size_t size = std::min(text.size(), k_note_bytes);
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
  while (!free_buffers_.empty() && posted_.size() < transport::k_receive_slots) {
    packet* const p = free_buffers_.back();
    free_buffers_.pop_back();
    transport_.receive(next_slot_, {reinterpret_cast<std::byte*>(p), format_.packet_bytes});
    next_slot_ = (next_slot_ + 1) % transport::k_receive_slots;
    posted_.push_back(p);
  }
}

bool wire::take_arrivals() {
  if (any_returned_.load(std::memory_order_relaxed)) collect_returned();
  bool some = false;
  while (!posted_.empty()) {
    const auto slot = static_cast<unsigned>((next_slot_ + transport::k_receive_slots - posted_.size()) %
                                            transport::k_receive_slots);
    const auto a = transport_.received(slot);
    if (!a) break;
    packet& p = *posted_.front();
    posted_.pop_front();
    GOSSAMER_ASSERT(a->bytes >= wire_format::k_head_bytes && a->bytes == p.bytes && a->from < processes_,
                    "what came over the wire is no packet of this job");
    if (head_of(p).job == job_)
      deal(p, a->from);
    else
      free_buffers_.push_back(&p);  // a credit that came too late for the job before
    receive_more();
    some = true;
  }
  return some;
}

void wire::deal(packet& p, unsigned from) {
  peer& sender = peers_[from];
  GOSSAMER_ASSERT(head_of(p).number == sender.received, "packets of one process came out of order");
  ++sender.received;
  sender.credits += head_of(p).credits;
  if (p.kind == traffic::control) {
    const auto* text = reinterpret_cast<const std::byte*>(&p) + wire_format::k_head_bytes;
    if (p.bytes > wire_format::k_head_bytes) host_.note(from, {text, p.bytes - wire_format::k_head_bytes});
    free_buffers_.push_back(&p);
    return;
  }
  received_.fetch_add(1, std::memory_order_seq_cst);
  const unsigned chunks = p.matches;
  head_of(p).refs.store(chunks, std::memory_order_relaxed);  // before the lanes publish the chunks
  auto* at = reinterpret_cast<std::byte*>(&p) + wire_format::k_head_bytes;
  for (unsigned i = 0; i < chunks; ++i) {
    packet& chunk = *reinterpret_cast<packet*>(at);
    at += round_up(packet::k_head_bytes + chunk.bytes, k_line_bytes);  // before it is given away
    deliver(chunk.owner - rank_ * cores_, chunk);
  }
}

void wire::deliver(unsigned core, packet& chunk) {
  GOSSAMER_ASSERT(core < cores_, "a packet came to a process that it is not for");
  auto& waiting = waiting_[static_cast<std::size_t>(chunk.kind)][core];
  if (waiting.empty() && lanes_.try_push(chunk, station(), core)) return host_.arrived(core);
  waiting.push_back(&chunk);
  ++waiting_chunks_;
}

bool wire::deliver_waiting() {
  bool some = false;
  for (auto& by_core : waiting_) {
    for (unsigned core = 0; core < cores_; ++core) {
      auto& waiting = by_core[core];
      while (!waiting.empty() && lanes_.try_push(*waiting.front(), station(), core)) {
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
  // acq_rel: all chunks have been read before the buffer is received into again
  if (head_of(p).refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  const std::lock_guard hold(returned_lock_);
  returned_.push_back(&p);
  any_returned_.store(true, std::memory_order_relaxed);
}

void wire::collect_returned() {
  std::vector<packet*> back;
  {
    const std::lock_guard hold(returned_lock_);
    any_returned_.store(false, std::memory_order_relaxed);
    back.swap(returned_);
  }
  for (packet* p : back) {
    free_buffers_.push_back(p);
    if (p->kind != traffic::request) continue;
    peer& sender = peers_[p->source];
    if (++sender.owed * 2 >= window_ && !free_slots_.empty()) start_note(p->source, make_note({}));
  }
  receive_more();
}

// --- the end ------------------------------------------------------------------------------------

void wire::close() {
  const std::lock_guard hold(lock_);
  while (!started_.empty() || !busy_peers_.empty() || any_notes_.load(std::memory_order_relaxed)) {
    take_from_cores();
    take_arrivals();
    finish_sends();
    send_queued();
  }
  transport_.barrier();  // nobody sends any more, and what was sent has been received or lies in a buffer
  while (take_arrivals()) {}
  transport_.cancel_receives();
}

bool wire::anything_queued() const {
  for (unsigned core = 0; core < cores_; ++core)
    for (const traffic kind : {traffic::reply, traffic::request})
      if (lanes_.between(core, station(), kind).waiting()) return true;
  return queued_.load(std::memory_order_seq_cst) != 0;
}

std::string wire::describe() {
  const std::unique_lock hold(lock_, std::try_to_lock);
  if (!hold.owns_lock()) return "";
  std::string text =
      fmt::format("; wire of process {}: {} sent, {} received, {} leaving, {} of {} buffers posted", rank_,
                  sent(), received(), started_.size(), posted_.size(), buffer_count_);
  for (unsigned p = 0; p < processes_; ++p)
    if (!peers_[p].requests.empty() || !peers_[p].replies.empty())
      text += fmt::format("; {} requests and {} replies wait for process {}, {} credits",
                          peers_[p].requests.size(), peers_[p].replies.size(), p, peers_[p].credits);
  if (waiting_chunks_ != 0) text += fmt::format("; {} chunks wait for their core", waiting_chunks_);
  return text;
}

}  // namespace gossamer::fabric
