#pragma once
// Compressed blocks in scratch files, with checksums that are verified at each read; and runs of records,
// which are consecutive blocks. A record is never divided between blocks, so it is read in place. The user
// keeps the places of blocks, in memory or in another file.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::io {

/// The place of a block in its file. Trivially copyable: may be written to a file.
struct block_place {
  std::uint64_t at = 0;  ///< in the file
  std::uint64_t stored = 0;  ///< bytes in the file
  std::uint64_t raw = 0;  ///< bytes before compression
  std::uint64_t sum = 0;  ///< checksum of the stored bytes
};

/// Compresses blocks and reads them. One for each thread or core. Takes about 1 MiB to compress, and half a
/// block to read.
class block_codec {
 public:
  block_codec();
  ~block_codec();
  block_codec(block_codec&&) noexcept;
  block_codec& operator=(block_codec&&) noexcept;

  /// Appends a block to a file. Data that hardly shrinks is stored uncompressed.
  block_place write(machine::scratch_file& to, std::span<const std::byte> raw);
  /// Reads a block into `into`, and sets its size. Throws gossamer::error if the stored bytes are damaged.
  void read(const machine::scratch_file& from, const block_place& place, std::vector<std::byte>& into);
  /// Returns whether a block has its checksum. Reads the stored bytes.
  bool is_whole(const machine::scratch_file& file, const block_place& place);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// A run of records in a file.
using block_run = std::vector<block_place>;

/// Writes a run, record by record.
class run_writer {
 public:
  /// Begins a run. `block_bytes`: size of a block before compression. A longer record has a block of its own.
  run_writer(machine::scratch_file& to, block_codec& codec, std::size_t block_bytes);

  /// Returns the memory of a record, to be filled before the next call.
  std::span<std::byte> add(std::size_t bytes);
  /// Writes the rest and returns the run. Afterwards the writer begins another run.
  block_run finish();

 private:
  void flush();

  machine::scratch_file* to_;
  block_codec* codec_;
  std::size_t block_bytes_;
  std::vector<std::byte> block_;
  block_run run_;
};

/// Reads a run, block by block.
class run_reader {
 public:
  /// Begins to read a run. All three arguments must outlive the reader.
  run_reader(const machine::scratch_file& from, block_codec& codec, const block_run& run)
      : from_(&from), codec_(&codec), run_(&run) {}

  /// Returns the next block, which has whole records; nothing at the end. It stays valid until the next call.
  std::span<const std::byte> next();

 private:
  const machine::scratch_file* from_;
  block_codec* codec_;
  const block_run* run_;
  std::size_t at_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace gossamer::io
