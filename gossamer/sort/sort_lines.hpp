#pragma once
// Sorts the lines of files on all cores and processes: by the whole lines in byte order, or by a field as
// text or as a number. A sample sort over entries of 16 bytes: eight bytes of the key, and the position of
// the line. Lines are read again only if those eight bytes are equal, and copied once, to the output.
//
//   sort_lines({"a.tsv", "b.tsv.gz"}, {.field = 3, .numeric = true}, "sorted.tsv");

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/sort/pivots.hpp"

namespace gossamer {

/// The order of lines.
struct line_order {
  std::uint32_t field = 0;  ///< from 1; 0: the whole line, unless `column` is given
  std::string column = {};  ///< the name of the field in the header
  char separator = 0;  ///< of fields; 0: runs of spaces and tabs
  bool quotes =
      true;  ///< with a separator, fields may be quoted and contain separators and line ends (RFC 4180)
  bool numeric = false;  ///< keys are decimal numbers
  bool reverse = false;  ///< descending; equal keys stay in the order of the input
  bool unique = false;  ///< keeps the first of equal keys only
  /// Whether each file begins with the same header, which is written first, once. With a separator each line
  /// has equally many fields.
  bool header = false;
};

/// Wall time of each stage, and amounts.
struct sort_lines_statistics {
  double open_seconds = 0;  ///< opening files, decompressing compressed ones
  double exchange_seconds = 0;  ///< sending lines to their processes
  double deal_seconds = 0;  ///< reading lines and distributing them to buckets
  double sort_seconds = 0;  ///< sorting buckets
  double write_seconds = 0;  ///< writing lines
  std::uint64_t lines_read = 0;  ///< without headers and skipped lines
  std::uint64_t lines_written = 0;  ///< the same; fewer if equal keys were dropped
  std::uint64_t skipped = 0;  ///< lines with an error that were skipped
  std::string first_skipped = {};  ///< position and error of the first of them
  std::uint64_t buckets = 0;  ///< of process 0; 0 if lines went to scratch files
  std::uint64_t runs = 0;  ///< runs in scratch files; 0: everything was sorted in memory
  std::uint64_t run_bytes = 0;  ///< of scratch files, compressed
  unsigned passes = 0;  ///< passes that merged runs into longer ones, because there were too many
  double run_seconds = 0;  ///< writing runs, and merging them into longer ones
  std::uint32_t field = 0;  ///< the field of the keys, even if its name was given; 0: the whole line
};

/// The options of sort_lines().
struct sort_lines_options {
  /// The smallest memory_bytes.
  static constexpr std::uint64_t k_least_memory = std::uint64_t{1} << 20;
  /// Called at the beginning of a stage, with its name and 0 of 0, and on core 0 between its chunks. May
  /// throw to end the job.
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
  sort_lines_statistics* statistics = nullptr;  ///< receives the statistics; null: none
  /// The maximum bytes of memory for lines in each process, with 32 more per line; 0: the available memory.
  /// If that does not suffice, sorted runs go to compressed scratch files, and are merged to the output.
  std::uint64_t memory_bytes = 0;
  std::string scratch = {};  ///< the folder of scratch files, which have no names; empty: $TMPDIR, or /tmp
  bool skip_bad = false;  ///< skips lines with an error, and counts them, instead of throwing
  pivots choose_pivots = pivots::all_cores;  ///< for sort_binary() only; one_core: for comparison
};

/// Writes the lines of `files` in order to `output`. Files are plain, gzip, zstd, bzip2 or xz. The output is plain, or gzip or zstd if its
/// name ends in .gz or .zst. "-" is standard input, or output. Stable. Adds a missing line end to the last line. The output appears
/// when it is complete. By one fiber; suspends. Every process must see the same files; process 0 writes.
///
/// Throws gossamer::error for files that cannot be read or written, and if memory does not suffice. Throws it
/// for a line without the field or, with `numeric`, without a number there; `skip_bad` skips such lines.
/// Numbers of any length are compared exactly, as they are written; NaN comes last. Costs 16 bytes per line,
/// and the text of files that are compressed or read from a pipe; plain files stay mapped. With several
/// processes each holds its range of the order as text. Lines that do not fit go to scratch files
/// (sort_lines_options::memory_bytes); the output is the same.
void sort_lines(const std::vector<std::string>& files, const line_order& order, const std::string& output,
                const sort_lines_options& options = {});

}  // namespace gossamer
