#include "gossamer/graph/store/remote_row_cache.hpp"

#include <algorithm>

#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::graph {
namespace {

/// Returns the part of the arcs [from, to) that this process has: an empty range if none.
std::pair<std::uint64_t, std::uint64_t> own_arcs(const graph_view& g, const adjacency& rows,
                                                 std::uint64_t from, std::uint64_t to) {
  const vertex_range own = own_vertices(g);
  const std::uint64_t begin = std::max(from, rows.offsets[own.begin]);
  return {begin, std::max(begin, std::min(to, rows.offsets[own.end]))};
}

}  // namespace

remote_row_cache::remote_row_cache(const graph_view& g, const adjacency& rows)
    : graph_(g),
      rows_(rows),
      offsets_(rows.offsets),
      window_{0, g.arcs, rows.targets},
      weights_{0, g.arcs, rows.weights} {
  if (g.process_bounds == nullptr || memory::all_lies_here()) return;
  leads_ = std::make_unique<scoped_per_core<bool>>();
  on_all_cores([leads = leads_->handle()] { leads.here() = local::here() == 0; });
  all_offsets_.reserve(g.vertices + 1);
  for (const auto& part : collect_spans<std::uint64_t>(leads_->handle(), [g, rows](bool& leads) {
         const vertex_range own = own_vertices(g);
         return leads ? std::span<const std::uint64_t>(rows.offsets + own.begin, own.size())
                      : std::span<const std::uint64_t>();
       }))
    all_offsets_.insert(all_offsets_.end(), part.begin(), part.end());
  all_offsets_.push_back(g.arcs);
  offsets_ = all_offsets_.data();
  window_ = {0, 0, nullptr};
  weights_ = {0, 0, nullptr};
}

void remote_row_cache::move(std::uint64_t from, std::uint64_t to) {
  to = std::min(std::max(to, from + k_window_arcs), graph_.arcs);
  copied_.clear();
  for (const auto& part : collect_spans<vertex_id>(
           leads_->handle(), [g = graph_, rows = rows_, from, to](bool& leads) -> std::span<const vertex_id> {
             const auto [begin, end] = own_arcs(g, rows, from, leads ? to : from);
             return {rows.targets + begin, rows.targets + end};
           }))
    copied_.insert(copied_.end(), part.begin(), part.end());
  window_ = {from, to, copied_.data()};
}

void remote_row_cache::move_weights(std::uint64_t from, std::uint64_t to) {
  to = std::min(std::max(to, from + k_window_arcs), graph_.arcs);
  copied_weights_.clear();
  for (const auto& part : collect_spans<std::byte>(
           leads_->handle(), [g = graph_, rows = rows_, from, to](bool& leads) -> std::span<const std::byte> {
             const auto [begin, end] = own_arcs(g, rows, from, leads ? to : from);
             const std::uint64_t bytes = weight_bytes(g.weights);
             return {rows.weights + begin * bytes, rows.weights + end * bytes};
           }))
    copied_weights_.insert(copied_weights_.end(), part.begin(), part.end());
  weights_ = {from, to, copied_weights_.data()};
}

}  // namespace gossamer::graph
