#include "gossamer/graph/store/internal/memory_pool.hpp"

#include <functional>
#include <utility>

#include "gossamer/base/bits.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_page = 4096;  // alignment of parts, so that they can be returned to the system

}  // namespace

void memory_pool::give(memory_chunk chunk) {
  if (!chunk.region || chunk.bytes == 0) return;
  chunk.bytes = round_up(chunk.bytes, k_page);
  const auto room = static_cast<std::uint64_t>(chunk.region->data() + chunk.region->size() - chunk.data);
  chunk.bytes = std::min(chunk.bytes, room);
  free_.push_back(std::move(chunk));
  joined_ = false;
}

// Merges adjacent parts.
void memory_pool::join() {
  std::sort(free_.begin(), free_.end(),
            [](const memory_chunk& a, const memory_chunk& b) { return std::less<>()(a.data, b.data); });
  std::vector<memory_chunk> all;
  for (memory_chunk& s : free_) {
    if (!all.empty() && all.back().region == s.region && all.back().data + all.back().bytes == s.data)
      all.back().bytes += s.bytes;
    else
      all.push_back(std::move(s));
  }
  free_ = std::move(all);
  joined_ = true;
}

memory_chunk memory_pool::take(std::uint64_t bytes) {
  if (!joined_) join();
  auto best = free_.end();
  for (auto i = free_.begin(); i != free_.end(); ++i)
    if (i->bytes >= bytes && (best == free_.end() || i->bytes < best->bytes)) best = i;
  if (best == free_.end() || bytes < k_page) return new_chunk(bytes);
  memory_chunk taken{best->region, best->data, bytes};
  const std::uint64_t used = std::min(round_up(bytes, k_page), best->bytes);
  best->data += used;
  best->bytes -= used;
  if (best->bytes == 0) free_.erase(best);
  return taken;
}

memory_pool::~memory_pool() {
  if (!joined_) join();
  const std::uint64_t page = machine::page_bytes();
  for (memory_chunk& s : free_) {
    if (s.region.use_count() == 1) continue;  // freed as a whole
    const auto begin = round_up(static_cast<std::uint64_t>(s.data - s.region->data()), page);
    const auto end = round_down(static_cast<std::uint64_t>(s.data - s.region->data()) + s.bytes, page);
    if (begin < end) s.region->discard(begin, end - begin);
  }
}

}  // namespace gossamer::graph
