#pragma once
// What goes between the processes of a job. The cores of a process share one wire to all others; whichever
// core polls moves it, under a lock that is only ever tried. The unit is a wire packet: chunks side by
// side, each a packet for one core of the destination, dense like those of a lane. So a core
// aggregates per destination process, and the chunks are dealt to the cores' lanes where they arrive,
// without a copy: a buffer is received into again once all of its chunks have been used.
//
//   core   --lane to the wire-->  queue of a process  --credit, send slot-->  transport
//   transport  --receive buffer-->  chunks  --lane from the wire-->  cores  --release()-->  receive buffer
//
// Bounds. A core has few wire packets, so its lanes to the wire always have room, and queues here are
// short. Requests need a credit of the destination process, which gets it back when the buffer is free again
// (with the next packet of any kind, or by itself from half of them on). Replies need none: whoever
// takes a request has room for its replies, and they are always taken. Buffers are as many as credits, and
// some for replies.
//
//   field                      writes               reads                protected by
//   queues, slots, credits     who polls            who polls            lock_
//   lanes to and from          core; who polls      who polls; core      the lane (its wire side by lock_)
//   refs of a buffer           releasing cores      releasing cores      acq_rel: the last one has seen all
//   returned_                  releasing cores      who polls            returned_lock_
//   notes_                     any thread           who polls            notes_lock_
//   sent_, received_, queued_  who polls            any thread           seq_cst, with the lanes: a packet is
//                                                                        always in one of them (world.hpp)

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gossamer/fabric/mesh.hpp"
#include "gossamer/fabric/packet.hpp"
#include "gossamer/fabric/transport.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

/// How a wire packet is divided: as many chunks as give every core of the destination a few.
struct wire_format {
  static constexpr std::size_t k_head_bytes = k_line_bytes;
  static constexpr std::size_t k_least_chunk_bytes = 2048;

  wire_format() = default;
  wire_format(std::size_t packet_bytes, unsigned cores_per_process);

  std::size_t packet_bytes = 0;  // a power of two
  std::size_t chunk_bytes = 0;  // heads included
  unsigned chunks = 1;

  std::size_t chunk_payload() const { return round_down(chunk_bytes - packet::k_head_bytes, 8); }
  packet& chunk(packet& p, unsigned i) const {
    return *reinterpret_cast<packet*>(reinterpret_cast<std::byte*>(&p) + k_head_bytes + i * chunk_bytes);
  }
};

class wire {
 public:
  /// Who lives on this side; called while polling.
  class host {
   public:
    virtual ~host() = default;
    /// Something lies in a lane of this core.
    virtual void arrived(unsigned core) = 0;
    /// The packet has left: it is its owner's again.
    virtual void left(packet& p) = 0;
    virtual void note(unsigned from, std::span<const std::byte> text) = 0;
  };

  /// `lanes` has a station for every core of this process and one more, the wire's.
  /// `job`: the same number in all processes, and another one for each job of a process.
  wire(transport& t, mesh& lanes, host& h, const wire_format& format, std::uint32_t job);
  ~wire();
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  const wire_format& format() const { return format_; }
  unsigned processes() const { return processes_; }
  unsigned station() const { return cores_; }

  /// Any core. Returns whether anything moved.
  bool poll();
  /// Any core: a chunk that came from here has been used.
  void release(packet& chunk);
  /// Any thread: a short message to another process, for its host.
  void send_note(unsigned to, std::span<const std::byte> text);

  /// Under the lock of nobody: after all cores have stopped. Waits until what was sent has left.
  void close();

  /// Packets of requests and replies that have been sent and received, for the search for a stall. Any
  /// thread.
  std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
  std::uint64_t received() const { return received_.load(std::memory_order_relaxed); }
  /// Whether a packet of this process has not been given to the transport yet. Any thread.
  bool anything_queued() const;
  /// What is queued and held, for reports of stalls; any thread, while no core runs.
  std::string describe();

 private:
  static constexpr std::size_t k_note_bytes = 4 << 10;
  static constexpr unsigned k_spare_buffers = 16;  // for replies and notes, beyond those that credits are for

  /// The rest of a wire packet's first line.
  struct head {
    std::uint32_t job;  // which one of those that these processes have run
    std::uint32_t number;  // of this packet, from this process to that one
    std::uint32_t credits;  // for the receiver to use again
    std::atomic<std::uint32_t> refs;  // receiver: chunks in use
  };
  static head& head_of(packet& p) { return *reinterpret_cast<head*>(p.payload()); }

  struct note {
    packet top;
    std::byte text[k_note_bytes];
  };
  struct under_way {
    packet* p = nullptr;
    std::unique_ptr<note> owner;  // where it is one
  };
  struct peer {
    unsigned credits = 0;  // requests that it has buffers for
    unsigned owed = 0;  // buffers of its requests that are free again
    std::uint32_t sent = 0, received = 0;
    std::deque<packet*> requests, replies;
    std::deque<std::unique_ptr<note>> notes;
  };

  bool take_from_cores();
  bool send_queued();
  bool send_queued(unsigned to);
  void start(unsigned to, packet& p, std::unique_ptr<note> owner);
  void start_note(unsigned to, std::unique_ptr<note> n);
  bool finish_sends();
  bool take_arrivals();
  void deal(packet& p, unsigned from);
  void deliver(unsigned core, packet& chunk);
  bool deliver_waiting();
  void collect_returned();
  void receive_more();
  static std::unique_ptr<note> make_note(std::span<const std::byte> text);
  packet& buffer(std::size_t i) const {
    return *reinterpret_cast<packet*>(buffers_ + i * format_.packet_bytes);
  }

  transport& transport_;
  mesh& lanes_;
  host& host_;
  const wire_format format_;
  const unsigned processes_, rank_, cores_;
  const unsigned window_;  // credits of each process
  const std::uint32_t job_;

  std::mutex lock_;
  std::vector<peer> peers_;
  std::vector<unsigned> busy_peers_;  // with something queued
  std::vector<under_way> sends_;  // by slot
  std::deque<unsigned> started_;  // slots, oldest first
  std::vector<unsigned> free_slots_;
  std::size_t buffer_count_;
  machine::memory_region region_;
  std::byte* buffers_;
  std::vector<packet*> free_buffers_;
  std::deque<packet*> posted_;  // oldest first
  unsigned next_slot_ = 0;  // of the next receive; slots are used in turn
  std::vector<std::deque<packet*>> waiting_[k_traffic_classes];  // by core: its lane was full
  std::size_t waiting_chunks_ = 0;

  std::mutex returned_lock_;
  std::vector<packet*> returned_;
  std::atomic<bool> any_returned_{false};  // relaxed: a hint when to look
  std::mutex notes_lock_;
  std::vector<std::pair<unsigned, std::unique_ptr<note>>> notes_;
  std::atomic<bool> any_notes_{false};  // relaxed: a hint when to look
  std::atomic<std::uint64_t> sent_{0}, received_{0};
  std::atomic<std::uint64_t> queued_{0};  // in the queues of peers; seq_cst: read with the lanes
};

}  // namespace gossamer::fabric
