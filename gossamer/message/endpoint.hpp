#pragma once
// The messages of a core. The endpoint writes records into the packets of its outbox (internal/outbox.hpp),
// lets its inbox (internal/inbox.hpp) take packets, and runs their handlers. Only this class connects fibers
// and packets: outbox and inbox return what they lack, and the endpoint suspends fibers until it is there.
//
// Flow control. Requests: a core has a bounded pool of request packets, and lanes are bounded. A fiber that
// finds no packet or no free slot suspends. Replies: a core takes a request packet from a lane only if it has
// buffers for all of its answers (packet::reply_bytes). It always takes replies, because running them issues
// nothing. So replies always drain, which frees buffers for requests: no cycle can form.
// Two-sided messages: a packet holds their number (packet::matches). It stays in its lane until the mailbox
// has space for all of them. So senders suspend where no fiber receives. All sources share a part of that
// space: when some of it is freed, the blocked sources are retried round-robin, as long as it lasts.
// Data of a granted large message travels with the replies, so later messages do not delay it.
// Time. Answers, and reports to completions, leave before fibers run that were woken while nothing else was
// ready (before_woken()). While fibers are busy, packets leave by age; calls that issue records check whether
// the turn is late. Handlers may reply but not issue requests: they spawn a task for what has to follow.
// While a handler runs, the core counts as its root context, on whatever stack: a handler that suspends fails
// an assertion.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/fiber/sync.hpp"
#include "gossamer/message/completion.hpp"
#include "gossamer/message/internal/assembly.hpp"
#include "gossamer/message/internal/bulk_tags.hpp"
#include "gossamer/message/internal/inbox.hpp"
#include "gossamer/message/internal/outbox.hpp"
#include "gossamer/message/internal/payload_limit.hpp"
#include "gossamer/message/internal/remote_completion_proxies.hpp"
#include "gossamer/message/process_context.hpp"
#include "gossamer/message/registry.hpp"

namespace gossamer::message {

struct endpoint_options {
  fiber::scheduler_options scheduler;
  std::size_t packet_bytes = 8 << 10;  // with the head line
  std::size_t request_packets = 512;  // minimum per core; grows with the number of cores
  std::uint64_t flush_delay_ns = 200'000;
  bool aggregate = true;  // false: a packet holds one record
  std::size_t unexpected_messages = 1 << 20;  // two-sided messages that wait for a receive
  std::size_t unexpected_bytes = 64 << 20;  // bytes of these messages
  std::size_t payload_bytes_in_flight = 64 << 20;  // bytes of zero-copy payloads that are not freed yet
  std::size_t bulk_bytes =
      64 << 10;  // smallest block that goes to another process by a bulk move; 0: none does
  bool crowded = false;  // the node has fewer processors than cores
};

class mailbox;

class endpoint : public fiber::scheduler, private inbox::host {
 public:
  endpoint(unsigned id, const endpoint_options& options, process_context& shared);
  ~endpoint() override;

  /// Returns the core that runs this code.
  static endpoint& here() { return static_cast<endpoint&>(*fiber::scheduler::current()); }

  unsigned cores() const { return out_.cores(); }
  unsigned processes() const { return shared_.processes(); }
  unsigned cores_per_process() const { return shared_.cores(); }
  unsigned process_of(unsigned core) const { return shared_.process_of(core); }
  /// Returns whether a core belongs to this process.
  bool is_local(unsigned core) const { return shared_.is_local(core); }
  /// Returns a core of this process, by its number in the job.
  endpoint& other(unsigned core) { return *shared_.endpoints[core - shared_.first]; }
  process_context& process() { return shared_; }

  /// Returns the completion that counts what the running fiber issues.
  completion* scope() const { return static_cast<completion*>(local()); }

  /// The space that a record requires: for its answers, and in the mailbox of its destination.
  struct needs {
    std::uint32_t reply_bytes = 0;
    std::uint16_t matches = 0;
  };

