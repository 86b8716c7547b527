#pragma once
// The labels of the ids of a range that appear.

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/graph/ingest/internal/id_bitmap.hpp"
#include "gossamer/graph/store/internal/buffer.hpp"
#include "gossamer/graph/store/internal/labels.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {

/// Returns the labels of the `count` ids that appear in `present`, which was numbered and is on the heap.
/// Uses the cores of this process.
inline labels compacted_labels(const id_bitmap& present, std::uint64_t count, const labels& range) {
  GOSSAMER_ASSERT(range.form() == labels::kind::range);
  buffer<std::uint64_t> ids(count);
  local::forall_chunks(
      0, present.words(), 1024,
      [all = &present, to = ids.data(), first = range.first()](std::uint64_t b, std::uint64_t e) {
        for (; b < e; ++b) {
          std::uint64_t at = all->before(b);
          for (std::uint64_t word = all->bits(b); word != 0; word &= word - 1)
            to[at++] = first + b * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
        }
      });
  const std::span<const std::uint64_t> all = ids.all();
  return labels::integers(all, std::move(ids).share());
}

}  // namespace gossamer::graph
