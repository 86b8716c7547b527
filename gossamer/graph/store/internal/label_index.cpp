#include "gossamer/graph/store/internal/label_index.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "gossamer/graph/store/internal/name_hash.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

label_table::label_table(const labels& names) : slots_(slots_for(names.size())) {
  constexpr std::uint64_t k_ahead = 16;  // slots prefetched while names are read
  std::array<std::uint64_t, k_ahead> hashes;
  for (std::uint64_t begin = 0; begin < names.size(); begin += k_ahead) {
    const std::uint64_t end = std::min(begin + k_ahead, names.size());
    for (std::uint64_t v = begin; v < end; ++v) {
      const std::uint64_t hash = hashes[v - begin] = hash_name(names.text(static_cast<vertex_id>(v)));
      __builtin_prefetch(&slots_[first(hash)], 1);
    }
    for (std::uint64_t v = begin; v < end; ++v) {
      std::uint64_t i = first(hashes[v - begin]);
      while (slots_[i].after != 0) i = next(i);
      slots_[i] = {static_cast<std::uint32_t>(hashes[v - begin]), static_cast<vertex_id>(v + 1)};
    }
  }
}

std::optional<vertex_id> label_table::find(const labels& names, std::string_view text) const {
  const std::uint64_t hash = hash_name(text);
  for (std::uint64_t i = first(hash); slots_[i].after != 0; i = next(i)) {
    const vertex_id v = slots_[i].after - 1;
    if (slots_[i].tag == static_cast<std::uint32_t>(hash) && names.text(v) == text) return v;
  }
  return std::nullopt;
}

label_index::~label_index() { delete table_.load(std::memory_order_relaxed); }

const label_table* label_index::table_of(const labels& names) {
  // acquire: pairs with the release below, which publishes the table
  if (const label_table* const made = table_.load(std::memory_order_acquire)) return made;
  // relaxed: a hint, which orders nothing
  if (!searched_.exchange(true, std::memory_order_relaxed)) return nullptr;
  if (!machine::may_take(label_table::bytes_for(names.size()))) return nullptr;
  auto table = std::make_unique<const label_table>(names);
  const label_table* other = nullptr;  // made by another thread in the meantime
  if (table_.compare_exchange_strong(other, table.get(), std::memory_order_release,
                                     std::memory_order_acquire))
    return table.release();
  return other;
}

std::uint64_t label_index::memory_bytes() const {
  const label_table* const table = table_.load(std::memory_order_acquire);  // pairs with table_of()'s release
  return table ? table->memory_bytes() : 0;
}

}  // namespace gossamer::graph