  /// Writes a record for core `to`, counted by scope(). Suspends when packets or slots of the lane are
  /// exhausted. Yields if the fiber has run for long (late()). Never from a handler.
  template <class Record>
  void issue(unsigned to, const Record& r) {
    issue_as<Record>(to, r);
  }
  /// Does the same for Record{parts...}, which is constructed in its packet.
  template <class Record, class... Parts>
  void issue_as(unsigned to, const Parts&... parts) {
    look_if_late();
    write_as<Record>(out_.requests(to), to, scope(), 0, parts...);
  }
  /// Does the same, but the record is not counted.
  template <class Record>
  void issue_uncounted(unsigned to, const Record& r) {
    look_if_late();
    write(out_.requests(to), to, nullptr, r, 0);
  }
  /// Does the same for a record whose handler answers with at most `reply_bytes`.
  template <class Record>
  void issue_call(unsigned to, const Record& r, std::uint32_t reply_bytes) {
    GOSSAMER_DEBUG_ASSERT(to != id(), "a core has no lane of replies to itself: call directly");
    write(out_.requests(to), to, nullptr, r, reply_bytes + outbox::k_reply_overhead);
  }
  /// Writes a record counted by scope(), which also counts its one answer (reply_counted) of `reply_bytes`.
  /// The completion is done once the answers have been handled.
  template <class Record>
  void issue_request_counted(unsigned to, const Record& r, std::uint32_t reply_bytes) {
    GOSSAMER_DEBUG_ASSERT(to != id(), "a core has no lane of replies to itself: answer directly");
    look_if_late();
    write(out_.requests(to), to, scope(), r, reply_bytes);
  }
  /// Answers the core that issued the record. The completion that counts the record counts the answer, too.
  /// From a
  /// handler.
  template <class Record>
  void reply_counted(const dispatch& d, const Record& r) {
    if (is_local(d.source)) [[likely]]
      return write(out_.replies(d.source), d.source, d.scope, r, 0);
    ++answered_;  // between processes an answer takes over the count of its request
    write(out_.replies(d.source), d.source, remote_scope_, r, 0);
  }
  /// Does the same, but returns the place of one record of `bytes` (a multiple of 8). The caller fills it at
  /// once.
  template <class Record>
  std::byte* reply_room_counted(const dispatch& d, std::size_t bytes) {
    const bool local = is_local(d.source);
    if (!local) ++answered_;
    return room(out_.replies(d.source), d.source, local ? d.scope : remote_scope_, handler<Record>::entry.id,
                bytes, {});
  }
  /// Answers the core that issued the record. Never suspends. From a handler.
  template <class Record>
  void reply(unsigned to, const Record& r) {
    write(out_.replies(to), to, nullptr, r, 0);
  }

  /// Returns the place of one record of `bytes` (a multiple of 8). The caller fills it before anything else.
  /// Otherwise as issue().
  template <class Record>
  std::byte* issue_room(unsigned to, std::size_t bytes, needs n) {
    GOSSAMER_DEBUG_ASSERT(!in_handler_, k_handler_rule);
    look_if_late();
    return room(out_.requests(to), to, scope(), handler<Record>::entry.id, bytes, n);
  }
  /// Sends one record of `bytes` at once, uncounted, to a core of a neighbour on the node; fill(place) writes
  /// it. Returns false, and sends nothing, if the lane is full, the record is large, or the record could be
  /// aggregated: a packet is open, or ready fibers may write records. Sometimes polls, or returns false so
  /// that other fibers run. From a fiber; never suspends.
  template <class Record, class Fill>
  bool issue_alone(unsigned to, std::size_t bytes, Fill fill) {
    constexpr std::uint32_t k_poll = 16, k_turn = 64;  // calls until a poll, and until other fibers run
    GOSSAMER_DEBUG_ASSERT(!in_handler_, k_handler_rule);
    if (++sent_alone_ % k_poll == 0) receive();
    if (sent_alone_ % k_turn == 0) return false;
    if (any_ready() || out_.any_open()) return false;
    std::byte* const at = out_.open_alone(to, handler<Record>::entry.id, bytes);
    if (at == nullptr) return false;
    fill(at);
    out_.push_alone(to, bytes);
    return true;
  }
  /// Returns the most bytes of a record of issue_chunk().
  std::size_t chunk_room(unsigned to) const {
    return shared_.has_node_lane(to) ? out_.block_room(to) : round_down(out_.record_room() / 2, k_line_bytes);
  }
  /// Sends a chunk of a large message, uncounted, to a core of another process: one record of `bytes` (a
  /// multiple of 8), which fill(place) writes. Travels with the replies; to a neighbour on the node, at once.
  /// After has_chunk_room(); outside of handlers.
  template <class Record, class Fill>
  void issue_chunk(unsigned to, std::size_t bytes, Fill fill) {
    if (!shared_.has_node_lane(to))
      return fill(room(out_.replies(to), to, nullptr, handler<Record>::entry.id, bytes, {}));
    fill(out_.open_block(to, handler<Record>::entry.id, bytes));
    out_.push_alone(to, bytes, fabric::traffic::reply);
  }
  /// Writes a message into the lane of replies, which always drains. Suspends while all reply packets of this
  /// core are in use. From a fiber.
  template <class Record>
  void answer(unsigned to, const Record& r) {
    wait_for_reply_room(to, sizeof(Record) + outbox::k_reply_overhead);
    write(out_.replies(to), to, nullptr, r, 0);
  }

