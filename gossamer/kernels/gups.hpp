#pragma once
// Random access to a table distributed over the cores of the job: updates (RandomAccess of the HPC Challenge,
// measured in giga-updates per second) and reads with an answer (index gather, as in bale). Every operation
// is shipped to the owner of its cell, aggregated in packets.

#include <cstdint>
#include <functional>

#include "gossamer/base/check.hpp"
#include "gossamer/memory/array.hpp"

namespace gossamer::kernels {

struct table_work {
  std::uint64_t bytes = std::uint64_t{1} << 30;  // of the table: 64-bit cells
  std::uint64_t operations = 0;  // 0: as many as there are cells
  std::uint64_t seed = 1;
  bool verify = false;

  std::uint64_t cells() const { return bytes / 8; }
  std::uint64_t count() const { return operations != 0 ? operations : cells(); }
};

struct table_result {
  std::uint64_t operations = 0;
  double seconds = 0;
  check verified{};  // wrong cells or answers

  double mups() const { return seconds > 0 ? static_cast<double>(operations) / seconds / 1e6 : 0; }
};

/// Called between two rounds, some tens of millions of operations each, by the calling fiber.
using table_progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Xors random numbers into the cells that they select. Inside run(), by one fiber. To verify,
/// compares a checksum of the table with a serial one, then repeats the same updates, which must restore the
/// table. Throws gossamer::error if the table does not fit the memory.
table_result random_updates(const table_work& work, const table_progress& progress = {});

/// Reads random cells of a table that holds a known number in each. Memory: the table, and 16 MiB for each
/// core.
table_result random_reads(const table_work& work, const table_progress& progress = {});

}  // namespace gossamer::kernels
