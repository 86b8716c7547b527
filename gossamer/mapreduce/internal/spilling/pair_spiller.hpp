#pragma once
// The spilling of a core's emitter, for jobs that are resumable or have limited memory. Empties containers to
// a scratch file, and makes finished tasks durable.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "gossamer/mapreduce/internal/spilling/finished_tasks.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"

namespace gossamer::mapreduce {

/// Owns the scratch file of a core. Does nothing without a memory limit.
template <class Key, class Slot>
class pair_spiller {
 public:
  pair_spiller() = default;
  /// Makes the scratch file, or opens that of an earlier start.
  pair_spiller(memory_bound bound, std::size_t partitions, std::optional<per_core<skipped_rows>> skipped)
      : bound_(std::move(bound)) {
    if (!is_bounded()) return;
    const std::size_t lists = partitions * std::size_t{k_buckets};
    if (bound_.resume.empty())
      store_ = spill_store(bound_.folder, lists);
    else
      tasks_ = finished_tasks(bound_, lists, store_, skipped);
    dealer_ = bucket_dealer<Key, Slot>(bound_.block_bytes());
  }

  bool is_bounded() const { return bound_.share != 0; }
  const memory_bound& bound() const { return bound_; }
  /// Returns the spilled pairs. Partition p has the lists p * k_buckets to (p + 1) * k_buckets - 1.
  spill_store& store() { return store_; }
  const spill_store& store() const { return store_; }
  /// Returns how often containers were emptied.
  std::uint64_t spills() const { return spills_; }
  /// Returns the finished part of the map stage of a resumable job.
  finished_tasks& tasks() { return tasks_; }
  const finished_tasks& tasks() const { return tasks_; }

  /// Empties the containers of all partitions; container_of(p) returns one. Containers keep the memory of
  /// their slots, unless they had few pairs in much memory: then some containers are too large, and others
  /// have to grow.
  template <class F>
  void spill(std::size_t partitions, F container_of) {
    std::uint64_t pairs = 0;
    for (std::size_t p = 0; p < partitions; ++p) {
      pairs += container_of(p).size();
      dealer_.deal(container_of(p), 0, store_, p * std::size_t{k_buckets}, codec_);
    }
    spills_ += pairs != 0 ? 1 : 0;
    if (pairs * sizeof(Slot) < bound_.share / k_least_use)
      for (std::size_t p = 0; p < partitions; ++p) container_of(p).clear();
  }

 private:
  static constexpr std::uint64_t k_least_use = 8;

  memory_bound bound_;
  spill_store store_;
  bucket_dealer<Key, Slot> dealer_{0};
  io::block_codec codec_;
  finished_tasks tasks_;
  std::uint64_t spills_ = 0;
};

}  // namespace gossamer::mapreduce
