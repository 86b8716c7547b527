#pragma once
// Sends blocks of partitions of other processes to their owners: compressed, as they are in the scratch file,
// a bounded number at a time. The owner appends received blocks to a scratch file of its own.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::mapreduce {

/// The state of one core.
class block_exchange {
 public:
  block_exchange() = default;
  explicit block_exchange(const memory_bound& bound);

  /// Returns whether some blocks of `mine` are still to be sent.
  bool unsent(const spill_store& mine) const;
  /// Sends some blocks to each core of other processes, and receives theirs: at most an eighth of the share,
  /// or one block for each. Collective; suspends.
  void send_some(spill_store& mine);
  /// Returns what was received: a list for each bucket of this core's partition.
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

  /// Returns whether a partition belongs to another process and has an unsent block. If so, sets
  /// at(partition) to that block.
  bool find_next(const spill_store& mine, core_id partition, position& at) const;

  memory_bound bound_;
  spill_store received_;
  std::vector<position> next_;  // by partition
};

/// The name of a folder, known in all processes. One fiber makes and destroys it; suspends.
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
