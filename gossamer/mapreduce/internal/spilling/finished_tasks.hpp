#pragma once
// The tasks of the map stage that a core has finished, where a job may be continued: which are left out, and when those
// that are done become durable.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"
#include "gossamer/mapreduce/internal/spilling/work_log.hpp"
#include "gossamer/parallel/per_core.hpp"

namespace gossamer::mapreduce {

/// One core's. Without a folder of work it does nothing.
class finished_tasks {
 public:
  finished_tasks() = default;
  /// Opens the work of this core, or begins it. `pairs` becomes the store of its pairs, with `lists` lists. Rows in
  /// `skipped` belong to the tasks that are done, and lie in their records meanwhile.
  finished_tasks(const memory_bound& bound, std::size_t lists, spill_store& pairs,
                 std::optional<per_core<skipped_rows>> skipped);

  bool is_open() const { return log_.is_open(); }
  work_log& log() { return log_; }
  /// Returns the file for the blocks of the result.
  machine::scratch_file take_result_file() { return std::move(result_file_); }
  /// Returns the tasks of this core that an earlier start has done.
  const std::vector<std::uint64_t>& done_before() const { return done_before_; }
  /// Counts the pairs that were emitted when the last record was written.
  std::uint64_t emitted() const { return emitted_; }
  /// Takes the tasks of another core that need not be done.
  void leave_out(const std::vector<std::uint64_t>& tasks);
  /// Returns whether a task of the process's `total` ones is to be done.
  bool begins(std::uint64_t task, std::uint64_t total);
  /// Says that the map stage is in vain: no further task counts as done.
  void abandon() { is_abandoned_ = true; }
  /// Notes that a task is done as a whole. Returns whether it is time for a record.
  bool ends(std::uint64_t task);
  /// Writes a record of the tasks that are done. Returns when their pairs and the record are on the disk. `emitted`: pairs in
  /// all.
  void write(spill_store& pairs, std::uint64_t emitted);
  /// Gives the skipped rows of all records back. At the end of the map stage.
  void finish();

 private:
  work_log log_;
  machine::scratch_file result_file_;
  std::vector<std::uint64_t> done_before_, done_;  // done_: since the last record
  std::vector<bool> leave_out_;
  std::uint64_t tasks_in_record_ = 1, emitted_ = 0;
  std::optional<per_core<skipped_rows>> skipped_;  // since the last record
  skipped_rows recorded_;
  bool is_abandoned_ = false;
};

}  // namespace gossamer::mapreduce
