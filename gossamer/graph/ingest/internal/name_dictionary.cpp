#include "gossamer/graph/ingest/internal/name_dictionary.hpp"

#include <fmt/format.h>

#include <bit>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/ingest/internal/clean_names.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

void check_count(std::uint64_t vertices, const char* what) {
  if (vertices >= k_no_vertex)
    throw error(fmt::format("more than 4,294,967,294 {}: build with GOSSAMER_VERTEX_BITS=64", what));
}

vertex_id name_dictionary::add(std::uint64_t at, std::string_view name, std::uint64_t hash,
                               std::uint64_t position) {
  if (!is_clean_name(name)) return k_no_vertex;
  check_count(entries_.size() + 1, "names");
  const auto number = static_cast<vertex_id>(entries_.size());
  slots_[at] = {hash, number, kept_length(name.size())};
  entries_.push_back({position, text_.size()});
  text_.append(name);
  return number;
}

void name_dictionary::grow() {
  constexpr std::uint64_t k_least = 256, k_fast = std::uint64_t{1} << 14;
  const std::uint64_t old = slots_.size();
  const std::uint64_t size = old == 0 ? k_least : old < k_fast ? 4 * old : 2 * old;
  const std::uint64_t average = entries_.empty() ? 16 : text_.size() / entries_.size();
  machine::require_chunk(size * sizeof(slot) + size / 3 * (sizeof(entry) + average), "reading names");
  buffer<slot> larger(size);
  shift_ = static_cast<unsigned>(64 - std::countr_zero(size));
  limit_ = size / 3 * 2;
  std::swap(slots_, larger);
  for (const slot& s : larger.all()) {
    if (s.length == k_free) continue;
    std::uint64_t i = s.hash >> shift_;
    while (slots_[i].length != k_free) i = next(i);
    slots_[i] = s;
  }
}

}  // namespace gossamer::graph
