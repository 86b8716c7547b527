#include "gossamer/graph/ingest/internal/column_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <type_traits>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_ids_at_once = 1 << 14;
constexpr std::uint64_t k_no_place = ~std::uint64_t{0};

/// Calls f(first, stride) with the integers of a column in their type.
template <class F>
auto with_ids_of(const id_column& column, F f) {
  switch (column.kind) {
    case id_column::type::int32:
      return f(static_cast<const std::int32_t*>(column.data), column.stride);
    case id_column::type::uint32:
      return f(static_cast<const std::uint32_t*>(column.data), column.stride);
    case id_column::type::uint64:
      return f(static_cast<const std::uint64_t*>(column.data), column.stride);
    case id_column::type::int64:
      break;
  }
  return f(static_cast<const std::int64_t*>(column.data), column.stride);
}

/// The result of scanning a column on a core.
struct ids_seen {
  std::uint64_t highest = 0;
  std::uint64_t negative_at = k_no_place;  // the first negative id
};

template <class Id>
void scan_ids(const Id* ids, std::int64_t stride, std::uint64_t begin, std::uint64_t end, ids_seen& seen) {
  Id least = 0, most = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    const Id id = ids[static_cast<std::int64_t>(i) * stride];
    least = std::min(least, id);
    most = std::max(most, id);
  }
  seen.highest = std::max(seen.highest, static_cast<std::uint64_t>(most));
  if (!std::is_signed_v<Id> || least == 0) return;
  for (std::uint64_t i = begin; i < end; ++i)
    if (ids[static_cast<std::int64_t>(i) * stride] < Id{0})
      return void(seen.negative_at = std::min(seen.negative_at, i));
}

/// Copies a column to one end of all edges.
template <class Edge, class Id>
void fill_ends(const id_column& column, Edge* edges, Id Edge::* end_of) {
  with_ids_of(column, [&](const auto* ids, std::int64_t stride) {
    local::forall_chunks(0, column.size, k_ids_at_once, [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i)
        edges[i].*end_of = static_cast<Id>(ids[static_cast<std::int64_t>(i) * stride]);
    });
  });
}

}  // namespace

std::uint64_t highest_id(const id_column& column, std::string_view name) {
  const local::scoped_per_core<ids_seen> all;
  with_ids_of(column, [&](const auto* ids, std::int64_t stride) {
    local::forall_chunks(0, column.size, k_ids_at_once,
                         [ids, stride, seen = all.handle()](auto begin, auto end) {
                           scan_ids(ids, stride, begin, end, seen.here());
                         });
  });
  const ids_seen seen = all.fold(ids_seen{}, [](ids_seen a, const ids_seen& b) {
    return ids_seen{std::max(a.highest, b.highest), std::min(a.negative_at, b.negative_at)};
  });
  if (seen.negative_at != k_no_place) {
    const std::int64_t id = with_ids_of(column, [&](const auto* ids, std::int64_t stride) {
      return static_cast<std::int64_t>(ids[static_cast<std::int64_t>(seen.negative_at) * stride]);
    });
    throw error(fmt::format("{}[{}]: expected a vertex, 0 or larger, found {}", name, seen.negative_at, id));
  }
  return seen.highest;
}

template <class Edge>
std::vector<edge_block<Edge>> edges_of_columns(const id_column& from, const id_column& to) {
  std::vector<edge_block<Edge>> blocks;
  if (from.size == 0) return blocks;
  blocks.push_back({buffer<Edge>(from.size), from.size});
  fill_ends(from, blocks.back().memory.data(), &Edge::from);
  fill_ends(to, blocks.back().memory.data(), &Edge::to);
  return blocks;
}

edge_weights weights_of_column(const weight_column& column, std::string_view name) {
  edge_weights all;
  if (column.kind == weight_type::none || column.size == 0) return all;
  all.type = column.kind;
  buffer<std::byte> bytes(column.size * weight_bytes(column.kind));
  std::atomic<std::uint64_t> bad{k_no_place};
  with_weight_type(column.kind, [&]<class Weight>(std::type_identity<Weight>) {
    const auto* const from = static_cast<const Weight*>(column.data);
    auto* const to = reinterpret_cast<Weight*>(bytes.data());
    local::forall_chunks(
        0, column.size, k_ids_at_once,
        [from, to, stride = column.stride, bad = &bad](std::uint64_t b, std::uint64_t e) {
          for (; b < e; ++b) {
            to[b] = from[static_cast<std::int64_t>(b) * stride];
            if (std::isfinite(static_cast<double>(to[b]))) [[likely]]
              continue;
            std::uint64_t least = bad->load(std::memory_order_relaxed);  // relaxed: read after the loop
            while (b < least && !bad->compare_exchange_weak(least, b, std::memory_order_relaxed)) {}
          }
        });
    if (const std::uint64_t at = bad.load(std::memory_order_relaxed); at != k_no_place)
      throw error(fmt::format("{}[{}]: expected a finite number, found {}", name, at, to[at]));
  });
  all.blocks.push_back(std::move(bytes));
  return all;
}

template std::vector<edge_block<basic_edge<std::uint32_t>>> edges_of_columns(const id_column&,
                                                                             const id_column&);
template std::vector<edge_block<basic_edge<std::uint64_t>>> edges_of_columns(const id_column&,
                                                                             const id_column&);

}  // namespace gossamer::graph
