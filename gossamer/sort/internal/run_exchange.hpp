#pragma once
// Gives every process the block of all sorted runs that lies in its range of the order, where lines of several processes do not
// fit the memory. Runs keep the order of the input: by file, then by process, then by batch.
//
//   choose_ranges   numbers the runs of all processes; splitters come from the first lines of blocks
//   cut             blocks that reach into several ranges are written anew, one for each
//   pack, swap      rounds: blocks travel as they lie in the scratch file, a bounded number of them at a time
//   finish          what was there and what came make the runs of this process

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "gossamer/sort/internal/line_runs.hpp"
#include "gossamer/sort/internal/line_splitters.hpp"

namespace gossamer::sorting {

/// One process's side. By its first core; suspends. Every function is called in all processes; the collective ones throw nothing
/// that other processes wait for.
class run_exchange {
 public:
  /// `first_files`: of each run, in order, the number of the file that it begins in. `memory_bytes`: a quarter of it is taken for
  /// blocks that travel.
  run_exchange(line_runs& runs, std::vector<std::uint32_t> first_files, std::uint64_t memory_bytes);

  /// Numbers the runs and chooses the ranges of all processes. Collective.
  void choose_ranges();
  /// Finds the blocks of each range, and writes those of several ranges anew.
  void cut();
  /// Reads the next blocks of other processes from the scratch files.
  void pack();
  /// Sends them, and takes those of others. Collective, but for the end, where what came is written.
  void swap();
  /// Returns whether a process has more to send, since the last swap().
  bool has_more() const { return has_more_; }
  /// Gives the runs back what lies in the range of this process.
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
  std::vector<std::uint64_t> numbers_;  // of the runs of this process, among all
  std::unique_ptr<line_splitters> ranges_;
  std::vector<std::vector<numbered_block>> parts_;  // by range
  std::vector<std::size_t> next_;  // of parts_, to be sent
  std::vector<std::vector<char>> packed_;
  std::map<std::uint64_t, line_run> mine_;  // by number
  bool has_more_ = true;
};

}  // namespace gossamer::sorting
