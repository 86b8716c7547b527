#pragma once
// What a core sends: the open packet for each destination, the pools of packets, and the reasons to flush.
//
// Never suspends and knows no fibers: it returns that there is no packet or no free slot in a lane, and the
// endpoint waits. Records for cores of this process go into packets for their lanes. Records for cores of a
// neighbour on the node go into packets that lie in the lane (fabric/node_lane.hpp). Records for cores of
// other processes go into chunks of the open wire packet for the next hop (outbox_wire.cpp). Packets for the
// own core are run when they leave.
//
// Counting. An open run counts as one outstanding unit of its scope; closing it adds the other count-1. So
// issuing a record counts nothing, and a task may end while its records still lie in the outbox.
//
// Reasons to flush: full; idle (no ready fiber); age (flush_delay); request (a fiber waits). One core.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/base/bit_set.hpp"
#include "gossamer/base/counters.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/fabric/routes.hpp"
#include "gossamer/fabric/wire.hpp"
#include "gossamer/machine/zeroed_array.hpp"
#include "gossamer/message/internal/packet_host.hpp"
#include "gossamer/message/internal/send_buffer.hpp"
#include "gossamer/message/internal/wire_buffers.hpp"
#include "gossamer/message/process_context.hpp"

namespace gossamer::message {

struct outbox_options {
  std::size_t packet_bytes = 8 << 10;  // with the head line
  std::size_t request_packets = 512;  // minimum; grows with the number of cores
  std::uint64_t flush_delay_ns = 200'000;
  bool aggregate = true;  // false: a packet holds one record
  std::size_t most_matches = 65535;  // two-sided messages of one source that a mailbox keeps

  // For other processes.
  const fabric::wire_format* format = nullptr;  // null: there are none
  const fabric::routes* routing = nullptr;
  std::size_t wire_packets = 0;  // of each kind
};

class outbox {
 public:
  static constexpr std::size_t k_largest_answer = 1024;  // larger than the rest of a packet may be
  static constexpr std::uint32_t k_reply_overhead = k_most_run_heads;  // overhead of a single reply
  static constexpr std::size_t k_reply_packets = fabric::lane::k_slots;  // so a reply lane is never full

  enum class reason : std::uint8_t { full, idle, age, request };

  /// The result of an attempt to open a run.
  enum class status : std::uint8_t {
    opened,  // the caller writes the record
    packet_left,  // the packet was full, and has left or will leave soon: try again
    no_packet,  // all packets of the pool are in use
    lane_full,  // the lane is full; so was the packet, or there is none
  };

  /// The first record of a run.
  struct first_record {
    completion* scope;  // counts it
    std::uint16_t handler;
    std::size_t bytes;
    std::uint32_t reply_bytes;  // buffer space that its answer requires
    std::uint32_t matches;  // number of two-sided messages in it
  };

  /// `id`: the core's number in the job. Counts sent packets in `count`.
  outbox(unsigned id, const outbox_options& options, process_context& shared, packet_host& host,
         counters& count);

  /// Returns the number of cores of the job.
  unsigned cores() const { return static_cast<unsigned>(requests_.size()); }
  send_buffer& requests(unsigned to) const { return requests_[to]; }
  send_buffer& replies(unsigned to) const { return replies_[to]; }
  bool is_reply(const send_buffer& o, unsigned to) const { return &o == &replies_[to]; }
  /// Returns whether the records of a packet would require larger answers than one packet may.
  bool exceeds_answers(const send_buffer& o, std::uint32_t reply_bytes) const {
    return reply_bytes != 0 && o.reply_bytes + reply_bytes > most_reply_bytes_;
  }

  /// Opens a run for a record and those that follow, in the open packet or in a new one. Flushes a full
  /// packet.
  [[nodiscard]] status open_run(send_buffer& o, unsigned to, const first_record& r);

  /// Returns the place of one request of `bytes` to a core of a neighbour on the node, in a packet of its
  /// own. Returns null if a packet is open for that core, the record is large, or the lane is full. The
  /// caller writes it and calls push_alone().
  std::byte* open_alone(unsigned to, std::uint16_t handler, std::size_t bytes);
  void push_alone(unsigned to, std::size_t bytes, fabric::traffic kind = fabric::traffic::request);
  /// Does the same for a chunk of a large message, of at most block_room() bytes. It goes among the replies
  /// to that core, behind the open packet. After takes_block().
  std::byte* open_block(unsigned to, std::uint16_t handler, std::size_t bytes);

