#pragma once
// What carries packets between processes. Packet granularity: a virtual call costs nothing per message.
// None is needed inside one process (lanes do it); implementations come as plugins.

#include <string_view>

#include "gossamer/fabric/packet.hpp"

namespace gossamer::fabric {

class transport {
 public:
  virtual ~transport() = default;

  /// Hands a packet over for process `to`. False when it must wait: the packet stays the caller's.
  /// Any core; never blocks. A packet taken over returns to its pool when it has left.
  [[nodiscard]] virtual bool send(packet& p, unsigned to) = 0;

  /// Moves what is under way; gives one packet that has arrived, or null. Any core; only one is inside at a time.
  virtual packet* poll() = 0;

  /// Ends the whole job everywhere, saying why.
  [[noreturn]] virtual void abort(std::string_view reason) = 0;

  virtual unsigned process() const = 0;
  virtual unsigned processes() const = 0;
};

}  // namespace gossamer::fabric
