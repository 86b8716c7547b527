#pragma once
// The processors that this process may use, their topology, and pinning. "May use" is the affinity mask
// (taskset, cpusets) and the processor quota of the control groups, rounded up, over the whole hierarchy: a
// container with 2 of 64 processors has 2.

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::machine {

/// One hardware thread. Numbers other than `id` count from 0; they are 0 if unknown.
struct processor {
  unsigned id = 0;         // the operating system's number
  unsigned core = 0;       // processors with the same core share its arithmetic units
  unsigned l3 = 0;         // processors with the same number share their last-level cache
  unsigned numa_node = 0;  // processors with the same number share local memory
  unsigned package = 0;
  bool operator==(const processor&) const = default;
};

struct cache_sizes {
  std::uint64_t l1d = 0, l2 = 0, l3 = 0;  // bytes; 0 if unknown
  bool operator==(const cache_sizes&) const = default;
};

struct topology {
  /// The processors of the affinity mask, in the order in which to place cores: neighbours (package, node,
  /// L3) side by side; one hardware thread of each core before any second one.
  std::vector<processor> processors;
  unsigned usable = 1;          // min(processors.size(), quota): the default number of cores
  double quota = 0;             // number of processors that control groups allow, by time; 0: no limit
  std::string quota_source;     // the file that sets it
  unsigned packages = 1, numa_nodes = 1, cores = 1;  // of the processors listed
  cache_sizes caches;           // of the first processor
  std::string model;            // "AMD EPYC 9R14", "unknown"
};

/// Queries the operating system and hwloc (a few ms). `root` is put before /proc and /sys, where control
/// groups are read (for tests). Never throws for facts that it cannot determine.
topology discover_topology(const std::string& root = "");

/// Returns only the number `topology::usable`: cheaper, no hwloc.
unsigned usable_processors(const std::string& root = "");

/// Returns the ids in this thread's affinity mask, ascending.
std::vector<unsigned> affinity();

/// Pins the calling thread to one processor, or to any of several. Returns false if the system refuses (a
/// processor that is offline or not allowed): then the affinity is unchanged.
[[nodiscard]] bool pin_thread(unsigned processor_id) noexcept;
[[nodiscard]] bool pin_thread(const std::vector<unsigned>& processor_ids) noexcept;

/// Returns the processor that runs this thread at this moment.
unsigned current_processor() noexcept;

}  // namespace gossamer::machine
