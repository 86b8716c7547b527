// gossamer structures: requests to a set.

#include "gossamer/kernels/internal/structure_set.hpp"

#include "gossamer/kernels/internal/structure_keys.hpp"

namespace gossamer::kernels {

structure_result ask_set(const structure_work& w) {
  return ask_keys<scoped_hash_set<std::uint64_t>, set_ends>(w);
}

}  // namespace gossamer::kernels
