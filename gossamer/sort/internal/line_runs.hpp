#pragma once
// Sorted runs of lines in scratch files, for what does not fit the memory, and their merge. A run is a list of compressed
// blocks, each the text of lines that follow one another in the order. Of each block the keys of its first and last line
// stay in memory.
//
// The merge divides the order into ranges by splitters that are chosen from the first lines of all blocks. A core loads the
// blocks that have lines of a range from all runs, and sorts these lines as a bucket is sorted (line_sorter.hpp): equal keys
// follow the order of the runs, which is that of the input. So ranges are independent of one another.
//
// Where keys have more in common than what is kept of them, a range may have more blocks than there is room for: its runs are
// merged line by line, with one block of each in memory.
//
//   run 0   [..|......|....]      blocks, each of at most block_bytes()
//   run 1   [....|...|.....]
//   range       <------>          blocks that reach into a range are read once more for each neighbour

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

/// Lines of a run that follow one another.
struct run_block {
  io::block_place place;
  unsigned writer = 0;  // the core whose file has it
  std::uint64_t lines = 0;
  line_sample first = {}, last = {};
  bool first_is_cut = false, last_is_cut = false;  // the key is longer than what is kept of it
};
using line_run = std::vector<run_block>;

/// Returns the first and the last bucket that lines of a block may be in.
std::pair<std::size_t, std::size_t> ranges_of(const line_splitters& splitters, const run_block& block,
                                              bool reverse);

/// The runs of one process. Its functions are called by its first core and suspend, but for those of line_run_writer.
class line_runs {
 public:
  /// Opens a scratch file for each core in `folder`. `memory_bytes`: what a merge may take for lines. Throws gossamer::error.
  line_runs(const line_rule& rule, std::string folder, std::uint64_t memory_bytes);

  /// Counts the bytes of lines and entries that a block holds, before they are compressed.
  std::size_t block_bytes() const { return block_bytes_; }
  /// Appends a run, which follows all others in the input. Its blocks are in order.
  void append(line_run run);
  std::size_t size() const { return runs_.size(); }
  const std::vector<line_run>& runs() const { return runs_; }
  /// Numbers the runs among those of all processes.
  void number(const std::vector<std::uint64_t>& numbers);
  /// Takes the runs away. Their blocks stay in the files.
  std::vector<line_run> take() { return std::exchange(runs_, {}); }
  /// Reads the text of a block, on any core.
  void read(const run_block& block, std::vector<std::byte>& into) const;
  /// Reads a block as it is stored.
  void read_stored(const run_block& block, std::span<std::byte> into) const;
  /// Appends a block of another process to the file of this core, and notes its place.
  void add_stored(run_block& block, std::span<const std::byte> stored) const;
  /// Counts the bytes of all files, compressed, of all passes.
  std::uint64_t stored_bytes() const;
  /// Counts the passes over all lines that merged runs to longer ones.
  unsigned passes() const { return passes_; }

  /// Merges runs to longer ones until merge() has room for a block of each.
  void shorten();
  /// Gives the lines of all runs in order as text, in chunks in order, on the first core. `make`, on any core, is given each
  /// chunk before and returns what `take` gets. Returns how many lines there were.
  std::uint64_t merge(function_ref<std::string(std::string text)> make,
                      function_ref<void(const std::string& chunk)> take,
                      function_ref<void(std::uint64_t done, std::uint64_t total)> progress);

  /// What a core writes and reads with.
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
  /// Calls f(line) for the lines of a range in order.
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
      before_;  // before_: those that are read while runs are merged to runs
  std::vector<line_run> runs_;
  std::uint64_t stored_before_ = 0;
  unsigned passes_ = 0;
};

/// Writes lines that follow one another, on one core. Computes and writes only.
class line_run_writer {
 public:
  explicit line_run_writer(const line_runs& runs);

  /// Appends a line without its line end.
  void add(std::string_view line);
  /// Writes what is left and returns the blocks.
  line_run finish();

 private:
  line_sample sample_of(std::string_view line, bool& is_cut);
  void flush();

  const line_runs& runs_;
  line_runs::writer& to_;
  std::vector<char> block_;
  std::size_t weight_ = 0, lines_ = 0, last_ = 0;  // of the block; where its last line begins
  line_run done_;
  std::string scratch_;
};

}  // namespace gossamer::sorting
