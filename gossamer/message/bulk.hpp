#pragma once
// Large blocks between cores of different processes. The transport moves them from the memory of one core to
// that of the other (fabric/bulk_mover.hpp). endpoint::moves_bulk() decides which blocks go this way.
//
//   put:  record {where, bytes, tag}  -->  the other core starts to receive;  here the move starts at once
//         both ends are counted; the other core reports its end
//   get:  record {where, bytes, tag}  -->  the other core starts to send;  here the move starts at once
//
// A put has an order with the messages of its core: the other side starts to receive after it has run what
// this core sent there before, and the fiber waits until the block has arrived. So nothing that it sends
// afterwards can overtake the block. A fiber of the same core that sends meanwhile has no order with it,
// because the call has not returned.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/message/completion.hpp"
#include "gossamer/message/endpoint.hpp"

namespace gossamer::message {

/// Blocks that the running fiber puts to cores of other processes, until wait(). The fiber holds tags until
/// then, and must not call get_bulk() or make another such object: fibers that hold tags and wait for more
/// could deadlock.
class bulk_puts {
 public:
  explicit bulk_puts(endpoint& self) : self_(self), done_(self) {}
  ~bulk_puts() { wait(); }
  bulk_puts(const bulk_puts&) = delete;
  bulk_puts& operator=(const bulk_puts&) = delete;

  /// Begins to put a block to `at` on core `to`. Suspends while tags or packets are exhausted. If it throws,
  /// the moves that have begun (some chunks of the block, and earlier blocks) continue, and wait() waits for
  /// them.
  void add(unsigned to, std::byte* at, std::span<const std::byte> from);
  /// Suspends until all blocks have arrived.
  void wait();

 private:
  endpoint& self_;
  completion done_;
  std::vector<unsigned> tags_;
};

/// Begins to get a block that lies at `from` on core `owner`; counted by the completion of the running fiber.
/// Suspends while tags or packets are exhausted.
void get_bulk(endpoint& self, unsigned owner, const std::byte* from, std::span<std::byte> into);

}  // namespace gossamer::message
