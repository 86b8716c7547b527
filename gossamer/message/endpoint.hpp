#pragma once
// A core with mail: the outbox, where records are written straight into the open packet of their
// destination, and the inbox, which runs what has arrived. The only room where fibers meet packets.
//
// Records are written in runs (internal/send_buffer.hpp). An open run counts as one outstanding unit of its scope; closing it adds the other count-1. So
// issuing a record counts nothing, and a task may end while its records still lie in the outbox.
//
// Flow control. Requests: a core has a bounded pool of request packets, lanes are bounded; a fiber
// that finds none or no room suspends. Replies: a core takes a request packet from a lane only when it has
// room for all of its answers (packet::reply_bytes), and replies are always taken, since running them
// issues nothing. So replies always drain, which makes room for requests: no cycle can form.
// Two-sided messages: a packet says how many it holds (packet::matches), and is left in its lane until
// the mailbox has room to keep all of them. So their senders suspend where no fiber receives. Part of that room
// is common to all sources: when some of it comes, all that wait are looked at in turn, as far as it goes.
// Handlers may reply but not issue requests: what has to follow is spawned as a task. While they run the core
// counts as its root context, on whatever stack: a handler that suspends is an assertion.
//
// Flush reasons: full; idle (no ready fiber); age (flush_delay); request (a fiber waits).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/bit_set.hpp"
#include "gossamer/fabric/mesh.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/fiber/scheduler.hpp"
#include "gossamer/fiber/sync.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/message/completion.hpp"
#include "gossamer/message/internal/assembly.hpp"
#include "gossamer/message/internal/blocked_sources.hpp"
#include "gossamer/message/internal/packet_returns.hpp"
#include "gossamer/message/internal/payload_limit.hpp"
#include "gossamer/message/internal/send_buffer.hpp"
#include "gossamer/message/internal/share.hpp"
#include "gossamer/message/internal/unexpected.hpp"
#include "gossamer/message/internal/wire_buffers.hpp"
#include "gossamer/message/registry.hpp"

namespace gossamer::message {

struct endpoint_options {
  fiber::scheduler_options scheduler;
  std::size_t packet_bytes = 8 << 10;  // head line included
  std::size_t request_packets = 512;  // per core, at least; grows with the number of cores
  std::uint64_t flush_delay_ns = 200'000;
  bool aggregate = true;  // off: a packet holds one record
  std::size_t unexpected_messages = 1 << 20;  // two-sided ones, kept until they are received
  std::size_t unexpected_bytes = 64 << 20;  // of those
  std::size_t payload_bytes_in_flight = 64 << 20;  // of payloads handed over by address and not used yet
};

class endpoint;
class mailbox;

/// What the cores of a process share. Core c of the job is the process's c - first, and has that endpoint index
/// in the mesh; the wire to other processes, where there are any, has the last one.
struct process_context {
  explicit process_context(unsigned cores, unsigned processes = 1, unsigned process = 0)
      : lanes(cores + (processes > 1 ? 1 : 0)),
        sleepers(cores),
        endpoints(cores),
        first(process * cores),
        all(processes * cores) {}
  unsigned cores() const { return static_cast<unsigned>(endpoints.size()); }

  fabric::mesh lanes;
  fiber::sleep_group sleepers;
  std::vector<endpoint*> endpoints;  // of this process
  const unsigned first, all;
  fabric::wire* wire = nullptr;  // set before the cores are made
};

class endpoint : public fiber::scheduler {
 public:
  endpoint(unsigned id, const endpoint_options& options, process_context& shared);
  ~endpoint() override;

  /// The core that runs this code.
  static endpoint& here() { return static_cast<endpoint&>(*fiber::scheduler::current()); }

  unsigned cores() const { return shared_.all; }
  unsigned processes() const { return shared_.all / shared_.cores(); }
  unsigned process_of(unsigned core) const { return core / shared_.cores(); }
  /// Whether a core is of this process.
  bool is_local(unsigned core) const { return core - shared_.first < shared_.cores(); }
  /// A core of this process, by its number in the job.
  endpoint& other(unsigned core) { return *shared_.endpoints[core - shared_.first]; }
  process_context& process() { return shared_; }

  /// The completion that counts what the running fiber issues.
  completion* scope() const { return static_cast<completion*>(local()); }

  /// What a record asks of others: room for its answers, and of the destination's mailbox.
  struct needs {
    std::uint32_t reply_bytes = 0;
    std::uint16_t matches = 0;
  };

