#pragma once
// Moves the lines of all sorted runs to the processes of their ranges of the order, if the lines of several
// processes do not fit the memory. Runs keep the order of the input: by file, then by process, then by batch.
//
//   choose_ranges   numbers the runs of all processes; chooses splitters from the first lines of blocks
//   cut             rewrites blocks that belong to several ranges, one for each
//   pack, swap      rounds: blocks are sent as stored in the scratch file, a bounded number at a time
//   finish          the remaining and the received blocks become the runs of this process

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "gossamer/sort/internal/line_runs.hpp"
#include "gossamer/sort/internal/line_splitters.hpp"

namespace gossamer::sorting {

/// The state of one process. By its first core; suspends. Every function is called in all processes. The
/// collective ones throw nothing while other processes wait for them.
class run_exchange {
 public:
  /// Starts an exchange. `first_files` has, for each run in order, the index of the file in which it begins.
  /// A quarter of `memory_bytes` is used for blocks under way.
  run_exchange(line_runs& runs, std::vector<std::uint32_t> first_files, std::uint64_t memory_bytes);

  /// Numbers the runs and chooses the ranges of all processes. Collective.
  void choose_ranges();
  /// Assigns blocks to ranges, and rewrites those that belong to several.
  void cut();
  /// Reads the next blocks for other processes from the scratch files.
  void pack();
  /// Sends them, and receives those of others. Collective, except for the end, where received blocks are
  /// written.
  void swap();
  /// Returns whether a process has more to send, as of the last swap().
  bool has_more() const { return has_more_; }
  /// Replaces the runs by the blocks in the range of this process.
  void finish();

 private:
  struct numbered_block {
    std::uint64_t run;
    run_block block;
  };
  std::vector<line_sample> samples_of_all() const;
  std::vector<numbered_block> chunks_of(const numbered_block& whole, std::size_t first_range,
                                        std::vector<std::size_t>& ranges) const;
  void take(std::span<const char> bytes);

  line_runs& runs_;
  std::vector<std::uint32_t> first_files_;
  std::uint64_t round_bytes_;  // for each process
  std::vector<std::uint64_t> numbers_;  // of the runs of this process, in the numbering of all
  std::unique_ptr<line_splitters> ranges_;
  std::vector<std::vector<numbered_block>> parts_;  // by range
  std::vector<std::size_t> next_;  // by range: the next block of parts_ to send
  std::vector<std::vector<char>> packed_;
  std::map<std::uint64_t, line_run> mine_;  // by run number
  bool has_more_ = true;
};

}  // namespace gossamer::sorting