  /// Sends the open packets of replies. For a fiber that has written an answer and continues without waiting:
  /// it may compute for long.
  void send_answers() {
    if (out_.any_open_reply()) send_replies();
  }

  /// Returns the mailbox of this core; makes it at first use.
  mailbox& mail() {
    if (mail_ == nullptr) [[unlikely]]
      make_mailbox();
    return *mail_;
  }
  /// Notes that the mailbox has more space for `source`, or for all sources. The next poll retries the
  /// packets that wait for it.
  void room_freed(unsigned source, bool for_all) { in_.room_freed(source, for_all); }
  /// Returns the most two-sided messages of one packet: a mailbox has space for a full packet of every core.
  std::uint32_t most_matches() const { return out_.most_matches(); }
  /// Notes that a large message to another process was granted. Its chunks leave from the next poll on.
  void push_soon() { to_push_ = true; }
  /// Returns the most bytes of one record, without the header of its run.
  std::size_t record_room() const { return out_.record_room(); }
  std::size_t packet_room() const { return out_.packet_room(); }

  assembly_table& assemblies() { return assemblies_; }
  /// Returns the proxies of completions of other cores.
  remote_completion_proxies& completion_proxies() { return proxies_; }
  /// Reports `n` finished operations to a completion of another process. From any code on this core.
  void report_later(const scope_id& parent, std::int64_t n, const std::exception_ptr& error);

  /// Returns the limit of zero-copy payloads, which other cores read in place and then free.
  payload_limit& payloads() { return payloads_; }

  /// Describes what a suspended fiber waits for, as exactly as known. Call while the core sleeps or has
  /// stopped.
  std::string describe_wait(const fiber::fiber& f);
  /// Makes describe_wait() call `f` first, which returns an empty string for fibers that it does not know.
  /// Null ends it.
  void describe_waits_by(std::string (*f)(const fiber::fiber&)) { describes_ = f; }
  /// Returns "core 1 holds 2 messages that no fiber receives: ..."; empty where there are none.
  std::string describe_unmatched();

  /// Returns whether a block of so many bytes to or from core `c` goes by a bulk move (message/bulk.hpp).
  bool moves_bulk(unsigned c, std::uint64_t bytes) const {
    return bytes >= bulk_tags_.least_bytes() && !is_local(c);
  }
  /// Returns whether a message of so many bytes from core `c` arrives in chunks, and no bulk move is faster.
  /// True if there is a lane, and both cores run at the same time, or the lane holds all of the message at
  /// once.
  bool takes_chunks(unsigned c, std::uint64_t bytes) const {
    constexpr std::uint64_t k_at_once = 4;  // of the blocks that a lane holds, which may not be empty
    return shared_.has_node_lane(c) && (!crowded_ || bytes <= k_at_once * out_.block_room(c));
  }
  /// Returns the tags of this core's bulk moves. Only where moves_bulk() has returned true.
  bulk_tags& bulk() { return bulk_tags_; }
  /// Makes the wire start a move of this core. Its end is handled on this core.
  void start_bulk(std::unique_ptr<fabric::bulk_move> m) noexcept;
  void start_bulk(fabric::bulk_move m);

  /// Sends every open request packet. Suspends when lanes are full.
  void flush();
  /// Makes open packets, and the answers of the running handler, leave at the next turn, whatever their age.
  /// Call if many fibers wait for them. Never suspends.
  void request_flush() { flush_requested_ = true; }

  bool in_handler() const { return in_handler_; }
  /// Returns whether spinning for another core pays: each core has a processor of its own.
  bool spins() const { return spin_; }

