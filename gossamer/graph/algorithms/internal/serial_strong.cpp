#include "gossamer/graph/algorithms/internal/serial_strong.hpp"

#include <algorithm>
#include <memory>

#include "gossamer/graph/engine/vertex_bitmap.hpp"

namespace gossamer::graph {
namespace {

/// A vertex on the path of the search.
struct path_vertex {
  vertex_id vertex;
  vertex_id arc;  // index in its row of the next arc to follow
  vertex_id least;  // smallest number (in the order of visits) of a vertex that it leads back to
};

class depth_first {
 public:
  depth_first(const adjacency& rows, strong_state* states, std::uint64_t vertices)
      : rows_(rows),
        states_(states),
        path_(std::make_unique_for_overwrite<path_vertex[]>(vertices)),
        open_(std::make_unique_for_overwrite<vertex_id[]>(vertices)) {}

  void run(vertex_id from);
  std::uint64_t arcs() const { return arcs_; }

 private:
  void leave(vertex_id v, vertex_id least);

  const adjacency& rows_;
  strong_state* const states_;
  const std::unique_ptr<path_vertex[]> path_;  // pages that are not written take no memory
  const std::unique_ptr<vertex_id[]> open_;  // stack of vertices that were left and have no component yet
  std::uint64_t opened_ = 0;
  vertex_id visited_ = 0;
  std::uint64_t arcs_ = 0;
};

/// Leaves a vertex, after all its arcs were followed. If it leads back to no earlier vertex, it is a
/// component together with the open vertices that were visited after it.
void depth_first::leave(vertex_id v, vertex_id least) {
  strong_state& left = states_[v];
  if (least < left.mark) {
    left.mark = least;
    open_[opened_++] = v;
    return;
  }
  std::uint64_t begin = opened_;
  vertex_id smallest = v;
  for (; begin > 0 && states_[open_[begin - 1]].mark >= left.mark; --begin)
    smallest = std::min(smallest, open_[begin - 1]);
  for (std::uint64_t i = begin; i < opened_; ++i) states_[open_[i]].component = smallest;
  left.component = smallest;
  opened_ = begin;
}

void depth_first::run(vertex_id from) {
  std::uint64_t depth = 0;
  vertex_id v = from, least = 0;
  const vertex_id *row = nullptr, *next = nullptr, *end = nullptr;
  const auto start_row_at = [&](vertex_id arc) {
    row = rows_.targets + rows_.offsets[v];
    next = row + arc;
    end = rows_.targets + rows_.offsets[v + 1];
  };
  const auto enter = [&] {
    states_[v].mark = least = ++visited_;
    start_row_at(0);
    arcs_ += static_cast<std::uint64_t>(end - next);
  };
  enter();
  for (;;) {
    if (next == end) {
      leave(v, least);
      if (depth == 0) return;
      const path_vertex& before = path_[--depth];
      v = before.vertex;
      least = std::min(before.least, least);
      start_row_at(before.arc);
      continue;
    }
    const vertex_id n = *next++;
    const strong_state& other = states_[n];
    if (other.component != k_no_vertex) continue;
    if (other.mark != 0) {
      least = std::min(least, other.mark);
      continue;
    }
    path_[depth++] = {v, static_cast<vertex_id>(next - row), least};
    v = n;
    enter();
  }
}

}  // namespace

std::uint64_t settle_serially(const adjacency& rows, strong_state* states,
                              std::span<const std::uint64_t> open, std::uint64_t vertices) {
  depth_first search(rows, states, vertices);
  for (std::uint64_t w = 0; w < open.size(); ++w)
    for_each_bit(open[w], w, [&](std::uint64_t v) {
      if (states[v].component == k_no_vertex) search.run(static_cast<vertex_id>(v));
    });
  return search.arcs();
}

}  // namespace gossamer::graph
