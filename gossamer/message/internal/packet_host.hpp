#pragma once
// What outbox and inbox require of their core. The endpoint implements it; tests have other implementations.

#include "gossamer/fabric/packet_pool.hpp"

namespace gossamer::message {

class packet_host {
 public:
  /// Runs the handlers of all records in a packet.
  virtual void run_packet(fabric::packet& p) = 0;
  /// Wakes a core of this process: something lies in its lanes, or packets of its pools have come back.
  virtual void notify_core(unsigned core) = 0;

 protected:
  ~packet_host() = default;
};

}  // namespace gossamer::message
