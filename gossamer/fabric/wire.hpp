#pragma once
// The traffic between the processes of a job. The cores of a process share one wire to all other processes.
// The core that polls moves it, under a lock that is only ever tried. The unit is a wire packet: chunks side
// by side, each a packet for one core, as dense as packets in a lane. So a core aggregates records for a
// whole neighbour process. The receiver passes the chunks to the lanes of its cores without a copy, and
// reuses a receive buffer once all of its chunks have been released.
//
//   core   --lane to the wire-->  queue of a neighbour  --credit, send slot-->  transport
//   transport  --receive buffer-->  chunks  --lane from the wire-->  cores  --release()-->  receive buffer
//                                   chunks for another process  --copy-->  forwarded packet  --> its queue
//
// Routes (routes.hpp). With direct routes, every packet makes its last hop. Over a grid, packets of cores
// make their first hop. A chunk for another process is copied into a packet to that process, which makes its
// last hop. A forwarded packet leaves when it is full, or when nothing is queued before it and nothing more
// has arrived.
//
// Bounds. A core has few wire packets, so its lanes to the wire never fill, and queues are short. A packet
// needs a credit of the neighbour for its kind and hop. The neighbour returns the credit when the buffer is
// free again (with the next packet of any kind, or alone once half of the credits are owed). Only replies on
// their last hop need no credit: a process that takes a request has buffers for its replies, and always takes
// them. So these always drain. Therefore first hops of replies drain, which have buffers of their own;
// requests on their last hop wait only for buffers for replies, and their first hops only for their last
// hops: no cycle can form. There is a buffer for each credit, and some for packets without one. The transport
// has a bounded number of packets in flight to each neighbour, so that a slow neighbour leaves send slots for
// the others. Replies fill all buffers of a process whose cores compute. Until a core polls again nothing
// arrives, heartbeats neither, so heartbeat() counts none as missed.
//
//   field                      writes               reads                protected by
//   queues, slots, credits     poller, heartbeat()       poller, heartbeat()       lock_
//   lanes to and from          core; poller         poller; core         the lane (its wire side by lock_)
//   refs of a buffer           releasing cores      releasing cores      acq_rel: the last one has seen all
//   returned_                  releasing cores      poller               returned_lock_
//   notes_                     any thread           poller               notes_lock_
//   sent_, received_, queued_  poller               any thread           seq_cst, with the lanes: a packet is
//                                                                        always in one of them (world.hpp)

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/fabric/bulk_mover.hpp"
#include "gossamer/fabric/internal/packet.hpp"
#include "gossamer/fabric/mesh.hpp"
#include "gossamer/fabric/routes.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

/// The division of a wire packet into chunks. Chunks for a core start small if many cores share the packet,
/// and each is twice as large as the one before. So traffic to many cores fills packets, and so does much
/// traffic to few cores.
struct wire_format {
  static constexpr std::size_t k_head_bytes = k_line_bytes;
  static constexpr std::size_t k_least_chunk_bytes = 256;

  wire_format() = default;
  /// `cores`: number of cores that one packet may have chunks for.
  wire_format(std::size_t packet_bytes, unsigned cores);

  static std::size_t rounded(std::size_t packet_bytes);

  std::size_t packet_bytes = 0;  // a power of two
  std::size_t first_chunk = 0,
              largest_chunk = 0;  // heads included; larger only for a record that does not fit

  std::size_t room() const { return packet_bytes - k_head_bytes; }  // for chunks
  static packet& chunk(packet& p, std::size_t at) {
    return *reinterpret_cast<packet*>(reinterpret_cast<std::byte*>(&p) + k_head_bytes + at);
  }
  static std::size_t bytes_of(const packet& chunk) {
    return round_up(packet::k_head_bytes + std::size_t{chunk.bytes}, k_line_bytes);
  }
};

/// The options of a job's wire.
struct wire_options {
  std::size_t packet_bytes = 64 << 10;
  std::size_t packets = 0;  // of each core and kind; 0: depends on the number of neighbours
  routing how = routing::automatic;
  bool joins = true;  // queued packets to one neighbour are merged

  static constexpr std::size_t k_least_packets = 4,
                               k_most_packets = lane::k_slots;  // so that lanes never fill
  std::size_t packets_of_core(const routes& r) const;
};

/// The most memory of wire packets in one process, in bytes.
struct wire_memory {
  std::size_t leaving = 0;  // the cores' packets
  std::size_t arriving = 0;  // buffers to receive into
  std::size_t forwarding = 0;  // packets of other processes on their way

  wire_memory(const wire_options& o, const routes& r, unsigned cores);
  std::size_t total() const { return leaving + arriving + forwarding; }
};

class wire {
 public:
  /// The cores of this process; called while polling.
  class host {
   public:
    virtual ~host() = default;
    /// Notes that a packet lies in a lane of this core.
    virtual void arrived(unsigned core) = 0;
    /// Returns a packet that has left to its owner.
    virtual void left(packet& p) = 0;
    virtual void note(unsigned from, std::span<const std::byte> text) = 0;
    /// Notes that moves of this core are over (bulk()).
    virtual void bulk_over(unsigned core) = 0;
  };