  /// Sends the open packet, if there is one. Returns false if it stays because its lane is full.
  [[nodiscard]] bool try_flush(send_buffer& o, unsigned to, reason why);
  /// Sends all open packets, except those whose lanes are full.
  void flush_all(reason why);
  /// Sends the open packet for a lane of each kind if it is the only one and small. Otherwise packets stay
  /// open for more records.
  void flush_small(reason why);
  /// Sends open packets of more than a line or two to cores of this process that have taken all earlier
  /// packets of the kind.
  void flush_to_idle();
  /// Sends all open packets of replies.
  void flush_replies(reason why);
  /// Sends all open wire packets of a kind, the oldest first.
  void flush_wire(fabric::traffic kind, reason why);
  /// Sends all open packets if the oldest has been open for longer than flush_delay, or if `requested`.
  void flush_aged(bool requested);

  bool any_open() const { return open_requests_ + open_replies_ != 0; }
  bool any_open_request() const { return open_requests_ != 0; }
  bool any_open_reply() const { return open_replies_ != 0; }
  /// Returns the first endpoint index, from `index` on, for whose lane a request packet is open. Returns
  /// process_context::endpoint_indices() or more if there is none.
  unsigned next_open_request(unsigned index) const {
    return open_requests_ == 0 ? shared_.endpoint_indices() : lane_open(fabric::traffic::request).next(index);
  }
  /// Returns whether an open request packet could leave now.
  bool may_leave() const;
  /// Returns whether the lane of requests to a core has a free slot. To a core of this process, or of a
  /// neighbour on the node.
  bool lane_has_room(unsigned core) const {
    const unsigned mine = id_ - shared_.first;
    if (!shared_.is_local(core)) return node_lane(core, fabric::traffic::request).has_room();
    return shared_.lanes.with_requests(mine, core - shared_.first,
                                       [](const auto& lane) { return lane.has_room(); });
  }

  /// Returns whether open_block() to a core of a neighbour on the node would succeed; block_room() returns
  /// the most bytes of its record.
  bool takes_block(unsigned to) const {
    return node_lane(to, fabric::traffic::reply).has_block_room(replies_[to].open != nullptr);
  }
  std::size_t block_room(unsigned to) const {
    return node_lane(to, fabric::traffic::reply).block_bytes() - fabric::packet::k_head_bytes -
           sizeof(run_header);
  }
  /// Returns whether a chunk of a large message may take a wire packet: half of them are reserved for
  /// answers.
  bool takes_wire_chunk() const {
    const fabric::packet_pool& replies = wire_pool(fabric::traffic::reply);
    return replies.available() > replies.capacity() / 2;
  }
  /// Calls f(lane, core, kind) for each lane to a core of a neighbour on the node.
  template <class F>
  void each_node_lane(F f) const {
    for (unsigned place = 0; place < shared_.node->others(); ++place)
      for (const fabric::traffic kind : {fabric::traffic::request, fabric::traffic::reply})
        f(shared_.node->to(id_ - shared_.first, place, kind), shared_.node->core(place), kind);
  }
  /// Returns whether there are buffers for answers of so many bytes to a core. Flushes replies if there are
  /// not.
  bool can_answer(unsigned to, std::uint32_t bytes);
  /// Returns what can_answer() would return, and flushes nothing.
  bool answer_fits(unsigned to, std::uint32_t bytes) const;
  /// Returns whether there is space for a report, a reply of few bytes, to a core of another process.
  bool can_report(unsigned to) const;

  fabric::packet_pool& pool(fabric::traffic kind) {
    return kind == fabric::traffic::reply ? reply_pool_ : request_pool_;
  }
  const fabric::packet_pool& pool(fabric::traffic kind) const {
    return kind == fabric::traffic::reply ? reply_pool_ : request_pool_;
  }
  /// Returns the pool of wire packets. Only if there are other processes.
  fabric::packet_pool& wire_pool(fabric::traffic kind) const {
    return *wire_pools_[static_cast<std::size_t>(kind)];
  }

