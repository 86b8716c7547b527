#pragma once
// What a core has finished of a job that may be continued: a log of records in a file of its own. Each has a checksum and
// names blocks in a file beside it, which are on the disk before the record is. What comes behind the last whole record is
// cut off; a record whose blocks are damaged does not count, and its work is done again.
//
//   <prefix>job              what was asked for, as text; written first
//   <prefix>core-N.log       records
//   <prefix>core-N.pairs     blocks of emitted pairs
//   <prefix>core-N.result    blocks of joined buckets
//
// The prefix is the folder, and what tells the jobs of one program apart.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/files/skipped_rows.hpp"
#include "gossamer/io/scratch_blocks.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/mapreduce/internal/spilling/spill_store.hpp"
#include "gossamer/message/core_id.hpp"

namespace gossamer::mapreduce {

/// A block and the list that it belongs to.
struct listed_block {
  std::uint64_t list;
  pair_block block;
};

/// Work that was done as a whole: tasks of the map stage, or buckets that were joined.
struct work_record {
  enum class kind : std::uint64_t { tasks, buckets };
  kind what = kind::tasks;
  std::uint64_t emitted = 0;
  std::vector<std::uint64_t> done;  // numbers of tasks or buckets
  std::vector<listed_block> blocks;
  skipped_rows skipped = {};  // by the tasks
};

class work_log {
 public:
  work_log() = default;
  /// Opens the log of a core, or begins one. Reads its records, and all blocks that they name: forgets those with a damaged
  /// one. Throws gossamer::error where the log belongs to another job.
  work_log(const std::string& prefix, core_id core, std::uint64_t job, const machine::scratch_file& pairs,
           const machine::scratch_file& result);

  bool is_open() const { return file_.is_open(); }
  /// Returns what was done before this start.
  const std::vector<work_record>& found() const { return found_; }
  /// Appends a record. Returns when it is on the disk; its blocks must be already.
  void add(const work_record& record);

 private:
  machine::scratch_file file_;
  std::vector<work_record> found_;
};

/// Returns how the names of a job's files begin; `part` is empty for the only job of its program.
std::string work_prefix(const std::string& folder, const std::string& part);
/// Names the file of a core: `what` is log, pairs or result.
std::string work_file(const std::string& prefix, core_id core, const char* what);
/// Writes what the job is to its folder, which is made where it is missing. Throws gossamer::error where the folder has the
/// work of another job.
void begin_work(const std::string& folder, const std::string& part, const std::string& job);
/// Removes the files of this core, and of the job where it is core 0.
void remove_work(const std::string& prefix, core_id core);

}  // namespace gossamer::mapreduce