 protected:
  bool poll() override;
  bool take_arrivals() override;
  bool before_idle(idling step) override;
  void flush_small() override { out_.flush_small(reason::idle); }
  void flush_to_idle() override { out_.flush_to_idle(); }
  bool settle_before_poll() override {
    out_.flush_small(reason::idle);
    if (!proxies_.empty()) proxies_.report(remote_completion_proxies::which::awaited);
    // the root context polls the wire
    const bool wired = shared_.wire != nullptr && (!shared_.needs_no_wire() || shared_.wire->bulk().any());
    return !out_.any_open() && reports_.empty() && !to_push_ && !wired;
  }
  void while_busy(bool late) override;
  void before_woken() override {
    if (quick_runs_ < k_quick_runs ? !proxies_.empty() : proxies_.any_awaited()) report_received();
    if (!reports_.empty()) send_reports();
    if (out_.any_open_reply()) send_replies();
  }
  void before_sleep() override;
  bool has_news() const override;
  const char* running_handler() const override;
  void not_joined(const fiber::fiber& f, std::exception_ptr what) noexcept override;

  process_context& shared_;

  /// Called by the wire: a packet has left, or something has arrived.
  friend struct wire_host;

 private:
  using reason = outbox::reason;

  /// A fiber that waits for a free slot in the lane to a core: for a request, or (neighbours on the node) for
  /// an answer.
  struct room_waiter {
    unsigned to;
    fiber::fiber* who;
    std::uint32_t answer_bytes = 0;  // 0: a request
  };

  struct report {
    scope_id parent;
    std::int64_t finished;
    std::exception_ptr error;  // null: none
  };

  template <class Record>
  void write(send_buffer& o, unsigned to, completion* counted_by, const Record& r,
             std::uint32_t reply_bytes) {
    write_as<Record>(o, to, counted_by, reply_bytes, r);
  }
  template <class Record, class... Parts>
  void write_as(send_buffer& o, unsigned to, completion* counted_by, std::uint32_t reply_bytes,
                const Parts&... parts) {
    const std::uint16_t id = handler<Record>::entry.id;
    GOSSAMER_DEBUG_ASSERT(out_.is_reply(o, to) || !in_handler_, k_handler_rule);
    if (o.needs_run(id, counted_by) || out_.exceeds_answers(o, reply_bytes)) [[unlikely]]
      open_run(o, to, counted_by, id, sizeof(Record), reply_bytes, 0);
    o.append<Record>(parts...);
    if (reply_bytes != 0) o.reply_bytes += reply_bytes;
  }

  std::byte* room(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t id, std::size_t bytes,
                  needs n) {
    const std::uint32_t reply_bytes = n.reply_bytes != 0 ? n.reply_bytes + outbox::k_reply_overhead : 0;
    if (o.needs_run(id, counted_by) || o.record_bytes != bytes || out_.exceeds_answers(o, reply_bytes))
        [[unlikely]]
      open_run(o, to, counted_by, id, bytes, reply_bytes, n.matches);
    std::byte* const at = o.append_room(bytes);
    o.reply_bytes += reply_bytes;
    o.matches += n.matches;
    return at;
  }
  void open_run(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t id,
                std::size_t record_bytes, std::uint32_t reply_bytes, std::uint32_t matches);
  void wait_for_packet(unsigned to);
  void wait_for_room(unsigned to);
  void wait_for_reply_room(unsigned to, std::size_t bytes);
  bool spin_for_room(unsigned to);
  bool has_room(const room_waiter& w) const {
    return w.answer_bytes != 0 ? out_.answer_fits(w.to, w.answer_bytes) : out_.lane_has_room(w.to);
  }
  bool wake_waiters();
  bool may_leave() const;
  bool has_report_to_send() const;
  void send_reports();
  bool has_chunk_room(unsigned to) const;
  bool has_chunk_to_push() const;
  bool push_granted();
  bool waits_for_lane(unsigned to, fabric::traffic kind) const;
  void note_lane_waits();
  /// Counts this core once as active again, if the search for a stall may have counted it as a sleeper. Call
  /// before the effects of this core become visible.
  void mark_active() {
    if (counted_idle_) counted_idle_ = false, bump_wake_epoch();
  }

