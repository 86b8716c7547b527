#pragma once
// Compressed blocks in scratch files, each with a checksum that is compared whenever it is read; and runs of records,
// which are blocks one after the other. A record is never divided between blocks, so it is read where it lies.
// The places of blocks are kept by their user: in memory, or in a file of its own.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::io {

/// Where a block lies in its file. Bytes only: may be written to a file.
struct block_place {
  std::uint64_t at = 0;  ///< in the file
  std::uint64_t stored = 0;  ///< bytes there
  std::uint64_t raw = 0;  ///< bytes before they were compressed
  std::uint64_t sum = 0;  ///< the checksum of what is stored
};

/// Compresses blocks and reads them. One for each thread or core: it has about 1 MiB of room to compress, and half a block to
/// read.
class block_codec {
 public:
  block_codec();
  ~block_codec();
  block_codec(block_codec&&) noexcept;
  block_codec& operator=(block_codec&&) noexcept;

  /// Appends a block to a file. Bytes that hardly shrink are stored as they are.
  block_place write(machine::scratch_file& to, std::span<const std::byte> raw);
  /// Reads a block to `into`, whose size it sets. Throws gossamer::error where what is stored has been damaged.
  void read(const machine::scratch_file& from, const block_place& place, std::vector<std::byte>& into);
  /// Returns whether a block is as it was written. Reads what is stored.
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
  /// `block_bytes`: of records, before they are compressed. A longer record has a block of its own.
  run_writer(machine::scratch_file& to, block_codec& codec, std::size_t block_bytes);

  /// Returns room for a record, to be filled before the next call.
  std::span<std::byte> add(std::size_t bytes);
  /// Writes what is left and returns the run. The writer begins anew.
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
  /// All three stay while it reads.
  run_reader(const machine::scratch_file& from, block_codec& codec, const block_run& run)
      : from_(&from), codec_(&codec), run_(&run) {}

  /// Returns the next block: whole records; nothing at the end. It stays until the next call.
  std::span<const std::byte> next();

 private:
  const machine::scratch_file* from_;
  block_codec* codec_;
  const block_run* run_;
  std::size_t at_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace gossamer::io
