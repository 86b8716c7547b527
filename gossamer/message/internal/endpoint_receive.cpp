// The receiving half of an endpoint: polls, runs the handlers of the packets that the inbox takes, and
// implements the inbox's host. Records of other processes are in endpoint_wire.cpp.
#include <utility>

#include "gossamer/machine/simulated.hpp"
#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/message/two_sided.hpp"

namespace gossamer::message {

bool endpoint::poll() {
  GOSSAMER_DEBUG_ASSERT(!in_handler_);
  bool moved = receive();
  moved |= service_waiters();
  return moved;
}

/// Takes arrivals. Messages that their handlers write leave before the woken fibers run.
bool endpoint::take_arrivals() {
  if (!in_.receive()) return false;
  service_waiters();
  if (flush_requested_) [[unlikely]]
    out_.flush_aged(std::exchange(flush_requested_, false));
  endpoint::before_woken();
  return true;
}

/// Does the work of the root context between two turns, and lets other fibers run, because the calling one
/// has run for long.
void endpoint::catch_up() {
  GOSSAMER_DEBUG_ASSERT(!in_handler_, k_handler_rule);
  const bool was_late = renew_turn();
  receive();
  service_waiters();
  while_busy(was_late);
  if (any_ready() && running() != nullptr) yield();
}

/// Reports finished operations before woken fibers run. Reports of two-sided messages may wait if such fibers
/// have often yielded soon: their answer leaves before the report matters.
void endpoint::report_received() {
  proxies_.report(remote_completion_proxies::which::awaited);
  if (!proxies_.any_to_report() || quick_runs_ >= k_quick_runs) return;
  ++quick_runs_;
  proxies_.report(remote_completion_proxies::which::all);
}

/// Sends the open replies.
void endpoint::send_replies() {
  out_.flush_replies(reason::idle);
  push_wire();
}

/// Polls the wire, so that what was passed to it does not wait for the next poll of this core. Not on a small
/// stack.
void endpoint::push_wire() {
  const bool small = running() != nullptr && running()->kind == fiber::stack_class::small;
  if (shared_.wire != nullptr && !shared_.needs_no_wire() && !small) shared_.wire->poll();
}

/// Retries what waits for packets or space, and returns packets that others have requested. Returns whether
/// anything moved.
bool endpoint::service_waiters() {
  bool moved = false;
  if (to_push_) [[unlikely]]
    moved |= push_granted();
  in_.return_wanted();
  if (!packet_waiters_.empty() || !room_waiters_.empty() || !reply_waiters_.empty() ||
      payloads_.has_waiter() || has_wire_waiter())
    moved |= wake_waiters();
  if (!reports_.empty()) send_reports();
  return moved;
}

bool endpoint::receive() {
  if (auto* s = machine::simulated()) [[unlikely]]
    s->look();
  bool some = (running() == nullptr || running()->kind != fiber::stack_class::small) &&
              poll_wire();  // a transport may need tens of KiB of stack
  some |= in_.receive();
  if (any_bulk_over()) [[unlikely]] {
    end_bulk_moves();
    some = true;
  }
  return some;
}

/// Polls the wire, if there is one. If there are lanes to all cores, the wire only has notes, and polling it
/// takes longer than a message: then polls seldom. Returns whether anything moved.
bool endpoint::poll_wire() const {
  constexpr std::uint32_t k_calls_per_poll = 32;  // after before_sleep() no poll is skipped
  if (shared_.wire == nullptr) return false;
  if (shared_.needs_no_wire() && !shared_.wire->bulk().any() && wire_polls_++ % k_calls_per_poll != 0)
    return false;
  return shared_.wire->poll();
}

bool endpoint::can_answer(unsigned source, std::uint32_t bytes) {
  if (is_local(source)) {
    if (out_.can_answer(source, bytes)) return true;
    out_.pool(fabric::traffic::reply).want();
    return false;
  }
  if (shares_room(source, chunks_first_) || !out_.can_answer(source, bytes)) {
    refused_ = source;
    return false;
  }
  if (refused_ == source) refused_ = k_no_core;
  return true;
}

std::optional<copy_room> endpoint::missing_room(const fabric::packet& p) {
  if (mail().has_room(p.source, p.matches, p.bytes)) return std::nullopt;
  return mail().common_need(p.source, p.matches, p.bytes);
}

copy_room endpoint::common_room() { return mail().common_room(); }

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

void endpoint::run_handler(const run_header& h, std::byte* records, unsigned source, completion* counted_by) {
  handler_ = h.handler;
  handler_function(h.handler)(dispatch{*this, static_cast<std::uint16_t>(source), counted_by, h.record_bytes},
                              records, h.count);
  counters_.handled += h.count;
}

void endpoint::run_payload(std::byte* at, std::byte* end, unsigned source) {
  completion* counted_by = nullptr;
  std::int64_t finished = 0;
  set_local(nullptr);
  const auto change_scope = [&](completion* named) {
    if (finished != 0) counted_by->finish(std::exchange(finished, 0));
    counted_by = named;
    set_local(counted_by);
  };
  for_each_run(at, end, change_scope, [&](const run_header& h, std::byte* records) {
    run_handler(h, records, source, counted_by);
    if (counted_by == nullptr) return;
    if (h.handler == handler<eager_record>::entry.id)
      proxies_.received(*counted_by, h.count);
    else
      finished += h.count;
  });
  if (finished != 0) counted_by->finish(finished);
}

}  // namespace gossamer::message