  /// Polls if the turn of this core is late. From a fiber that issues records.
  void look_if_late() {
    if (late()) [[unlikely]]
      catch_up();
  }
  bool receive();
  bool service_waiters();
  void catch_up();
  void send_replies();
  void push_wire();
  void report_received();
  bool poll_wire() const;
  /// Returns whether bulk moves of this process progress, as they do while the transport is polled.
  bool moves_get_on() const { return shared_.wire != nullptr && shared_.wire->bulk().gets_on(); }
  bool any_bulk_over() const;
  void end_bulk_moves();
  void run_handler(const run_header& h, std::byte* records, unsigned source, completion* counted_by);
  void run_payload(std::byte* at, std::byte* end, unsigned source);
  void run_remote_requests(std::byte* at, std::byte* end, unsigned source);
  void make_mailbox();

  // Called by outbox and inbox.
  void run_packet(fabric::packet& p) override;
  void notify_core(unsigned core) override { other(core).notify(); }
  bool can_answer(unsigned source, std::uint32_t bytes) override;
  std::optional<copy_room> missing_room(const fabric::packet& p) override;
  copy_room common_room() override;
  fabric::packet_pool& pool_of(unsigned core, fabric::traffic kind) override {
    return other(core).out_.pool(kind);
  }
  void node_packet() override { mark_active(); }
  void release_chunk(fabric::packet& chunk) override { shared_.wire->release(chunk); }

  fiber::wait_queue& wire_waiters(fabric::traffic kind) {
    return wire_waiters_[static_cast<std::size_t>(kind)];
  }
  bool has_wire_waiter() const { return !wire_waiters_[0].empty() || !wire_waiters_[1].empty(); }
  bool wire_waiter_goes_on() const;
  /// Returns whether replies to two cores of other processes use the same buffers: a lane, or the wire
  /// packets.
  bool shares_room(unsigned a, unsigned b) const {
    return b != k_no_core && (a == b || (!shared_.has_node_lane(a) && !shared_.has_node_lane(b)));
  }

  static constexpr const char* k_handler_rule =
      "a handler may not issue requests (it cannot wait for room): spawn a task that does";

  outbox out_;  // first: issuing a record uses it
  inbox in_;
  std::uint16_t handler_ = 0;  // handler of the run that was begun last
  bool in_handler_ = false;
  bool flush_requested_ = false;
  std::uint64_t reported_at_ = 0;  // ticks of the last report of proxies_ by while_busy()
  std::uint32_t busy_calls_ = 0;  // calls of while_busy()
  static constexpr unsigned k_quick_runs = 64;
  unsigned quick_runs_ =
      0;  // turns of fibers that ran while reports of received messages waited, since the last late turn
  std::uint32_t sent_alone_ = 0;  // calls of issue_alone()
  fiber::wait_queue packet_waiters_;
  std::vector<room_waiter> room_waiters_;  // bounded by the number of fibers
  fiber::wait_queue reply_waiters_;
  const bool spin_;  // spinning for another core pays: it has a processor of its own
  const bool crowded_;  // the node has fewer processors than cores
  std::size_t unexpected_messages_, unexpected_bytes_;
  std::string (*describes_)(const fiber::fiber&) = nullptr;
  std::unique_ptr<mailbox> mail_;
  remote_completion_proxies proxies_{*this};
  assembly_table assemblies_;

  // Other processes.
  bool counted_idle_ = false;  // the search for a stall may count this core as a sleeper
  mutable std::uint32_t wire_polls_ = 0;  // calls of poll_wire()
  bool to_push_ = false;  // a large message was granted and has not left
  static constexpr unsigned k_no_core = ~0U;
  unsigned refused_ = k_no_core;  // a request of that core waits for buffers for its answers
  unsigned chunks_first_ = k_no_core;  // chunks for that core have waited long: answers wait for them
  unsigned chunk_waits_ = 0;  // calls of push_granted() that could not send all chunks
  std::vector<report> reports_;  // bounded by the number of proxies, and of arriving blocks
  fiber::wait_queue wire_waiters_[fabric::k_traffic_classes];  // by the kind of packet that they need
  completion* remote_scope_ = nullptr;  // scope of another process's running records: an address there
  std::int64_t answered_ = 0;  // answers that took over the count of one of these records

  bulk_tags bulk_tags_;

  payload_limit payloads_;  // last: other cores write to a line of it
};

}  // namespace gossamer::message
