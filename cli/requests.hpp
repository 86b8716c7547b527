#pragma once
// What `structures` and `bench structures` are asked to do, for the library.

#include "gossamer/kernels/structures.hpp"
#include "options.hpp"

namespace gossamer::cli {

/// What is not given is the paper's: all puts, of sets and maps half of them; 1,024 keys; 2,048 fibers on a
/// core.
kernels::structure_work requests_of(const options& o);

/// The index of a name in names, which has it.
template <class Names>
unsigned index_of(const Names& names, std::string_view name) {
  unsigned k = 0;
  while (names[k] != name) ++k;
  return k;
}

}  // namespace gossamer::cli
