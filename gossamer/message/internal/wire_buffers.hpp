#pragma once
// A core's open wire packets: at most one for each neighbour process and kind of traffic. One core.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer::message {

/// An open wire packet and the chunks in it.
struct wire_send_buffer {
  fabric::packet* open = nullptr;
  std::size_t end = 0;                // of the chunks allocated in it
  std::vector<std::uint32_t> chunks;  // where each begins
};

class wire_buffers {
 public:
  /// Makes room for neighbours [0, processes).
  explicit wire_buffers(unsigned processes) : by_neighbour_{{processes, k_use}, {processes, k_use}} {}

  /// Returns the open packet for a neighbour, or null.
  wire_send_buffer* find(unsigned neighbour, fabric::traffic kind) const {
    return by_neighbour_[index(kind)][neighbour];
  }
  /// Opens a packet for a neighbour that has none open.
  wire_send_buffer& open(unsigned neighbour, fabric::packet& p, fabric::traffic kind) {
    if (spare_.empty()) spare_.push_back(all_.emplace_back(std::make_unique<wire_send_buffer>()).get());
    wire_send_buffer& b = *spare_.back();
    spare_.pop_back();
    b.open = &p;
    p.kind = kind;
    open_[index(kind)].push_back(neighbour);
    by_neighbour_[index(kind)][neighbour] = &b;
    return b;
  }
  /// Closes the packet of a neighbour. The caller returns the buffer by recycle().
  wire_send_buffer& close(unsigned neighbour, fabric::traffic kind) {
    std::erase(open_[index(kind)], neighbour);
    return *std::exchange(by_neighbour_[index(kind)][neighbour], nullptr);
  }
  void recycle(wire_send_buffer& b) {
    b.open = nullptr;
    b.end = 0;
    b.chunks.clear();
    spare_.push_back(&b);
  }

  bool any_open(fabric::traffic kind) const { return !open_[index(kind)].empty(); }
  /// Returns the neighbour whose packet has been open for longest. Only if one is open.
  unsigned oldest(fabric::traffic kind) const { return open_[index(kind)].front(); }

 private:
  static constexpr const char* k_use = "send buffers for processes";
  static std::size_t index(fabric::traffic kind) { return static_cast<std::size_t>(kind); }

  machine::zeroed_array<wire_send_buffer*> by_neighbour_[fabric::k_traffic_classes];  // null: none is open
  std::vector<unsigned> open_[fabric::k_traffic_classes];  // neighbours, oldest first
  std::vector<std::unique_ptr<wire_send_buffer>> all_;     // at most as many as wire packets
  std::vector<wire_send_buffer*> spare_;
};

}  // namespace gossamer::message
