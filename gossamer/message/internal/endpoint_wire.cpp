// The part of an endpoint for other processes: reports to completions there, chunks of large messages, and
// the completions that count the records from there.
#include <algorithm>
#include <utility>

#include "gossamer/message/endpoint.hpp"
#include "gossamer/message/internal/remote_failure.hpp"
#include "gossamer/message/mailbox.hpp"
#include "gossamer/message/two_sided.hpp"

namespace gossamer::message {

namespace {

/// Reports finished operations to the home of a completion.
struct finish_record {
  completion* scope;
  std::int64_t finished;
  void operator()(const dispatch&) const { scope->finish(finished); }
};

/// Does the same with an exception that was thrown here. If another exception was first, it is dropped.
struct failure_report {
  completion* scope;
  std::int64_t finished;
  failure_text what;
  void operator()(const dispatch&) const {
    scope->fail(exception_of(what));
    scope->finish(finished);
  }
};
static_assert(sizeof(failure_report) <= outbox::k_largest_answer, "a report fits a packet of replies");

}  // namespace

void endpoint::report_later(const scope_id& parent, std::int64_t n, const std::exception_ptr& error) {
  if (reports_.empty() || reports_.back().parent != parent) {
    reports_.push_back({parent, n, error});
    return;
  }
  report& last = reports_.back();
  last.finished += n;
  if (!last.error) last.error = error;  // the first exception is kept
}

bool endpoint::has_report_to_send() const {
  return std::ranges::any_of(reports_, [this](const report& r) { return out_.can_report(r.parent.core); });
}

void endpoint::send_reports() {
  for (std::size_t i = reports_.size(); i-- > 0;) {
    report r = reports_[i];
    if (!out_.can_report(r.parent.core)) continue;
    mark_active();
    reports_[i] = std::move(reports_.back());  // first: more reports may be added while this one is written
    reports_.pop_back();
    send_buffer& o = out_.replies(r.parent.core);
    if (r.error) [[unlikely]]
      write(o, r.parent.core, nullptr, failure_report{r.parent.at, r.finished, describe(r.error)}, 0);
    else
      write(o, r.parent.core, nullptr, finish_record{r.parent.at, r.finished}, 0);
  }
}

/// Returns whether a chunk of a large message to a core of another process may be sent now: there are
/// buffers, and no answer has priority.
bool endpoint::has_chunk_room(unsigned to) const {
  if (shares_room(to, refused_) && !shares_room(to, chunks_first_)) return false;
  return shared_.has_node_lane(to) ? out_.takes_block(to) : out_.takes_wire_chunk();
}

bool endpoint::has_chunk_to_push() const {
  return to_push_ && mail_->any_granted([this](unsigned to) { return has_chunk_room(to); });
}

/// Returns whether something waits for space in the lane to a core of a neighbour.
bool endpoint::waits_for_lane(unsigned to, fabric::traffic kind) const {
  const bool answers = kind == fabric::traffic::reply;
  bool waits = std::ranges::any_of(
      room_waiters_, [&](const room_waiter& w) { return w.to == to && (w.answer_bytes != 0) == answers; });
  if (!answers) return waits;
  waits |= std::ranges::any_of(reports_, [&](const report& r) { return r.parent.core == to; });
  if (to_push_) mail_->each_granted([&](unsigned of) { waits |= of == to; });
  return waits;
}

/// Notes, in the lanes to neighbours, what waits for space now. The search for a stall reads whether space
/// becomes free after that.
void endpoint::note_lane_waits() {
  if (shared_.node == nullptr) return;
  out_.each_node_lane([this](fabric::node_lane_writer& lane, unsigned to, fabric::traffic kind) {
    if (waits_for_lane(to, kind))
      lane.wait([this] { mark_active(); });
    else
      lane.wait_no_more();
  });
}

/// Sends chunks of granted large messages, while there are buffers. Needs no fiber and never suspends: all
/// fibers may wait for this.
///
/// Chunks are replies: neither their receiver's messages nor later messages to it block a reply. They share
/// the buffers of replies with answers, in turn:
///   an answer finds no buffer -> refused_: chunks for that buffer wait until it has left
///   chunks find none k_most_waits times -> chunks_first_: requests whose answers use that buffer stay in their
///                                          lanes until a chunk has left
bool endpoint::push_granted() {
  constexpr unsigned k_most_chunks = 16;  // a fast reader frees buffers meanwhile
  constexpr unsigned k_most_waits = 8;
  void* const own = local();
  set_local(nullptr);  // chunks are not counted
  unsigned sent = 0, blocked = k_no_core;
  const auto has_room = [&](unsigned to) {
    if (has_chunk_room(to)) {
      if (shares_room(to, chunks_first_)) chunks_first_ = k_no_core;
      return true;
    }
    blocked = to;
    return false;
  };
  for (; sent < k_most_chunks && to_push_ && mail_->find_granted(has_room); ++sent) {
    mark_active();
    to_push_ = mail_->push_chunk();
  }
  set_local(own);
  if (!to_push_ || blocked == k_no_core) {
    chunk_waits_ = 0;
    if (!to_push_) chunks_first_ = k_no_core;
    return sent != 0;
  }
  if (++chunk_waits_ >= k_most_waits && chunks_first_ == k_no_core) {
    chunk_waits_ = 0;
    chunks_first_ = blocked;
  }
  if (!shared_.has_node_lane(blocked) && !out_.takes_wire_chunk())
    out_.flush_wire(fabric::traffic::reply, reason::request);  // so that the packets return
  return sent != 0;
}

/// Runs records that completions of other processes count, under this core's proxies of those.
void endpoint::run_remote_requests(std::byte* at, std::byte* end, unsigned source) {
  remote_completion_proxies::proxy* counted_by = nullptr;
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
      counted_by = &proxies_.of({source, named});
      ++counted_by->running;  // so that it is not deleted
    }
    set_local(counted_by != nullptr ? counted_by->counts : nullptr);
  };
  for_each_run(at, end, change_scope, [&](const run_header& h, std::byte* records) {
    run_handler(h, records, source, counted_by != nullptr ? counted_by->counts : nullptr);
    if (counted_by != nullptr) {
      counted_by->finished += h.count - answered_;
      if (h.handler != handler<eager_record>::entry.id) proxies_.note_awaited(*counted_by);
    }
    answered_ = 0;
  });
  leave();
  answered_ = outer_answered;
  remote_scope_ = outer_scope;
}

}  // namespace gossamer::message
