#pragma once
// The lanes (node_lane.hpp) between the cores of a process and those of its neighbours on the node: two for
// every ordered pair (requests, replies). They lie in the memory shared by the processes of a node
// (node_group.hpp), behind the arrays. If a node has more than k_most_cores cores, there are none, and the
// wire is used. Untouched lanes take no memory. The number of lanes grows with the square of the node's
// cores. So their memory is predicted (bytes_of_process()), rings are shorter if there are many (ADR 0046),
// and the file is extended for them. Cores have their numbers in the job; those of other processes with lanes
// also have a place, from 0. Behind the lanes, each process has a page for flags that its neighbours set
// (parallel/internal/exchange_barrier.hpp), and a row of bits for each of its cores.
//
//   arrivals: a core with few lanes polls all of them. A core with many has a row, in which a sender sets the
//   bit of its place after it has published. The receiver clears the row, then empties those lanes. A seq_cst
//   fence lies between setting a mark and reading the row, and between clearing the row and reading the marks.
//   So one of both sees the other, and no packet stays unseen. A bit that is set already is not written again:
//   then only the lane moves.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/bits.hpp"
#include "gossamer/fabric/internal/packet.hpp"
#include "gossamer/fabric/node_group.hpp"
#include "gossamer/fabric/node_lane.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::fabric {

class simulated_process;

class node_lanes {
 public:
  static constexpr unsigned k_most_cores = 256;
  /// Up to so many lanes a core polls all: one line less for each packet.
  static constexpr unsigned k_few_cores = 16;
  static constexpr unsigned k_none = ~0U;

  /// The places that may have sent a core something, if it has many lanes.
  struct alignas(2 * k_line_bytes) row {
    std::atomic<std::uint64_t> word[k_most_cores / 64];
  };

  /// The layout of the lanes in the memory of a node; the same in all of its processes.
  struct layout {
    unsigned cores;  // of a process
    std::vector<unsigned> processes;  // of the node, by their numbers in the job
    std::size_t packet_bytes;  // of the largest packet, head included
    std::size_t least_packets = 0;  // ring_packets() in a simulation; 0: depends on the number of cores

    unsigned all() const { return cores * static_cast<unsigned>(processes.size()); }
    /// Returns how many packets of the largest size a ring holds at least.
    std::size_t ring_packets() const;
    std::size_t ring_bytes() const;
    std::size_t lane_bytes() const;  // with its counter, whole pages
    std::size_t bytes_of_process() const {
      return std::size_t{cores} * all() * k_traffic_classes * lane_bytes();
    }
    std::size_t pages_at() const { return bytes_of_process() * processes.size(); }
    std::size_t page_and_rows_bytes() const {
      return machine::page_bytes() + round_up(cores * sizeof(row), machine::page_bytes());
    }
    std::size_t bytes() const { return pages_at() + page_and_rows_bytes() * processes.size(); }
  };

  /// Returns the most bytes of the lanes from one process, for so many processes of a node with so many cores
  /// each: the touched part of the file, and the ends of lanes in the process.
  static std::uint64_t bytes_of_process(unsigned processes, unsigned cores, std::size_t packet_bytes);
  /// Returns how many processes of the job, this one included, are on this node and may have lanes between
  /// them.
  static unsigned neighbours(const node_group* group);
  /// Makes the lanes of a process for a job of so many cores in each process. Null if there are no
  /// neighbours, or too many cores. Neighbours do the same. Simulated processes have no group; their cluster
  /// decides whether there are lanes. Throws gossamer::error if the kernel refuses the mapping.
  static std::unique_ptr<node_lanes> make(const node_group* group, unsigned process, unsigned cores,
                                          std::size_t packet_bytes);

  /// Makes the ends of process processes[self] of lanes in `memory`, which is zeroes.
  node_lanes(const layout& l, unsigned self, std::byte* memory);
  /// Clears this process's lanes. After all cores of the node have ended, and before the next job begins.
  ~node_lanes();
  node_lanes(const node_lanes&) = delete;
  node_lanes& operator=(const node_lanes&) = delete;