  /// `lanes` has an endpoint index for every core of this process and one more, the wire's.
  /// `job`: the same number in all processes, and another one for each job of a process.
  wire(transport& t, mesh& lanes, host& h, const wire_options& o, std::uint32_t job);
  ~wire();
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  const wire_format& format() const { return format_; }
  const routes& routing() const { return routes_; }
  std::size_t packets_of_core() const { return options_.packets_of_core(routes_); }
  /// Returns the memory of this job; memory_direct() returns that of the same job with direct routes.
  wire_memory memory() const { return {options_, routes_, cores_}; }
  wire_memory memory_direct() const { return {options_, {processes_, rank_, routing::direct}, cores_}; }
  unsigned processes() const { return processes_; }
  unsigned endpoint_index() const { return cores_; }

  /// Moves packets in and out. Any core. Returns whether anything moved.
  bool poll();
  /// Releases a chunk that arrived here and has been used. Any core.
  void release(packet& chunk);
  /// Sends a heartbeat to the next process. Any thread, one at a time, at intervals. Returns how many
  /// consecutive calls have found that nothing arrived from the previous process, watched(), though it could.
  unsigned heartbeat();
  unsigned watched() const { return (rank_ + processes_ - 1) % processes_; }

  /// Returns the bulk mover, for bytes that no packet holds. poll() drives it.
  bulk_mover& bulk() { return bulk_; }
  const bulk_mover& bulk() const { return bulk_; }

  /// Sends a short message to another process, for its host; truncated to most_note_bytes(). Any thread.
  void send_note(unsigned to, std::span<const std::byte> text);
  std::size_t most_note_bytes() const { return std::min(k_note_bytes, format_.room()); }

  /// Closes the wire after all cores have stopped. Drops requests and replies that have not left, because no
  /// fiber waits for them. Notes still leave.
  void close();

