#include "arrow_graph.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "gossamer/base/error.hpp"

namespace gossamer::python {
namespace {

using graph::id_column;
using graph::vertex_id;

/// Returns the place of integers that can be read where they lie.
std::optional<id_column> in_place(const arrow_column& c) {
  if (c.chunks().size() != 1) return std::nullopt;
  std::optional<id_column> ids;
  c.for_each_chunk([&]<class T>(const T* values, std::uint64_t n) {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
      using type = id_column::type;
      const bool wide = sizeof(T) == 8;
      const type is =
          std::is_signed_v<T> ? (wide ? type::int64 : type::int32) : (wide ? type::uint64 : type::uint32);
      if (reinterpret_cast<std::uintptr_t>(values) % alignof(T) == 0) ids = id_column{values, n, 1, is};
    }
  });
  return ids;
}

/// A column of ids, and its memory where it had to be copied.
struct ids_of_column {
  explicit ids_of_column(const arrow_column& c) {
    c.refuse_nulls();
    if (const auto there = in_place(c)) {
      ids = *there;
      return;
    }
    if (copy_unsigned(c)) {
      ids = {copy.data(), copy.size(), 1, id_column::type::uint64};
      return;
    }
    copy = c.integers();
    ids = {copy.data(), copy.size(), 1, id_column::type::int64};
  }
  /// Copies integers without sign of 64 bits, of which those from 2^63 on have no number of `integers`. Returns whether they are such.
  bool copy_unsigned(const arrow_column& c) {
    bool is_unsigned = false;
    c.for_each_chunk([&]<class T>(const T* values, std::uint64_t n) {
      if constexpr (std::is_same_v<T, std::uint64_t>) {
        is_unsigned = true;
        for (std::uint64_t at = 0; at < n; ++at)
          copy.push_back(static_cast<std::int64_t>(arrow_load<T>(values, static_cast<std::int64_t>(at))));
      }
    });
    return is_unsigned;
  }

  std::vector<std::int64_t> copy;
  id_column ids;
};

/// Numbers texts in the order in which they come. Refers to the texts.
class text_numbers {
 public:
  vertex_id number(std::string_view text) {
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<vertex_id>(texts_.size()));
    if (fresh) {
      if (texts_.size() >= graph::k_no_vertex)
        throw error("more different labels than vertices have numbers");
      texts_.push_back(text);
    }
    return at->second;
  }

  std::uint64_t size() const { return texts_.size(); }

  graph::labels labels() const {
    struct memory {
      std::vector<std::uint64_t> offsets = {0};
      std::string bytes;
    };
    const auto kept = std::make_shared<memory>();
    for (const std::string_view text : texts_) {
      kept->bytes += text;
      kept->offsets.push_back(kept->bytes.size());
    }
    return graph::labels::strings(kept->offsets, kept->bytes, kept);
  }

 private:
  std::unordered_map<std::string_view, vertex_id> numbers_;
  std::vector<std::string_view> texts_;
};

/// Returns where the texts of all rows lie.
std::vector<std::string_view> texts_of(const arrow_column& c) {
  std::vector<std::string_view> all;
  all.reserve(c.size());
  c.for_each_text([&](std::string_view text) { all.push_back(text); });
  return all;
}

graph::graph graph_of_texts(const arrow_column& source, const arrow_column& target,
                            graph::from_edges_options how, const graph::progress_hook& hook) {
  constexpr std::size_t k_look = 1 << 16;
  source.refuse_nulls();
  target.refuse_nulls();
  text_numbers numbers;
  std::vector<vertex_id> from, to;
  {
    const auto sources = texts_of(source), targets = texts_of(target);
    from.reserve(sources.size());
    to.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (i % k_look == 0 && hook) hook("labels", i, sources.size());
      from.push_back(numbers.number(sources[i]));
      to.push_back(numbers.number(targets[i]));
    }
  }
  constexpr auto kind = sizeof(vertex_id) == 4 ? id_column::type::uint32 : id_column::type::uint64;
  how.vertices = numbers.size();
  how.compact = false;
  const auto numbered = std::make_shared<const graph::graph>(
      graph::from_edges({from.data(), from.size(), 1, kind}, {to.data(), to.size(), 1, kind}, how, hook));
  return {numbered->view(), numbers.labels(), numbered->statistics(), {graph::storage(numbered)}};
}

}  // namespace

graph::graph graph_of_arrow(const arrow_column& source, const arrow_column& target,
                            const graph::from_edges_options& how, const graph::progress_hook& hook) {
  for (const arrow_column* c : {&source, &target})
    if (c->kind() != arrow_kind::integers && c->kind() != arrow_kind::texts)
      throw error(fmt::format("column {}: expected integers or texts, found the Arrow type \"{}\"", c->name(),
                              c->format()));
  if (source.kind() != target.kind())
    throw error(fmt::format("columns {} and {}: expected two of integers or two of texts, found one of each",
                            source.name(), target.name()));
  if (source.kind() == arrow_kind::texts) return graph_of_texts(source, target, how, hook);
  const ids_of_column from(source), to(target);
  return graph::from_edges(from.ids, to.ids, how, hook);
}

}  // namespace gossamer::python
