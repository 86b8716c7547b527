#pragma once
// The finished work of a core in a resumable job: a log of records in a file. Each record has a checksum and
// names blocks in another file, which are on the disk before the record is. Bytes after the last whole record
// are cut off. A record whose blocks are damaged does not count, and its work is repeated.
//
//   <prefix>job              description of the job, as text; written first
//   <prefix>core-N.log       records
//   <prefix>core-N.pairs     blocks of emitted pairs
//   <prefix>core-N.result    blocks of joined buckets
//
// The prefix is the folder, and a name that distinguishes the jobs of one program.

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

/// A unit of finished work: tasks of the map stage, or buckets that were joined.
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
  /// Opens the log of a core, or begins one. Reads its records, and all blocks that they name. Drops records
  /// with a damaged block. Throws gossamer::error if the log belongs to another job.
  work_log(const std::string& prefix, core_id core, std::uint64_t job, const machine::scratch_file& pairs,
           const machine::scratch_file& result);

  bool is_open() const { return file_.is_open(); }
  /// Returns the work that was finished before this start.
  const std::vector<work_record>& found() const { return found_; }
  /// Appends a record. Returns when it is on the disk. Its blocks must be on the disk before.
  void add(const work_record& record);

 private:
  machine::scratch_file file_;
  std::vector<work_record> found_;
};

/// Returns the prefix of the names of a job's files; `part` is empty for the only job of its program.
std::string work_prefix(const std::string& folder, const std::string& part);
/// Returns the name of a core's file: `what` is log, pairs or result.
std::string work_file(const std::string& prefix, core_id core, const char* what);
/// Writes the description of the job to its folder, which is made if it is missing. Throws gossamer::error if
/// the folder has the work of another job.
void begin_work(const std::string& folder, const std::string& part, const std::string& job);
/// Removes the files of this core, and on core 0 also those of the job.
void remove_work(const std::string& prefix, core_id core);

}  // namespace gossamer::mapreduce
