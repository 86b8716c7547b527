#pragma once
// The map tasks that a core of a resumable job has finished. Knows which tasks to skip, and when finished
// tasks become durable.

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

/// The state of one core. Does nothing without a resume folder.
class finished_tasks {
 public:
  finished_tasks() = default;
  /// Opens the log of this core, or begins one. `pairs` becomes the store of its pairs, with `lists` lists.
  /// Rows in `skipped` belong to finished tasks, and are stored in their records until finish().
  finished_tasks(const memory_bound& bound, std::size_t lists, spill_store& pairs,
                 std::optional<per_core<skipped_rows>> skipped);

  bool is_open() const { return log_.is_open(); }
  work_log& log() { return log_; }
  /// Returns the file for the blocks of the result.
  machine::scratch_file take_result_file() { return std::move(result_file_); }
  /// Returns the tasks of this core that an earlier start has finished.
  const std::vector<std::uint64_t>& done_before() const { return done_before_; }
  /// Returns the number of pairs that were emitted when the last record was written.
  std::uint64_t emitted() const { return emitted_; }
  /// Adds tasks that another core has finished before, which are skipped.
  void leave_out(const std::vector<std::uint64_t>& tasks);
  /// Returns whether a task, one of `total` in this process, has yet to run.
  bool begins(std::uint64_t task, std::uint64_t total);
  /// Declares that the map stage has failed: no further task counts as finished.
  void abandon() { is_abandoned_ = true; }
  /// Notes that a task is finished as a whole. Returns whether a record is due.
  bool ends(std::uint64_t task);
  /// Writes a record of the finished tasks. Returns when their pairs and the record are on the disk.
  /// `emitted` is the total number of pairs.
  void write(spill_store& pairs, std::uint64_t emitted);
  /// Returns the skipped rows of all records to `skipped`. Call it at the end of the map stage.
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
