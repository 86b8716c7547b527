#pragma once
// Large blocks between cores of different processes, moved by the transport from where they lie to where they go
// (fabric/bulk_mover.hpp). endpoint::moves_bulk() says which blocks are worth it.
//
//   put:  record {where, bytes, tag}  -->  the other core starts to receive;  here the move starts at once
//         both sides' ends are counted, that of the other core by a report
//   get:  record {where, bytes, tag}  -->  the other core starts to send;  here the move starts at once
//
// A put is one of the messages of its core: the other side starts to receive after it has run what this core has sent
// there before, and the fiber waits until the block is there. So nothing that it sends afterwards can overtake it. A
// fiber of the same core that sends meanwhile has no order with it, as the call has not returned.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/message/completion.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

/// Blocks that the running fiber puts to cores of other processes, until wait(). Until then it holds tags, and may not call
/// get_bulk() or make another one: fibers that hold tags and wait for more would wait for each other.
class bulk_puts {
 public:
  explicit bulk_puts(endpoint& self) : self_(self), done_(self) {}
  ~bulk_puts() { wait(); }
  bulk_puts(const bulk_puts&) = delete;
  bulk_puts& operator=(const bulk_puts&) = delete;

  /// Begins to put a block to `at` on core `to`. Suspends where tags or packets are exhausted. Where it throws, what it has begun
  /// (some pieces of the block, and earlier blocks) goes on, and is waited for.
  void add(unsigned to, std::byte* at, std::span<const std::byte> from);
  /// Suspends until all blocks are there.
  void wait();

 private:
  endpoint& self_;
  completion done_;
  std::vector<unsigned> tags_;
};

/// Begins to get a block that lies at `from` on core `owner`; counted by the completion of the running fiber. Suspends
/// where tags or packets are exhausted.
void get_bulk(endpoint& self, unsigned owner, const std::byte* from, std::span<std::byte> into);

}  // namespace gossamer::message
