#pragma once
// Bulk exchanges over two-sided messages alone, for the engine that uses nothing else: all-to-all by pairs, and a
// binomial tree. Each first exchanges the sizes and makes room. A barrier lies between that and the data, so that a core
// without memory ends the job before another waits for it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/message/two_sided.hpp"

namespace gossamer::mapreduce {

/// Returns the tag of a job, which an object of the job with the same address in every process tells from the tags of
/// jobs at the same time.
inline message_tag message_tag_of(const void* object) {
  return tag_in(0xfff9, reinterpret_cast<std::uintptr_t>(object) >> 4);
}

/// Sends each core its bytes, in cores() - 1 steps: in step k, core i receives from core i - k and sends to core i + k.
class pairwise_exchange {
 public:
  /// Takes what goes to each core, tells each the size, and makes room for what will come. Collective; suspends.
  void exchange_sizes(message_tag tag, std::vector<std::vector<std::byte>> chunks);
  /// Sends and receives. Collective, after all cores have passed exchange_sizes(). Suspends.
  void exchange_data(message_tag tag);
  /// Returns what each core has sent; of this core what it gave. For the caller to take.
  std::vector<std::vector<std::byte>>& received() { return received_; }

 private:
  std::vector<std::vector<std::byte>> sent_, received_;
};

/// This core's place in a binomial tree of all cores, whose root is any of them: in round k a core whose rank has bit k
/// sends what it has to the core that is 2^k ranks below.
class binomial_tree {
 public:
  /// Learns how many bytes each child will send, and makes room. A core sends `mine` bytes of its own and those of its
  /// children, but `shared` bytes of each only once. Collective; suspends.
  void exchange_sizes(message_tag tag, core_id root, std::uint64_t mine, std::uint64_t shared);
  /// Calls merge(bytes) for each child, whose bytes stay here; then sends what flatten() returns to the parent, where there
  /// is one. Collective, after all cores have passed exchange_sizes(). Suspends.
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
  /// Gives the memory back.
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
