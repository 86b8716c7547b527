#include "label_index.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace gossamer::python {
namespace {

std::string_view name_of(const graph::labels& names, std::uint64_t v) {
  return names.text(static_cast<graph::vertex_id>(v));
}

std::uint64_t hash_of(std::string_view name) { return std::hash<std::string_view>{}(name); }

}  // namespace

std::optional<std::uint64_t> label_index::find(const graph::labels& names, std::string_view text) {
  const bool by_table = names.form() == graph::labels::kind::strings && names.size() < word_table::k_free;
  if (!by_table || !searched_) {
    searched_ = true;
    const auto v = names.find(text);
    return v ? std::optional<std::uint64_t>(*v) : std::nullopt;
  }
  if (table_.empty()) {
    table_.reserve(names.size());
    constexpr std::uint64_t k_ahead = 16;  // places in the table that are fetched while names are read
    std::array<std::uint64_t, k_ahead> hashes;
    for (std::uint64_t begin = 0; begin < names.size(); begin += k_ahead) {
      const std::uint64_t end = std::min(begin + k_ahead, names.size());
      for (std::uint64_t v = begin; v < end; ++v)
        table_.prefetch(hashes[v - begin] = hash_of(name_of(names, v)));
      for (std::uint64_t v = begin; v < end; ++v)
        table_.add(hashes[v - begin], static_cast<std::uint32_t>(v));
    }
  }
  const std::uint32_t v =
      table_.find(hash_of(text), [&](std::uint32_t same) { return name_of(names, same) == text; });
  return v == word_table::k_free ? std::nullopt : std::optional<std::uint64_t>(v);
}

}  // namespace gossamer::python
