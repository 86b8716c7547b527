#pragma once
// How a MapReduce job runs, and what it says afterwards: for map_reduce() and map_group_reduce().

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/sort/pivots.hpp"

namespace gossamer {

/// By which engine a MapReduce job runs. The answers are the same.
enum class engine : std::uint8_t {
  hybrid,  // containers combine while pairs are emitted; cores of a process read those of others in place
  messages,  // the reference: seven stages, and cores exchange two-sided messages only
};

/// From which cores of its process a core without map tasks takes some.
enum class victims : std::uint8_t {
  in_turn,  ///< from the next core on, round-robin
  at_random,  ///< in an order that each core draws: for comparison
};

/// What happened, in seconds of wall time by stage, and how much. A stage that the engine lacks has 0 seconds.
struct map_reduce_statistics {
  double open_seconds = 0;  ///< inputs are opened and dealt
  double map_seconds = 0;  ///< pairs are emitted
  double reduce_seconds = 0;  ///< partitions are joined inside of each process; messages: groups are reduced
  double exchange_seconds = 0;  ///< partitions are joined between processes
  std::uint64_t emitted = 0;  ///< pairs, before they were combined; with dense_keys as many as `combined`
  std::uint64_t combined =
      0;  ///< pairs that the cores had then; where nearly all keys were new, not yet combined
  std::uint64_t container_bytes = 0;  ///< of all cores, at the end of the map stage
  double combine_seconds = 0;  ///< messages: the pairs of each core are combined
  double partition_seconds = 0;  ///< messages: pairs travel to the owners of their keys
  double group_seconds = 0;  ///< messages: equal keys are brought together
  double sort_seconds =
      0;  ///< results are sorted by key: messages: by each core; hybrid: by all, where that is asked for
  double merge_seconds =
      0;  ///< messages: sorted results are merged to the caller's core, where that is asked for
  std::uint64_t spilled_pairs = 0;  ///< pairs that went to scratch files before they were joined
  std::uint64_t spilled_bytes = 0;  ///< of these pairs, compressed
  std::uint64_t tasks_before = 0;  ///< with resume: tasks of the map stage that an earlier start has done
  std::uint64_t spills = 0;  ///< how often a core emptied its containers to its scratch file
};

/// How a MapReduce job runs.
struct map_reduce_options {
  /// Called on the first core of the caller's process between chunks: done of total tasks of its process. May throw to end the job.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  map_reduce_statistics* statistics = nullptr;  ///< filled where it is given
  gossamer::engine engine = gossamer::engine::hybrid;  ///< how pairs come together
  /// The most bytes that all containers of a process may take; 0: as many as there are. Where they would take more, pairs go to
  /// scratch files, compressed, and so does the result. Further room is about 2 MiB a core. For map_reduce() with hash tables
  /// by engine::hybrid; others throw gossamer::error.
  std::uint64_t memory_bytes = 0;
  std::string scratch = {};  ///< the folder of scratch files; empty: $TMPDIR, or /tmp
  /// A folder for finished work, all processes' own: a job that is started again, with the same inputs, options, cores and
  /// program, goes on from there. Pairs go to files as under a bound of memory. Empty: nothing is kept. The work stays until
  /// forget_work() removes it. The map function has no effect but what it emits, and the rows in `skipped`.
  std::string resume = {};
  /// Tells the jobs of one program apart whose work lies in the same folder: begins the names of their files.
  std::string resume_part = {};
  std::string resume_job = {};  ///< says what is asked for, as far as it is neither input nor program
  /// The rows that the map function leaves out on each core. With resume they are kept with the finished work, so that those of an
  /// earlier start are counted, too.
  std::optional<per_core<skipped_rows>> skipped = {};
  /// The last stage puts the results in the order of their keys, as key_values::keep_order() does: so the time of the job has its
  /// ordering in. Keys without `<` have no order: a gossamer::error.
  bool sorted = false;
  pivots choose_pivots =
      pivots::all_cores;  ///< with `sorted`, by engine::hybrid: which cores choose the pivots
  victims steal_from = victims::in_turn;  ///< by engine::hybrid, in the map stage
};

/// Removes the finished work of a job from its folder (map_reduce_options::resume), in all processes: when its result is no
/// longer needed. By one fiber; suspends. Results in that folder are still read. `part`: as resume_part.
void forget_work(const std::string& folder, const std::string& part = {});

/// Says to map_reduce() that keys are the integers from 0 to n - 1.
struct dense_keys {
  std::uint64_t n;  ///< how many there may be
};

/// Stands in the place of a combiner where all values of a key are kept.
struct no_combine {};

}  // namespace gossamer
