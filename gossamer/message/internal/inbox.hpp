#pragma once
// What a core receives. Takes packets out of the lanes that lead to this core, and passes those of each
// source in order to its host, which runs them. Returns emptied packets to their owners.
//
// Never suspends and knows no handlers. Replies are always taken. A request packet is taken only if there are
// buffers for its answers, and space for its two-sided messages in the mailbox; otherwise it stays in its
// lane:
//
//   in the lane  --no buffers for answers-->  source deferred  --next receive()-->               retried
//                --no space in the mailbox->  source blocked   --room_freed(), next receive()--> retried
//
// Packets of a neighbour on the node arrive in lanes, too. Where there are many lanes, bits mark those with
// arrivals, and lanes that are not empty yet are noted here. Packets of other processes arrive in the lane of
// the wire. Requests are taken out of that lane at once and wait here, so that a source whose messages must
// wait delays only itself.
//
// A poll is bounded: it takes at most so many packets of a source, and ends soon after k_poll_us. The next
// poll continues with the source behind. So a source that sends as fast as this core takes packets does not
// starve the fibers of this core or other sources. One core.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "gossamer/base/bit_set.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/message/internal/blocked_sources.hpp"
#include "gossamer/message/internal/packet_host.hpp"
#include "gossamer/message/internal/packet_returns.hpp"
#include "gossamer/message/internal/unexpected.hpp"
#include "gossamer/message/process_context.hpp"

namespace gossamer::message {

class inbox {
 public:
  static constexpr std::uint64_t k_poll_us = 50;

  /// Cores are named by their numbers in the job.
  class host : public packet_host {
   public:
    /// Returns whether there are buffers for answers of so many bytes to `source`. If not, makes sure that
    /// some become free.
    virtual bool can_answer(unsigned source, std::uint32_t bytes) = 0;
    /// Returns the shared space of the mailbox for which the two-sided messages of a packet must wait; zero
    /// if there is space.
    virtual std::optional<copy_room> missing_room(const fabric::packet& p) = 0;
    /// Returns the free shared space of the mailbox.
    virtual copy_room common_room() = 0;
    /// Returns a packet pool of a core of this process.
    virtual fabric::packet_pool& pool_of(unsigned core, fabric::traffic kind) = 0;
    /// Notes that a packet of a neighbour's lane is about to be run. Called before the packet counts as
    /// received.
    virtual void node_packet() = 0;
    /// Takes back a packet of another process whose records have been run.
    virtual void release_chunk(fabric::packet& chunk) = 0;

   protected:
    ~host() = default;
  };

  /// `id`: the core's number in the job. Each core's pools have so many packets for requests and replies. A
  /// poll of one kind of lanes lasts up to `poll_us`, and as long as the packet that is run then.
  inbox(unsigned id, process_context& shared, host& h, std::size_t requests, std::size_t replies,
        std::uint64_t poll_us = k_poll_us);

  /// Takes the packets that may be taken now, in one bounded poll. Returns whether there were any.
  bool receive();
  /// Notes that the mailbox has more space for `source`, or for all. The next receive() retries the sources
  /// that wait for it.
  void room_freed(unsigned source, bool for_all);
  /// Returns whether the next receive() retries a source, even if nothing arrives.
  bool has_deferred() const { return node_deferred_ || !deferred_.empty(); }
  /// Returns whether something has arrived from a source that is not blocked; seq_cst, for a core before it
  /// sleeps.
  bool any_arrival() const {
    return shared_.lanes.any_arrival(id_ - shared_.first, blocked_.local_words()) ||
           (shared_.node != nullptr && any_node_arrival());
  }

  /// Returns the packets that their owners have requested; at every eighth call.
  void return_wanted() {
    if (!returns_.empty() && ++calls_ % 8 == 0) give_back(false);
  }
  /// Returns all emptied packets.
  void return_all() {
    if (!returns_.empty()) give_back(true);
  }

 private:
  /// Counts what one poll has taken. Reads the clock before the first large packet and after the first small
  /// one, then after few of those that follow. So one small packet, as in a ping-pong, reads no clock.
  class poll_budget {
   public:
    explicit poll_budget(std::uint64_t most_us) : most_us_(most_us) {}
    void begin() {
      taken_ = 0;
      began_ = 0;
    }
    /// Runs a packet by run(). Returns true if the poll has lasted long and must end.
    template <class Run>
    bool take(const fabric::packet& p, Run run) {
      constexpr std::uint32_t k_large_bytes = 8192;  // running them takes much longer than reading the clock
      const bool large = p.bytes >= k_large_bytes;
      if (large && began_ == 0) start();
      run();
      ++taken_;
      if (large || taken_ <= 4 || taken_ % 8 == 0) return is_spent();
      return false;
    }

   private:
    void start();
    bool is_spent();

    const std::uint64_t most_us_;
    unsigned taken_ = 0;
    std::uint64_t began_ = 0;  // ticks; 0: not yet
  };

  void begin_poll() {
    budget_.begin();
    over_ = false;
  }
  bool receive_local();
  bool receive_from_blocked();
  void go_on_behind(std::size_t word, std::uint64_t left);
  bool receive_from(unsigned endpoint_index);
  template <class Lane>
  bool take_requests(Lane& requests, unsigned endpoint_index);
  bool receive_from_node();
  bool receive_from_place(unsigned place);
  bool take_node_requests(fabric::node_lane_reader& lane);
  bool any_node_arrival() const;
  bool any_from_place(unsigned place) const;
  bool receive_from_wire();
  bool take_wire_requests();
  template <class Lane, class Run>
  bool take_replies(Lane& replies, unsigned endpoint_index, Run run);
  bool has_answer_room(const fabric::packet& p) {
    return p.reply_bytes == 0 || host_.can_answer(p.source, p.reply_bytes);
  }
  void return_packet(unsigned owner, fabric::packet& p);
  void give_back(bool all);
  void give_batch(unsigned owner, fabric::traffic kind, fabric::packet_batch& batch);

  const unsigned id_;
  process_context& shared_;
  host& host_;
  bit_set deferred_;  // sources, by endpoint index, that the next receive() retries, even if nothing arrives
  blocked_sources blocked_;  // sources whose requests wait for space in the mailbox
  poll_budget budget_;
  bool over_ = false;  // budget_ is spent: the rest waits for the next poll
  unsigned first_ = 0;  // the endpoint index that receive() polls first
  bool node_deferred_ = false;  // a request in a neighbour's lane waits for buffers for its answers
  unsigned node_first_ = 0;  // the place that is polled first: sources share the mailbox round-robin
  bit_set node_left_;  // many neighbours: places whose lanes were not empty at the last poll
  packet_returns returns_;  // emptied packets of other cores
  std::uint32_t calls_ = 0;  // calls of return_wanted()
  std::deque<fabric::packet*> wire_requests_;  // taken from the lane, not run yet; bounded by credits
};

}  // namespace gossamer::message
