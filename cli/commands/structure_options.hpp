#pragma once
// Options of `structures` and `bench structures`: the workload.

#include <cstdint>
#include <optional>
#include <string>

#include "gossamer/kernels/structures.hpp"
#include "parse/declaration.hpp"

namespace gossamer::cli {

struct structure_options {
  std::string structure;                 // stack, queue, set or map
  std::optional<unsigned> puts, erases;  // percent
  std::optional<std::uint64_t> keys, cells, fibers, payload;
  std::uint64_t operations = 0;
  bool bulk = false, pending = false, phases = false;
  std::string combining;  // empty: the job's

  void declare(declaration& d);
  /// Returns the workload. Options that are not given take the paper's values: all puts, of sets and maps
  /// half of them; 1,024 keys; 2,048 fibers on a core.
  kernels::structure_work work() const;
};

}  // namespace gossamer::cli
