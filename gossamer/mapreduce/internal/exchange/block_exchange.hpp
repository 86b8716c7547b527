#pragma once
// Sends the blocks of partitions of other processes to their owners, as they lie in the scratch file: compressed, a bounded
// few of them at a time. What arrives goes to a scratch file of its owner.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// One core's side.
class block_exchange {
 public:
  block_exchange() = default;
  explicit block_exchange(const memory_bound& bound);

  /// Returns whether blocks of `mine` wait to be sent.
  bool unsent(const spill_store& mine) const;
  /// Sends some blocks to each core of another process, and takes what they send: an eighth of the share at most, or a
  /// block for each. Collective; suspends.
  void send_some(spill_store& mine);
  /// Returns what came: a list for each bucket of this core's partition.
  const spill_store& store() const { return received_; }

 private:
  struct header {
    io::block_place place;
    std::uint64_t pairs, bucket;
  };
  struct position {
    std::size_t bucket = 0;
    block_list::position block;
  };

  /// Returns whether a partition belongs to another process, and has a block left: at(partition) is set to it.
  bool find_next(const spill_store& mine, core_id partition, position& at) const;

  memory_bound bound_;
  spill_store received_;
  std::vector<position> next_;  // by partition
};

/// The name of a folder, in all processes. Made and destroyed by one fiber; suspends.
class shared_folder {
 public:
  struct name {
    std::string text;
  };
  explicit shared_folder(const std::string& folder) {
    if (folder.empty()) return;
    state_.here().text = folder;
    share_text(state_.handle(), &name::text);
  }
  per_process<name> handle() const { return state_.handle(); }

 private:
  scoped_per_process<name> state_;
};

}  // namespace gossamer::mapreduce