  /// Writes a record for core `to`, counted by scope(). Suspends only when packets or lane room are
  /// exhausted. Never from a handler.
  template <class Record>
  void issue(unsigned to, const Record& r) {
    write(requests_[to], to, scope(), r, 0);
  }
  /// The same, not counted.
  template <class Record>
  void issue_uncounted(unsigned to, const Record& r) {
    write(requests_[to], to, nullptr, r, 0);
  }
  /// The same; its handler answers with at most `reply_bytes`.
  template <class Record>
  void issue_call(unsigned to, const Record& r, std::uint32_t reply_bytes) {
    GOSSAMER_DEBUG_ASSERT(to != id(), "a core has no lane of replies to itself: call directly");
    write(requests_[to], to, nullptr, r, reply_bytes + k_reply_overhead);
  }
  /// Counted by scope(), and so is its one answer (reply_counted) of `reply_bytes`: the completion is
  /// finished once the answers have been used.
  template <class Record>
  void issue_question(unsigned to, const Record& r, std::uint32_t reply_bytes) {
    GOSSAMER_DEBUG_ASSERT(to != id(), "a core has no lane of replies to itself: answer directly");
    write(requests_[to], to, scope(), r, reply_bytes);
  }
  /// From a handler: answers the core that issued the record, counted by the completion that counts the record.
  template <class Record>
  void reply_counted(const dispatch& d, const Record& r) {
    if (is_local(d.source)) [[likely]]
      return write(replies_[d.source], d.source, d.scope, r, 0);
    ++answered_;  // across processes an answer takes over what its question counted
    write(replies_[d.source], d.source, remote_scope_, r, 0);
  }
  /// The same with room for one record of `bytes` (a multiple of 8), to be filled at once.
  template <class Record>
  std::byte* reply_room_counted(const dispatch& d, std::size_t bytes) {
    const bool local = is_local(d.source);
    if (!local) ++answered_;
    return room(replies_[d.source], d.source, local ? d.scope : remote_scope_, handler<Record>::entry.id,
                bytes, {});
  }
  /// From a handler: answers the core that issued the record. Never suspends.
  template <class Record>
  void reply(unsigned to, const Record& r) {
    write(replies_[to], to, nullptr, r, 0);
  }

  /// Room for one record of `bytes` (a multiple of 8), to be filled before the caller does anything else.
  /// Otherwise as issue().
  template <class Record>
  std::byte* issue_room(unsigned to, std::size_t bytes, needs n) {
    GOSSAMER_DEBUG_ASSERT(!in_handler_, k_handler_rule);
    return room(requests_[to], to, scope(), handler<Record>::entry.id, bytes, n);
  }
  /// From a fiber: a message in the lane of replies, which nothing holds up. Suspends while this core's reply
  /// packets are out.
  template <class Record>
  void answer(unsigned to, const Record& r) {
    wait_for_reply_room(to, sizeof(Record) + k_reply_overhead);
    write(replies_[to], to, nullptr, r, 0);
  }

  /// This core's two-sided messages; made when first used.
  mailbox& mail() {
    if (mail_ == nullptr) [[unlikely]]
      make_mailbox();
    return *mail_;
  }
  /// The mailbox has more room for `source`, or for all: packets that wait for it are looked at by the next
  /// poll.
  void room_freed(unsigned source, bool for_all) {
    if (for_all) blocked_.common_room_freed();
    if (is_local(source)) {
      const unsigned endpoint_index = source - shared_.first;
      if (blocked_.has_local(endpoint_index)) deferred_.set(endpoint_index);
    } else if (blocked_.has_remote(source)) {
      deferred_.set(shared_.wire->endpoint_index());
    }
  }
  /// Two-sided messages in one packet, at most: a packetful of every core fits a mailbox.
  std::uint32_t most_matches() const { return most_matches_; }
  /// A large message to another process was granted: its pieces leave from the next poll on.
  void push_soon() { to_push_ = true; }
  /// Bytes of one record at most, its run header not counted.
  std::size_t record_room() const { return record_room_; }
  std::size_t packet_room() const { return std::max(payload_bytes_, chunk_room()); }

  assembly_table& assemblies() { return assemblies_; }
  /// Shares of completions of other cores.
  share_table& shares() { return shares_; }
  /// Tells the home of a completion in another process that `n` have finished. From any code on this core.
  void report_later(const scope_id& parent, std::int64_t n, const std::exception_ptr& error);

  /// Payloads that other cores read where they are, and then free.
  payload_limit& payloads() { return payloads_; }

