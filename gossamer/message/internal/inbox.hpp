#pragma once
// What a core receives. Takes packets out of the lanes that lead to it, and hands those of each source in their
// order to its host, which runs them. Gives emptied packets back to their owners.
//
// Never suspends and knows no handlers. Replies are always taken. A request packet is taken only where there is room
// for its answers, and for its two-sided messages in the mailbox; otherwise it stays in its lane:
//
//   in the lane  --no room for answers-->   source deferred  --next receive()-->       looked at again
//                --no room in the mailbox-> source blocked   --room_freed(), receive()-> looked at again
//
// Packets of a neighbour on the node come by lanes, too. Where they are many, bits say where something has come, and what is left
// there is noted here. Packets of other processes come through the lane of the wire. Its requests are taken out of the lane at once and
// wait here, so that a source whose messages must wait holds up itself only.
//
// A look is bounded: it takes so many packets of a source at most, and ends soon after k_look_us. The next one goes on with the source
// behind. So a source that sends as fast as this core takes holds up neither the fibers of this core nor other sources. One core.

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
  static constexpr std::uint64_t k_look_us = 50;

  /// Cores are named by their numbers in the job.
  class host : public packet_host {
   public:
    /// Returns whether there is room for answers of so many bytes to `source`. Where there is not, sees to it that
    /// some comes.
    virtual bool can_answer(unsigned source, std::uint32_t bytes) = 0;
    /// Returns what the two-sided messages of a packet need of the mailbox's common room where they must wait for
    /// it; nothing where there is room for them.
    virtual std::optional<copy_room> missing_room(const fabric::packet& p) = 0;
    /// Returns the mailbox's common room.
    virtual copy_room common_room() = 0;
    /// Returns a pool of a core of this process.
    virtual fabric::packet_pool& pool_of(unsigned core, fabric::traffic kind) = 0;
    /// Notes, before it counts as received, that a packet of a neighbour's lane is about to be run.
    virtual void node_packet() = 0;
    /// Takes a packet of another process that has been run.
    virtual void release_chunk(fabric::packet& chunk) = 0;

   protected:
    ~host() = default;
  };

  /// `id`: the core's number in the job. Each core's pools have so many packets for requests and replies. A look at one kind of lanes takes
  /// up to `look_us`, and the packet that is run then.
  inbox(unsigned id, process_context& shared, host& h, std::size_t requests, std::size_t replies,
        std::uint64_t look_us = k_look_us);

  /// Takes what may be taken now, and in one look. Returns whether there was any.
  bool receive();
  /// Notes that the mailbox has more room for `source`, or for all. receive() looks again at those that wait for it.
  void room_freed(unsigned source, bool for_all);
  /// Returns whether the next receive() looks at a source again, whatever arrives.
  bool has_deferred() const { return node_deferred_ || !deferred_.empty(); }
  /// Returns whether something has arrived from a source that is not blocked; seq_cst, for a core before it sleeps.
  bool any_arrival() const {
    return shared_.lanes.any_arrival(id_ - shared_.first, blocked_.local_words()) ||
           (shared_.node != nullptr && any_node_arrival());
  }

  /// Gives back, at every eighth call, the packets that their owners want.
  void return_wanted() {
    if (!returns_.empty() && ++calls_ % 8 == 0) give_back(false);
  }
  /// Gives back all emptied packets.
  void return_all() {
    if (!returns_.empty()) give_back(true);
  }

 private:
  /// How much one look has taken. Asks the clock before the first large packet and behind the first small one, and then for few of those
  /// that follow: one small packet alone, a message there and back, takes no look at the clock.
  class look {
   public:
    explicit look(std::uint64_t most_us) : most_us_(most_us) {}
    void begin() {
      taken_ = 0;
      began_ = 0;
    }
    /// Runs a packet by run(). Returns whether it was the last one: the look has lasted long.
    template <class Run>
    bool take(const fabric::packet& p, Run run) {
      constexpr std::uint32_t k_large_bytes = 8192;  // its records take much longer than the clock
      const bool large = p.bytes >= k_large_bytes;
      if (large && began_ == 0) start();
      run();
      ++taken_;
      if (large || taken_ <= 4 || taken_ % 8 == 0) return lasts();
      return false;
    }

   private:
    void start();
    bool lasts();

    const std::uint64_t most_us_;
    unsigned taken_ = 0;
    std::uint64_t began_ = 0;  // ticks; 0: not yet
  };

  void begin_look() {
    look_.begin();
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
  bit_set deferred_;  // sources, by endpoint index, that receive() looks at next, whatever arrives
  blocked_sources blocked_;  // whose requests wait for room in the mailbox
  look look_;
  bool over_ = false;  // look_ is: what is left waits for the next one
  unsigned first_ = 0;  // the endpoint index that receive() looks at first
  bool node_deferred_ = false;  // a request of a neighbour's lane waits for room for its answers
  unsigned node_first_ = 0;  // the place that is looked at first: common room comes to all in turn
  bit_set node_left_;  // many neighbours: places whose lanes were not empty when they were looked into last
  packet_returns returns_;  // emptied packets of other cores
  std::uint32_t calls_ = 0;  // of return_wanted()
  std::deque<fabric::packet*> wire_requests_;  // taken from the lane, not run yet; bounded by credits
};

}  // namespace gossamer::message