  /// Returns how many packets and credit notes have been sent, plus the expected ends of moves; received()
  /// returns how many have been received, plus the ends that have arrived. For the search for a stall. Any
  /// thread.
  std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed) + bulk_.expected(); }
  std::uint64_t received() const { return received_.load(std::memory_order_relaxed) + bulk_.ended(); }
  /// Returns how many packets of cores left inside other packets. Any thread.
  std::uint64_t joined() const { return joined_.load(std::memory_order_relaxed); }
  /// Returns whether a packet of this process could leave but has not been passed to the transport. A packet
  /// that waits for credits of a process that returns none does not count. Any thread.
  bool anything_queued() const;
  /// Makes the next poll() return all owed credits, however few, so that packets that wait for them elsewhere
  /// may leave. For the search for a stall. Any thread.
  void return_credits() { credits_asked_.store(true, std::memory_order_relaxed); }
  /// Describes what is queued and held, for reports of stalls. Any thread, while no core runs.
  std::string describe();

 private:
  static constexpr std::size_t k_note_bytes = 4 << 10;
  enum class hop : std::uint8_t { first, last };
  static constexpr unsigned k_credit_classes = 3;  // of credits
  static constexpr std::size_t k_no_credit_class = k_credit_classes;

  /// The rest of a wire packet's first line.
  struct head {
    std::uint32_t job;  // number of the job, among the jobs of these processes
    std::uint32_t number;  // sequence number of this packet between the two processes
    std::uint16_t credits[k_credit_classes];  // credits that the receiver may use again
    hop way;
    std::atomic<std::uint32_t> refs;  // receiver: chunks in use
    packet* next;  // sender: the next packet in its queue
  };
  static_assert(packet::k_head_bytes + sizeof(head) <= wire_format::k_head_bytes);
  static head& head_of(packet& p) { return *reinterpret_cast<head*>(p.payload()); }
  static const head& head_of(const packet& p) { return *reinterpret_cast<const head*>(p.payload()); }
  static std::size_t credit_class_of(const packet& p);

  struct note {
    packet top;
    std::byte text[k_note_bytes];
  };
  struct under_way {
    packet* p = nullptr;
    unsigned to = 0;
    std::unique_ptr<note> owner;  // if the packet is a note
  };
  /// A queue of wire packets, linked by pointers in their heads: a process has four for every other process.
  struct queue {
    packet *first = nullptr, *last = nullptr;

    bool empty() const { return first == nullptr; }
    void push(packet& p);
    packet* take() { return std::exchange(first, head_of(*first).next); }
    std::size_t size() const;
  };
  /// Packets of one kind to a neighbour that hold chunks of other processes.
  struct forwarding {
    packet* open = nullptr;
    std::vector<packet*> free;
    std::vector<packet*> waiting;  // chunks in their receive buffers: there was no packet
  };
  struct peer {
    unsigned credits[k_credit_classes] = {};  // packets that the neighbour has buffers for
    unsigned owed[k_credit_classes] = {};  // free buffers whose credits are not returned yet
    std::uint32_t sent = 0, received = 0;
    bool busy = false;  // in busy_peers_
    std::uint16_t under_way = 0;  // packets and notes that the transport has not released yet
    std::uint32_t held_back = 0;  // its share of held_back_
    queue queued[2][k_traffic_classes];  // by hop
    forwarding* through = nullptr;  // of each kind, if it is a neighbour in a grid

    bool idle() const;
    queue& to_send(hop way, traffic kind) {
      return queued[static_cast<std::size_t>(way)][static_cast<std::size_t>(kind)];
    }
    std::span<forwarding> forwarders() const { return {through, through != nullptr ? k_traffic_classes : 0}; }
  };
  static_assert(sizeof(peer) <= 2 * k_line_bytes, "a process has one of every other process");

  peer& busy(unsigned process);
  bool take_from_cores();
  bool send_queued();
  bool send_queued(unsigned to);
  bool send_queued(unsigned to, hop way, traffic kind);
  static bool lacks_credit(const peer& p, const packet& next);
  static std::size_t held_back(const peer& p);
  void count_held_back(peer& p, std::size_t now);
  bool join(packet& p, const packet& behind);
  void let_go(packet& p, unsigned to);
  void start(unsigned to, packet& p, std::unique_ptr<note> owner);
  void start_note(unsigned to, std::unique_ptr<note> n);
  bool send_notes();
  bool finish_sends();
  bool poll_bulk();
  void end_bulk();
  void receive_lone_sends();
  bool take_arrivals();
  bool take_arrival(std::size_t place);
  packet* take_early(unsigned from);
  void deal(packet& p, unsigned from);
  void pass_on(packet& chunk);
  bool try_pass_on(peer& p, packet& chunk);
  bool pass_on_waiting();
  void queue_open(peer& p, traffic kind);
  void deliver(unsigned core, packet& chunk);
  bool deliver_waiting();
  void collect_returned();
  bool give_credits_back();
  std::size_t buffers_in_use() const;
  void receive_more();
  std::unique_ptr<note> make_note(std::span<const std::byte> text) const;
  packet& buffer(std::size_t i) const {
    return *reinterpret_cast<packet*>(buffers_ + i * format_.packet_bytes);
  }

  transport& transport_;
  mesh& lanes_;
  host& host_;
  bulk_mover bulk_;
  const unsigned processes_, rank_, cores_;
  const wire_options options_;
  const routes routes_;
  const wire_format format_;
  const std::uint32_t job_;
  const unsigned window_;  // credits of each neighbour, for each credit class
  const std::size_t most_under_way_;  // packets to one neighbour: a slow one leaves slots for the others

  std::mutex lock_;
  std::vector<peer> peers_;
  std::vector<forwarding> forwarders_;  // for neighbours in a grid
  std::vector<unsigned> busy_peers_;  // neighbours with something queued or held back
  std::deque<std::pair<unsigned, std::unique_ptr<note>>> leaving_notes_;  // with their destinations
  std::vector<under_way> sends_;  // by slot
  std::deque<unsigned> started_;  // slots, oldest first
  std::size_t next_polled_ = 0;  // in started_, for finish_sends()
  bool closed_ = false;
  std::vector<unsigned> free_slots_;
  std::size_t buffer_count_;
  machine::memory_region region_;
  std::byte* buffers_;
  std::vector<packet*> free_buffers_;
  struct posting {
    unsigned slot;
    packet* buffer;
  };
  std::deque<posting> posted_;  // oldest first
  std::vector<unsigned> free_receives_;  // slots
  std::vector<std::pair<unsigned, packet*>> early_;  // with its source: an earlier packet has not arrived yet
  std::size_t next_place_ = 1;  // in posted_, for take_arrivals()
  unsigned polls_ = 0;
  bool overtaken_ = false;  // a later buffer was filled before the oldest one
  bool stirred_ = false;  // something may leave that could not at the last send_queued()
  std::vector<std::deque<packet*>> waiting_[k_traffic_classes];  // by core: its lane was full
  std::size_t waiting_chunks_ = 0;
  machine::memory_region forwarding_region_;  // empty: direct routes
  std::size_t waiting_to_forward_ = 0;  // chunks
  std::uint32_t last_heard_ = 0;  // packets from watched() at the last heartbeat
  unsigned missed_heartbeats_ = 0;

  std::mutex returned_lock_;
  std::vector<packet*> returned_;
  std::atomic<bool> any_returned_{false};  // relaxed: a hint for poll()
  std::mutex notes_lock_;
  std::vector<std::pair<unsigned, std::unique_ptr<note>>> notes_;
  std::atomic<bool> credits_asked_{false};  // relaxed: read by each poll
  std::atomic<bool> any_notes_{false};  // relaxed: a hint for poll()
  std::atomic<std::uint64_t> sent_{0}, received_{0}, joined_{0};
  std::atomic<std::uint64_t> held_back_{0};  // part of queued_ that lacks credits; seq_cst, likewise
  std::atomic<std::uint64_t> queued_{0};  // held for peers: packets, chunks; seq_cst: read with the lanes
};

}  // namespace gossamer::fabric
