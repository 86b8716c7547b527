#pragma once
// Sorted runs of lines in scratch files, for input that does not fit the memory, and their merge. A run is a
// list of compressed blocks, each the text of consecutive lines of the order. The keys of the first and last
// line of each block stay in memory.
//
// The merge divides the order into ranges by splitters chosen from the first lines of all blocks. A core
// loads the blocks with lines of a range from all runs, and sorts these lines like a bucket
// (line_sorter.hpp): equal keys keep the order of the runs, which is that of the input. So ranges are
// independent of one another.
//
// If keys share more bytes than are stored of them, a range may have more blocks than fit the memory. Then
// its runs are merged line by line, with one block of each in memory.
//
//   run 0   [..|......|....]      blocks, each of at most block_bytes()
//   run 1   [....|...|.....]
//   range       <------>          blocks that belong to several ranges are read once for each

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/io/scratch_blocks.hpp"
#include "gossamer/machine/scratch_file.hpp"
#include "gossamer/parallel/local.hpp"
#include "gossamer/sort/internal/line_rule.hpp"
#include "gossamer/sort/internal/line_splitters.hpp"

namespace gossamer::sorting {

/// Consecutive lines of a run.
struct run_block {
  io::block_place place;
  unsigned writer = 0;  // the core that owns its file
  std::uint64_t lines = 0;
  line_sample first = {}, last = {};
  bool first_is_cut = false, last_is_cut = false;  // the key is longer than its stored part
};
using line_run = std::vector<run_block>;

/// Returns the first and the last bucket that may have lines of a block.
std::pair<std::size_t, std::size_t> ranges_of(const line_splitters& splitters, const run_block& block,
                                              bool reverse);

/// The runs of one process. Its first core calls its functions, which suspend, except those of
/// line_run_writer.
class line_runs {
 public:
  /// Opens a scratch file for each core in `folder`. A merge may use `memory_bytes` for lines. Throws
  /// gossamer::error.
  line_runs(const line_rule& rule, std::string folder, std::uint64_t memory_bytes);

  /// Returns the bytes of lines and entries of a block, before compression.
  std::size_t block_bytes() const { return block_bytes_; }
  /// Appends a run, which follows all others in the input. Its blocks are in order.
  void append(line_run run);
  std::size_t size() const { return runs_.size(); }
  const std::vector<line_run>& runs() const { return runs_; }
  /// Numbers the runs among those of all processes.
  void number(const std::vector<std::uint64_t>& numbers);
  /// Removes and returns the runs. Their blocks stay in the files.
  std::vector<line_run> take() { return std::exchange(runs_, {}); }
  /// Reads the text of a block, on any core.
  void read(const run_block& block, std::vector<std::byte>& into) const;
  /// Reads the stored bytes of a block.
  void read_stored(const run_block& block, std::span<std::byte> into) const;
  /// Appends a block of another process to the file of this core, and sets its place.
  void add_stored(run_block& block, std::span<const std::byte> stored) const;
  /// Returns the compressed bytes of all files, of all passes.
  std::uint64_t stored_bytes() const;
  /// Returns the number of passes over all lines that merged runs into longer ones.
  unsigned passes() const { return passes_; }

  /// Merges runs into longer ones until merge() can hold a block of each.
  void shorten();
  /// Merges the lines of all runs into text, in chunks, on the first core. Calls make(text) on any core for
  /// each chunk, and take() with its results, in order. Returns the number of lines.
  std::uint64_t merge(function_ref<std::string(std::string text)> make,
                      function_ref<void(const std::string& chunk)> take,
                      function_ref<void(std::uint64_t done, std::uint64_t total)> progress);

  /// The file and buffers of a core.
  struct writer {
    machine::scratch_file file;
    io::block_codec codec;
  };
  writer& here() const { return writers_->here(); }
  const line_rule& rule() const { return rule_; }

 private:
  struct range_plan {
    std::unique_ptr<line_splitters> splitters;
    std::vector<std::vector<const run_block*>> blocks;  // by range, in the order of the runs
    std::size_t most_blocks = 0;  // of a range that is loaded as a whole

    bool is_large(std::size_t range) const { return blocks[range].size() > most_blocks; }
  };
  class run_cursor;
  static void number_run(line_run& run, std::uint64_t number);
  void open_files();
  std::uint64_t most_runs() const;
  range_plan plan(std::size_t first, std::size_t last, unsigned at_once) const;
  unsigned merges_at_once(std::size_t runs) const;
  /// Calls f(line) for the lines of a range, in order.
  template <class F>
  std::uint64_t merge_range(const range_plan& plan, std::size_t range, F f) const;
  /// Does the same with one block of each run in memory.
  template <class F>
  std::uint64_t merge_large_range(const range_plan& plan, std::size_t range, F f) const;
  line_run merged(std::size_t first, std::size_t last);

  line_rule rule_;
  std::string folder_;
  std::uint64_t memory_bytes_;
  std::size_t block_bytes_;
  std::unique_ptr<local::scoped_per_core<writer>> writers_,
      before_;  // before_: read while runs are merged into runs
  std::vector<line_run> runs_;
  std::uint64_t stored_before_ = 0;
  unsigned passes_ = 0;
};

/// Writes consecutive lines of a run, on one core. Computes and writes only.
class line_run_writer {
 public:
  explicit line_run_writer(const line_runs& runs);

  /// Appends a line without its line end.
  void add(std::string_view line);
  /// Writes the rest and returns the blocks.
  line_run finish();

 private:
  line_sample sample_of(std::string_view line, bool& is_cut);
  void flush();

  const line_runs& runs_;
  line_runs::writer& to_;
  std::vector<char> block_;
  std::size_t weight_ = 0, lines_ = 0, last_ = 0;  // of the block; the offset of its last line
  line_run done_;
  std::string scratch_;
};

}  // namespace gossamer::sorting