  /// Returns the most bytes of one record, without the header of its run.
  std::size_t record_room() const { return record_room_; }
  std::size_t packet_room() const { return std::max(payload_bytes_, chunk_room()); }
  /// Returns the most two-sided messages of one packet.
  std::uint32_t most_matches() const { return most_matches_; }
  std::uint64_t flush_delay_ticks() const { return flush_delay_ticks_; }

 private:
  void close_run(send_buffer& o, unsigned to);
  bool open_packet(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes);
  void begin_packet(send_buffer& o, fabric::packet& p, fabric::traffic kind, std::size_t room);
  bool promote(send_buffer& o, unsigned to);
  void end_packet(send_buffer& o, fabric::traffic kind);
  bool push_packet(send_buffer& o, unsigned to, reason why);
  std::byte* begin_alone(fabric::packet& p, unsigned to, fabric::traffic kind, std::uint16_t handler,
                         std::size_t bytes) const;
  std::size_t packet_answer_bytes() const;
  std::size_t answer_room(unsigned to) const;
  void count_packet(std::size_t bytes, std::size_t room, reason why);
  template <class Send>
  void each_open(fabric::traffic kind, Send send);

  bool open_chunk(send_buffer& o, unsigned to, fabric::traffic kind, std::size_t bytes);
  void retire_chunk(send_buffer& o, unsigned to);
  void flush_wire_packet(unsigned neighbour, fabric::traffic kind, reason why);
  std::size_t wire_answer_bytes() const;
  /// Returns the payload of the largest chunk of a wire packet; 0 in one process.
  std::size_t chunk_room() const {
    return format_ != nullptr ? format_->room() - fabric::packet::k_head_bytes : 0;
  }
  /// Returns the next hop of packets for a core of another process.
  unsigned neighbour_to(unsigned core) const { return routing_->next(shared_.process_of(core)); }

  /// Returns the lane to a core of a neighbour on the node.
  fabric::node_lane_writer& node_lane(unsigned to, fabric::traffic kind) const {
    return shared_.node->to(id_ - shared_.first, shared_.node->place(to), kind);
  }

  fabric::traffic kind_of(const send_buffer& o, unsigned to) const {
    return is_reply(o, to) ? fabric::traffic::reply : fabric::traffic::request;
  }
  send_buffer& buffer(fabric::traffic kind, unsigned to) const {
    return (kind == fabric::traffic::reply ? replies_ : requests_)[to];
  }
  /// Returns whether records written there are counted by their scope: answers to another process are not.
  bool counts(const send_buffer& o, unsigned to) const { return !is_reply(o, to) || shared_.is_local(to); }
  unsigned& open_packets(fabric::traffic kind) {
    return kind == fabric::traffic::reply ? open_replies_ : open_requests_;
  }
  bit_set& lane_open(fabric::traffic kind) { return lane_open_[static_cast<std::size_t>(kind)]; }
  const bit_set& lane_open(fabric::traffic kind) const { return lane_open_[static_cast<std::size_t>(kind)]; }

  machine::zeroed_array<send_buffer> requests_, replies_;  // by destination core
  std::uint32_t most_reply_bytes_;  // that one request packet may require
  unsigned open_requests_ = 0, open_replies_ = 0;  // packets that are not empty
  const unsigned id_;
  const bool aggregate_;
  process_context& shared_;
  packet_host& host_;
  counters& counters_;
  const fabric::wire_format* const format_;  // null: no other processes
  const fabric::routes* const routing_;
  fabric::packet_pool request_pool_, reply_pool_;
  const std::size_t payload_bytes_;  // of a packet, in whole words
  const std::size_t record_room_;
  const std::uint32_t most_matches_;
  bit_set lane_open_[fabric::k_traffic_classes];  // lanes that a packet is open for, by endpoint index
  std::uint64_t opened_at_ = 0;  // ticks when flush_aged() first found one of them open; 0: not yet
  const std::uint64_t flush_delay_ticks_;
  std::unique_ptr<fabric::packet_pool> wire_pools_[fabric::k_traffic_classes];
  wire_buffers wire_buffers_;  // open packets for the next hops
};

}  // namespace gossamer::message
