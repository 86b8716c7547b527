#pragma once
// Options and statistics of a MapReduce job: for map_reduce() and map_group_reduce().

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/parallel/per_core.hpp"
#include "gossamer/sort/pivots.hpp"

namespace gossamer {

/// The engine that runs a MapReduce job. All engines give the same results.
enum class engine : std::uint8_t {
  hybrid,  // containers combine while pairs are emitted; cores of a process read each other's in place
  messages,  // the reference: seven stages, two-sided messages only
};

/// The order in which a core without map tasks takes tasks of other cores of its process.
enum class victims : std::uint8_t {
  in_turn,  ///< from the next core on, round-robin
  at_random,  ///< in a random order of each core, for comparison
};

/// Wall time of each stage, and amounts. A stage that the engine lacks has 0 seconds.
struct map_reduce_statistics {
  double open_seconds = 0;  ///< opening and dividing the inputs
  double map_seconds = 0;  ///< emitting pairs
  double reduce_seconds = 0;  ///< joining partitions inside of each process; messages: reducing groups
  double exchange_seconds = 0;  ///< joining partitions between processes
  std::uint64_t emitted = 0;  ///< pairs before they were combined; with dense_keys as many as `combined`
  std::uint64_t combined =
      0;  ///< pairs on all cores after combining; not yet combined if nearly all keys were new
  std::uint64_t container_bytes = 0;  ///< of all cores, at the end of the map stage
  double combine_seconds = 0;  ///< messages: combining the pairs of each core
  double partition_seconds = 0;  ///< messages: sending pairs to the owners of their keys
  double group_seconds = 0;  ///< messages: grouping equal keys
  double sort_seconds =
      0;  ///< sorting results by key; messages: by each core; hybrid: by all cores, on request
  double merge_seconds = 0;  ///< messages: merging sorted results to the caller's core, on request
  std::uint64_t spilled_pairs = 0;  ///< pairs written to scratch files before they were joined
  std::uint64_t spilled_bytes = 0;  ///< of these pairs, compressed
  std::uint64_t tasks_before = 0;  ///< with resume: map tasks that an earlier start has finished
  std::uint64_t spills = 0;  ///< how often a core emptied its containers to its scratch file
};

/// The options of a MapReduce job.
struct map_reduce_options {
  /// Called on the first core of the caller's process between chunks: `done` of `total` tasks of its process.
  /// May throw to end the job.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  map_reduce_statistics* statistics = nullptr;  ///< receives the statistics; null: none
  gossamer::engine engine = gossamer::engine::hybrid;  ///< the engine
  /// The most bytes that all containers of a process may take; 0: no bound. Beyond it, pairs go to
  /// compressed scratch files, and so does the result. Buffers take about 2 MiB per core in addition. For map_reduce() with hash tables
  /// and engine::hybrid; others throw gossamer::error.
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_shares = 1;  ///< the job takes one of so many equal shares of memory_bytes
  std::string scratch = {};  ///< the folder of scratch files; empty: $TMPDIR, or /tmp
  /// A folder for finished work, shared by all processes. A job that is started again with the same inputs, options, cores and
  /// program continues from there. Pairs go to files as with memory_bytes. Empty: nothing is kept. The work stays until
  /// forget_work() removes it. The map function must have no effects but emitted pairs and the rows in `skipped`.
  std::string resume = {};
  /// A prefix of the names of the job's files. Distinguishes jobs of one program whose work lies in the same folder.
  std::string resume_part = {};
  std::string resume_job = {};  ///< describes the job, in addition to its input and program
  /// The rows that the map function skips, on each core. With resume they are kept with the finished work, so that rows of an
  /// earlier start are counted, too.
  std::optional<per_core<skipped_rows>> skipped = {};
  /// Whether a last stage sorts the results by key, as key_values::keep_order() does, so that the job's time includes
  /// it. Keys without `<` are a gossamer::error.
  bool sorted = false;
  pivots choose_pivots =
      pivots::all_cores;  ///< with `sorted`, by engine::hybrid: which cores choose the pivots
  victims steal_from = victims::in_turn;  ///< of engine::hybrid, in the map stage
};

/// Removes the finished work of a job from its folder (map_reduce_options::resume), in all processes. Call it
/// when the result is no longer needed, because results in that folder are read from there. By one fiber;
/// suspends. `part`: as resume_part.
void forget_work(const std::string& folder, const std::string& part = {});

/// Selects an array as container: keys are the integers from 0 to n - 1.
struct dense_keys {
  std::uint64_t n;  ///< number of possible keys
};

/// The combiner of jobs that keep all values of a key.
struct no_combine {};

}  // namespace gossamer
