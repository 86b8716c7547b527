#pragma once
// The contents of a checkpoint: the file `manifest` of its folder, which is written last. It names the parts,
// one file of each process, and the places of the blocks of each item in them. A block is at most a mebibyte
// of the data of one core, and has a checksum.
//
//   mark, format, bytes of the rest, their checksum; then, in words of 64 bits, the members of class manifest
//
// Numbers have the byte order of the machine: the program that wrote a checkpoint reads it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/memory/distribution.hpp"

namespace gossamer::checkpoints {

/// A block of an item.
struct stored_block {
  std::uint64_t process = 0;  // whose part holds it
  std::uint64_t core = 0;  // whose data it is
  std::uint64_t first = 0;  // offset in the data of the core
  std::uint64_t at = 0;  // offset in the part
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  // the checksum
};

enum class item_kind : std::uint64_t {
  value,  // bytes of process 0, in the manifest
  array,  // elements by index
  records,  // elements of each core, in its order
};

struct stored_item {
  std::string name;
  item_kind kind = item_kind::value;
  std::uint64_t element_bytes = 0;
  std::uint64_t elements = 0;  // of an array
  distribution where = {};  // of an array, over the number of cores in the manifest: its kind is not `block`
  std::string value = {};  // bytes
  std::vector<stored_block> blocks = {};  // ascending by core and byte
};

struct manifest {
  std::uint64_t generation = 0;  // 0: there is no checkpoint
  std::uint64_t job = 0;  // the checksum of the job's description
  std::uint64_t cores = 0, processes = 0;
  std::vector<stored_item> items = {};
};

/// Returns the bytes of the file.
std::string text_of(const manifest& m);
/// Reads the bytes of the file `path`. Throws gossamer::error if they are no manifest, have another format,
/// or are damaged.
manifest manifest_in(std::span<const std::byte> bytes, const std::string& path);

/// Returns the name of the part of a process: "work/7-process-2.part".
std::string part_name(const std::string& folder, std::uint64_t generation, std::uint64_t process);

}  // namespace gossamer::checkpoints