  /// Returns the number of cores of other processes that have lanes.
  unsigned others() const { return others_; }
  /// Returns the core at a place, and place() that of a core, or k_none.
  unsigned core(unsigned place) const { return cores_[place]; }
  unsigned place(unsigned core) const { return core < places_.size() ? places_[core] : k_none; }

  /// Publishes the packet that lane to(local, place, kind) has opened, with so many bytes of payload.
  void publish(unsigned local, unsigned place, traffic kind, std::size_t payload_bytes) {
    to(local, place, kind).publish(payload_bytes);
    if (signals_) signal_arrival(local, place);
  }

  /// Returns whether each core polls all lanes. If not, take_arrivals() returns those to poll.
  bool few() const { return few_; }
  /// Returns the words of take_arrivals().
  std::size_t arrival_words() const { return divide_up(others_, 64U); }
  /// Returns the bits of the places in [64*w, 64*w+64) that may have sent something since the last call.
  /// Called by core `local` only, which then polls their lanes.
  std::uint64_t take_arrivals(unsigned local, std::size_t w) {
    std::atomic<std::uint64_t>& word = row_of(self_, local).word[w];
    if (word.load(std::memory_order_relaxed) == 0) return 0;  // only a hint: the next call sees it
    const std::uint64_t bits = word.exchange(0, std::memory_order_relaxed);
    std::atomic_thread_fence(
        std::memory_order_seq_cst);  // before reading the lanes; pairs with signal_arrival()
    return bits;
  }
  /// Returns whether take_arrivals() would return some.
  bool any_arrival(unsigned local) const {
    for (std::size_t w = 0; w < arrival_words(); ++w)
      if (row_of(self_, local).word[w].load(std::memory_order_relaxed) != 0) return true;
    return false;
  }

  /// Returns the lane from a core of this process, numbered from 0, to the one at a place.
  node_lane_writer& to(unsigned local, unsigned place, traffic kind) {
    return *writers_[index(local, place, kind)];
  }
  /// Returns the lane from the core at a place to one of this process.
  node_lane_reader& from(unsigned place, unsigned local, traffic kind) {
    return *readers_[index(local, place, kind)];
  }

  /// Returns the page of a process of the node, this one included; null if it is on another node. At first,
  /// page_bytes() of zeroes.
  std::byte* page(unsigned process) const;

  /// Returns how many packets have been sent, received() how many have been received
  /// (node_lane_reader::received()).
  std::uint64_t sent() const;
  std::uint64_t received() const;
  /// Returns whether something in this process waits for space that has become free
  /// (node_lane_writer::may_go_on()).
  bool may_go_on() const;
  /// Describes sent and blocked packets, for reports of stalls. While no core runs.
  std::string describe() const;

 private:
  std::size_t index(unsigned local, unsigned place, traffic kind) const {
    return (std::size_t{local} * others_ + place) * k_traffic_classes + static_cast<std::size_t>(kind);
  }
  node_lane lane_at(unsigned from, unsigned to, traffic kind) const;
  std::byte* page_and_rows(unsigned number) const {
    return memory_ + layout_.pages_at() + number * layout_.page_and_rows_bytes();
  }
  /// Returns the row of a core of process processes[number].
  row& row_of(unsigned number, unsigned local) const {
    return reinterpret_cast<row*>(page_and_rows(number) + machine::page_bytes())[local];
  }
  void signal_arrival(unsigned local, unsigned place);

  const layout layout_;
  std::byte* const memory_;
  const unsigned self_;  // in layout_.processes
  const unsigned others_;
  const bool few_;
  simulated_process* const simulated_;  // null: a real run
  const bool signals_;  // arrivals are signalled after a packet is published
  std::vector<unsigned> places_;  // by core; k_none: no lanes
  std::vector<unsigned> cores_;  // by place
  std::vector<std::unique_ptr<node_lane_writer>> writers_;
  std::vector<std::unique_ptr<node_lane_reader>> readers_;
  machine::memory_region region_;
  const machine::node_memory* file_ = nullptr;  // null: memory of the caller
};

}  // namespace gossamer::fabric
