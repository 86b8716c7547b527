#pragma once
// The state of one process in a sort of lines: its block of the input, its buckets, its range of the result.
// The stages are called in order, each in all processes at once, by their first cores; inside, all cores of
// the process work.
//
//   read        opens the files, decompresses compressed ones
//   exchange    with several processes: each gets a range of the order, as text
//   deal        draws samples, chooses splitters, distributes the lines to buckets; each core fills its own
//   sort        sorts each bucket on one core; there are many more buckets than cores
//   write       writes the lines of the buckets, in chunks
//
// Input that does not fit the memory is read in batches. make_runs() distributes, sorts and stores each as a
// run; several processes exchange the runs (run_exchange.hpp); merge() writes them.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/files/chunk_output.hpp"
#include "gossamer/files/input_files.hpp"
#include "gossamer/parallel/per_process.hpp"
#include "gossamer/sort/internal/line_reader.hpp"
#include "gossamer/sort/internal/line_rule.hpp"
#include "gossamer/sort/internal/line_runs.hpp"
#include "gossamer/sort/internal/line_scan.hpp"
#include "gossamer/sort/internal/line_texts.hpp"
#include "gossamer/sort/internal/run_exchange.hpp"
#include "gossamer/sort/internal/skipped_lines.hpp"
#include "gossamer/sort/sort_buffer.hpp"

namespace gossamer::sorting {

/// The state of one process, described above. Only process 0 has progress, stages and output.
class line_job {
 public:
  files::input_files input;
  std::string header;  // of the first file; empty: none
  std::string scratch;  // the folder; empty: the default one
  std::function<void(const char* stage)> begin_stage;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  machine::output_file* file = nullptr;

  const line_reader& reader() const { return reader_; }
  void read(const line_rule& rule);
  /// Chooses the ranges of all processes. Collective over the processes, like exchange() and write(): these
  /// throw nothing while other processes wait for them. The other stages may fail in one process.
  void choose_ranges();
  void deal_to_processes();
  void exchange();
  void deal();
  void sort(io::compression how);
  void write(io::compression how);

  /// Reads the next batch of this process's block instead of all of it.
  void read_batch(const line_rule& rule, std::uint64_t bytes);
  /// Determines whether any process has more than a batch. Collective.
  void agree();
  bool in_runs() const { return in_runs_; }
  /// Sorts the current batch and all later ones into runs. Closes the files.
  void make_runs(std::uint64_t memory_bytes);
  line_runs& runs() { return *runs_; }
  run_exchange& exchange_of_runs() { return *exchange_; }
  /// Writes the lines of all runs to the output, in chunks. Collective, like write().
  void merge(io::compression how);

  /// Seconds by stage of make_runs().
  struct run_times {
    double read = 0, deal = 0, sort = 0, store = 0;
  };
  const run_times& times() const { return times_; }
  /// Returns the number of runs that this process has made, before the exchange.
  std::uint64_t runs_made() const { return runs_made_; }

  /// Returns the number of buckets of this process.
  std::uint64_t buckets() const { return sorted_.size(); }
  /// The skipped lines of this process's block; for the first one the number of its file, its position and
  /// its problem.
  struct skipped {
    std::uint64_t lines = 0;
    std::uint32_t file = 0;
    std::string first = {};
  };
  const skipped& left_out() const { return skipped_; }
  /// Returns the number of lines in this process's range, before equal keys were dropped.
  std::uint64_t lines_read() const { return lines_read_; }
  /// Returns the number of lines in its range of the result.
  std::uint64_t lines_written() const;

 private:
  /// A range of lines of a bucket.
  struct chunk {
    std::uint32_t bucket;
    std::size_t begin, end;
  };
  struct sorted_bucket {
    sort_buffer<wide_key> entries;
    std::size_t lines = 0;
    std::vector<chunk> chunks = {};
    std::vector<std::uint64_t> chunk_bytes = {};
  };
  using core_buckets = local::scoped_per_core<line_buckets>;

  void close_files();
  template <class F>
  void over(std::uint64_t tasks, F f);
  void note_skipped(const local::scoped_per_core<skipped_lines>& by_core);
  void deal_to(core_buckets& buckets, const line_splitters& splitters, bool by_origin);
  std::uint64_t origin_of(std::uint32_t number) const;
  std::vector<line_sample> samples_of_all();
  void store(line_runs& runs);
  std::vector<char> text_for(const std::vector<std::uint64_t>& lines) const;
  void sort_bucket(std::size_t number, std::uint64_t chunk_bytes);
  void fill(const chunk& from, char* to) const;

  line_rule rule_;
  line_reader reader_{input};
  line_texts texts_;
  std::unique_ptr<line_splitters> ranges_;  // of processes
  std::vector<std::vector<char>> outgoing_, received_;  // by process
  std::vector<line_chunk> scanned_;
  std::unique_ptr<core_buckets> dealt_;
  std::vector<sorted_bucket> sorted_;
  std::unique_ptr<line_runs> runs_;
  std::unique_ptr<run_exchange> exchange_;
  run_times times_;
  std::uint64_t runs_made_ = 0;
  bool has_more_ = false, in_runs_ = false;
  std::uint64_t lines_read_ = 0, merged_lines_ = 0;
  skipped skipped_;
  std::atomic<std::uint64_t> done_{0};  // tasks of a stage; relaxed: for progress only
  std::atomic<bool> failed_{false};  // relaxed: other cores stop soon
};

}  // namespace gossamer::sorting