  /// What a suspended fiber waits for, as exactly as known; while the core sleeps or has stopped.
  std::string describe_wait(const fiber::fiber& f);
  /// "core 1 holds 2 messages that no fiber receives: ..."; empty where there are none.
  std::string describe_unmatched();

  /// Sends every open request packet. Suspends when lanes are full.
  void flush();
  /// What is open, and what the running handler answers, leaves at the next turn, whatever its age: many wait
  /// for it. Never suspends.
  void request_flush() { flush_requested_ = true; }

  bool in_handler() const { return in_handler_; }

 protected:
  bool poll() override;
  bool before_idle() override;
  void while_busy() override;
  void before_sleep() override;
  bool has_news() const override;
  const char* running_handler() const override;
  void not_joined(const fiber::fiber& f, std::exception_ptr what) noexcept override;

  process_context& shared_;

  /// For the wire: a packet has left, something has arrived.
  friend struct wire_host;

 private:
  static constexpr std::size_t k_largest_answer = 1024;  // a record that may not fit the rest of a packet
  static constexpr std::uint32_t k_reply_overhead = 24;  // run header and scope mark of a lone reply
  static constexpr std::size_t k_reply_packets = fabric::lane::k_slots;  // so a reply lane is never full

  enum class reason : std::uint8_t { full, idle, age, request };

  struct room_waiter {
    unsigned to;
    fiber::fiber* who;
  };

  struct report {
    scope_id parent;
    std::int64_t finished;
    unsigned error_core;  // where the exception is
    std::exception_ptr* error;
  };

  template <class Record>
  void write(send_buffer& o, unsigned to, completion* counted_by, const Record& r,
             std::uint32_t reply_bytes) {
    const std::uint16_t id = handler<Record>::entry.id;
    GOSSAMER_DEBUG_ASSERT(&o == &replies_[to] || !in_handler_, k_handler_rule);
    if (o.needs_run(id, counted_by) || (reply_bytes != 0 && o.reply_bytes + reply_bytes > most_reply_bytes_))
        [[unlikely]]
      open_run(o, to, counted_by, id, sizeof(Record), reply_bytes, 0);
    o.append(r);
    if (reply_bytes != 0) o.reply_bytes += reply_bytes;
  }

  std::byte* room(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t id, std::size_t bytes,
                  needs n) {
    const std::uint32_t reply_bytes = n.reply_bytes != 0 ? n.reply_bytes + k_reply_overhead : 0;
    if (o.needs_run(id, counted_by) || o.record_bytes != bytes ||
        (reply_bytes != 0 && o.reply_bytes + reply_bytes > most_reply_bytes_)) [[unlikely]]
      open_run(o, to, counted_by, id, bytes, reply_bytes, n.matches);
    std::byte* const at = o.append_room(bytes);
    o.reply_bytes += reply_bytes;
    o.matches += n.matches;
    return at;
  }
  void open_run(send_buffer& o, unsigned to, completion* counted_by, std::uint16_t id,
                std::size_t record_bytes, std::uint32_t reply_bytes, std::uint32_t matches);
  void close_run(send_buffer& o, unsigned to);
  bool open_packet(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes);
  bool open_chunk(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes);
  void begin_packet(send_buffer& o, fabric::packet& p, fabric::traffic kind, std::size_t room);
  void retire_chunk(send_buffer& o, unsigned to);
  void flush_wire_buffer(unsigned neighbour, fabric::traffic kind, reason why);
  void flush_wire_buffers(fabric::traffic kind, reason why);
  void count_packet(std::size_t bytes, std::size_t room, reason why);
  void send_reports();
  bool try_flush(send_buffer& o, unsigned to, reason why);
  void try_flush_all(reason why);
  void flush_replies(reason why);
  void wait_for_packet(unsigned to);
  void wait_for_room(unsigned to);
  void wait_for_reply_room(unsigned to, std::size_t bytes);
  bool wake_waiters();
  bool may_leave() const;
  bool push_granted();

  bool receive();
  bool receive_from(unsigned endpoint_index);
  bool receive_blocked();
  void wait_for_mail_room(unsigned source, const fabric::packet& p);
  bool receive_from_wire();
  bool take_wire_requests();
  bool can_answer(unsigned to, std::uint32_t bytes);
  void run_packet(fabric::packet& p);
  void run_handler(const run_header& h, std::byte* records, unsigned source, completion* counted_by);
  void run_payload(std::byte* at, std::byte* end, unsigned source);
  void run_remote_requests(std::byte* at, std::byte* end, unsigned source);
  enum class returning : std::uint8_t { wanted, all };
  void return_packet(unsigned owner, fabric::packet& p);
  void return_packets(returning which);
  void give_back(unsigned owner, fabric::traffic kind, fabric::packet_batch& batch);
  bool spin_for_room(unsigned to);
  void make_mailbox();

