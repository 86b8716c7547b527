#pragma once
// Emptied packets of other cores of the process, on their way back to their owners' pools: in batches, or at
// once if their owner requests them. Also the owners that have free slots in a lane which no returned packet
// announces, because small packets arrived as copies. One core.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bit_set.hpp"
#include "gossamer/fabric/packet_pool.hpp"
#include "gossamer/machine/zeroed_array.hpp"

namespace gossamer::message {

class packet_returns {
 public:
  /// Makes room for the owners [0, cores). Their pools have `requests` and `replies` packets.
  packet_returns(unsigned cores, std::size_t words, std::size_t requests, std::size_t replies)
      : batches_{{cores, k_use}, {cores, k_use}},
        owners_(words),
        rooms_(words),
        most_{batch_of(requests, cores), batch_of(replies, cores)} {}

  bool empty() const { return waiting_ == 0; }

  /// Adds an emptied packet. If that completes a batch, calls give(owner, kind, batch), which returns the
  /// batch and empties it.
  template <class Give>
  void add(unsigned owner, fabric::packet& p, Give give) {
    const auto kind = static_cast<std::size_t>(p.kind);
    fabric::packet_batch& batch = batches_[kind][owner];
    batch.push(p);
    ++waiting_;
    owners_.set(owner);
    if (batch.size() >= most_[kind]) give_back(owner, p.kind, batch, give);
  }
  /// Notes that an owner's lane has more free slots.
  void add_room(unsigned owner) {
    if (rooms_.has(owner)) return;
    rooms_.set(owner);
    owners_.set(owner);
    ++waiting_;
  }
  /// Returns, in the same way, the packets of owners for which wanted(owner, kind): an empty batch of
  /// requests if there are only free slots.
  template <class Wanted, class Give>
  void give_all(Wanted wanted, Give give) {
    for (unsigned owner = 0; (owner = owners_.next(owner)) < batches_[0].size(); ++owner) {
      bool left = false;
      if (rooms_.has(owner)) {
        left = !wanted(owner, fabric::traffic::request);
        if (!left) {
          rooms_.clear(owner);
          --waiting_;
          give_back(owner, fabric::traffic::request, batches_[0][owner], give);
        }
      }
      for (const auto kind : {fabric::traffic::request, fabric::traffic::reply}) {
        fabric::packet_batch& batch = batches_[static_cast<std::size_t>(kind)][owner];
        if (batch.empty()) continue;
        if (wanted(owner, kind))
          give_back(owner, kind, batch, give);
        else
          left = true;
      }
      if (!left) owners_.clear(owner);
    }
  }

 private:
  static constexpr const char* k_use = "packets on their way home";

  /// Returns how many packets of a pool another core may hold, so that all cores together hold at most a
  /// quarter.
  static std::uint32_t batch_of(std::size_t packets, unsigned cores) {
    return static_cast<std::uint32_t>(
        std::clamp<std::size_t>(packets / (4 * std::size_t{cores}), 1, fabric::packet_batch::k_most));
  }
  template <class Give>
  void give_back(unsigned owner, fabric::traffic kind, fabric::packet_batch& batch, Give give) {
    waiting_ -= batch.size();
    give(owner, kind, batch);
  }

  machine::zeroed_array<fabric::packet_batch> batches_[fabric::k_traffic_classes];  // by owner
  bit_set owners_;  // owners whose batches may not be empty, or that are in rooms_
  bit_set rooms_;  // owners with more free slots in their lanes
  const std::uint32_t most_[fabric::k_traffic_classes];
  std::size_t waiting_ = 0;
};

}  // namespace gossamer::message
