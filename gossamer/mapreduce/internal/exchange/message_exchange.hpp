#pragma once
// Bulk exchanges over two-sided messages alone, for the message engine: a pairwise all-to-all, and a binomial
// tree. Each first exchanges the sizes and allocates buffers. A barrier separates that from the data
// transfer, so a core that cannot allocate ends the job before another core waits for it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/message/two_sided.hpp"

namespace gossamer::mapreduce {

/// Returns the tag of a job. The object has the same address in every process, and distinguishes jobs that
/// run at the same time.
inline message_tag message_tag_of(const void* object) {
  return tag_in(0xfff9, reinterpret_cast<std::uintptr_t>(object) >> 4);
}

/// Sends each core its bytes, in cores() - 1 steps: in step k, core i receives from core i - k and sends to core i + k.
class pairwise_exchange {
 public:
  /// Takes the bytes for each core, sends their sizes, and allocates what will be received. Collective;
  /// suspends.
  void exchange_sizes(message_tag tag, std::vector<std::vector<std::byte>> chunks);
  /// Sends and receives. Collective, after all cores have passed exchange_sizes(). Suspends.
  void exchange_data(message_tag tag);
  /// Returns the bytes from each core, including those that this core gave for itself. The caller may move
  /// them out.
  std::vector<std::vector<std::byte>>& received() { return received_; }

 private:
  std::vector<std::vector<std::byte>> sent_, received_;
};

/// This core's position in a binomial tree of all cores, with any of them as its root. In round k a core
/// whose rank has bit k set sends its data to the core whose rank is lower by 2^k.
class binomial_tree {
 public:
  /// Receives the size of each child's data, and allocates buffers. A core sends `mine` bytes of its own and
  /// those of its children, but `shared` bytes of each only once. Collective; suspends.
  void exchange_sizes(message_tag tag, core_id root, std::uint64_t mine, std::uint64_t shared);
  /// Calls merge(bytes) for each child, whose bytes stay valid. Then sends the result of flatten() to the
  /// parent, if there is one. Collective, after all cores have passed exchange_sizes(). Suspends.
  template <class Merge, class Flatten>
  void exchange_data(message_tag tag, Merge merge, Flatten flatten) {
    for (child& c : children_) {
      (void)message::receive(c.from, tag, c.bytes);
      merge(std::span<const std::byte>(c.bytes));
    }
    if (!is_root_) {
      const std::vector<std::byte> all = flatten();
      message::send(parent_, tag, all);
    }
  }
  /// Frees the memory.
  void clear() { children_ = {}; }

 private:
  struct child {
    core_id from;
    std::vector<std::byte> bytes;
  };
  std::vector<child> children_;
  core_id parent_ = 0;
  bool is_root_ = true;
};

}  // namespace gossamer::mapreduce