  /// A core of this process.
  fabric::lane& lane_to(unsigned core) const {
    return shared_.lanes.between(id() - shared_.first, core - shared_.first, fabric::traffic::request);
  }
  fiber::wait_queue& wire_waiters(fabric::traffic kind) {
    return wire_waiters_[static_cast<std::size_t>(kind)];
  }
  bool anybody_waits_for_wire() const { return !wire_waiters_[0].empty() || !wire_waiters_[1].empty(); }
  bool wire_pool_returned() const {
    return (anybody_waits_for_wire() || !reports_.empty() || to_push_) &&
           (wire_pools_[0]->any_returned() || wire_pools_[1]->any_returned());
  }
  bool is_reply(const send_buffer& o, unsigned to) const { return &o == &replies_[to]; }
  /// Whether what is written there adds to its scope: answers to another process do not.
  bool counts(const send_buffer& o, unsigned to) const { return is_local(to) || !is_reply(o, to); }
  /// The neighbour that takes packets for a core of another process.
  unsigned neighbour_to(unsigned core) const { return shared_.wire->routing().next(process_of(core)); }
  /// Payload of the largest chunk of a wire packet; 0: one process.
  std::size_t chunk_room() const {
    return shared_.wire != nullptr ? shared_.wire->format().room() - fabric::packet::k_head_bytes : 0;
  }
  std::size_t wire_answer_bytes() const;
  fabric::packet_pool& wire_pool(fabric::traffic kind) {
    return *wire_pools_[static_cast<std::size_t>(kind)];
  }
  bit_set& local_open(fabric::traffic kind) { return local_open_[static_cast<std::size_t>(kind)]; }

  static constexpr const char* k_handler_rule =
      "a handler may not issue requests (it cannot wait for room): spawn a task that does";

  machine::zeroed_array<send_buffer> requests_, replies_;  // by destination core
  fabric::packet_pool request_pool_, reply_pool_;
  std::size_t payload_bytes_;  // of a packet, whole words
  std::size_t record_room_;
  const bool aggregate_;
  std::uint32_t most_reply_bytes_;  // that one request packet may ask for
  const std::uint32_t most_matches_;
  std::uint16_t handler_ = 0;  // of the run that was begun last
  bool in_handler_ = false;
  bool flush_requested_ = false;
  unsigned open_requests_ = 0, open_replies_ = 0;  // packets with something in them
  bit_set local_open_[fabric::k_traffic_classes];  // to which cores of this process, by endpoint index
  std::uint64_t opened_at_ = 0;  // ticks when the first of them was opened
  std::uint64_t flush_delay_ticks_;
  std::uint64_t shares_reported_at_ = 0;
  fiber::wait_queue packet_waiters_;
  std::vector<room_waiter> room_waiters_;  // bounded by the number of fibers
  fiber::wait_queue reply_waiters_;
  bit_set deferred_;  // sources whose requests wait for reply room, or that are to be looked at again
  blocked_sources blocked_;  // whose requests wait for room in the mailbox
  packet_returns returns_;  // emptied packets of other cores
  std::uint32_t polls_ = 0;
  const bool spin_;  // whether waiting for another core is worth a moment: it has a processor of its own
  std::size_t unexpected_messages_, unexpected_bytes_;
  std::unique_ptr<mailbox> mail_;
  share_table shares_{*this};
  assembly_table assemblies_;

  // Other processes.
  std::unique_ptr<fabric::packet_pool> wire_pools_[fabric::k_traffic_classes];
  wire_buffers wire_buffers_;  // open packets for neighbours
  std::deque<fabric::packet*> wire_requests_;  // taken from the lane, not run yet; bounded by credits
  bool to_push_ = false;  // a large message was granted
  bool pushed_ = false;  // while fibers waited for packets, too: theirs is the next one
  std::vector<report> reports_;  // bounded by the number of shares
  fiber::wait_queue wire_waiters_[fabric::k_traffic_classes];  // by the kind of packet that they need
  completion* remote_scope_ = nullptr;  // of the records of another process that run now, as it names it
  std::int64_t answered_ = 0;  // of those, by answers that they are counted by

  payload_limit payloads_;  // last: other cores write a line of it
};

}  // namespace gossamer::message
