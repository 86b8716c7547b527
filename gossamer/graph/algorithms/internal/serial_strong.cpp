#include "gossamer/graph/algorithms/internal/serial_strong.hpp"

#include <algorithm>
#include <vector>

namespace gossamer::graph {
namespace {

/// A vertex on the path of the search.
struct path_vertex {
  const vertex_id* next;  // arc to look at
  const vertex_id* end;  // of its row
  vertex_id vertex;
  vertex_id order;  // in which vertices were met
  vertex_id least;  // order that it leads back to
};

class depth_first {
 public:
  depth_first(const adjacency& rows, strong_state* states) : rows_(rows), states_(states) {}

  void run(vertex_id from);
  std::uint64_t arcs() const { return arcs_; }

 private:
  void enter(vertex_id v);
  void leave();
  void settle(const path_vertex& root);

  const adjacency& rows_;
  strong_state* const states_;
  std::vector<path_vertex> path_;
  std::vector<vertex_id> open_;  // left, and of no component yet
  vertex_id met_ = 0;
  std::uint64_t arcs_ = 0;
};

void depth_first::enter(vertex_id v) {
  states_[v].mark = ++met_;
  const auto row = rows_[v];
  arcs_ += row.size();
  path_.push_back({row.data(), row.data() + row.size(), v, met_, met_});
}

/// Makes the root, and the open vertices that were met since, a component.
void depth_first::settle(const path_vertex& root) {
  vertex_id least = root.vertex;
  auto begin = open_.end();
  for (; begin != open_.begin() && states_[begin[-1]].mark >= root.order; --begin)
    least = std::min(least, begin[-1]);
  for (auto v = begin; v != open_.end(); ++v) states_[*v].component = least;
  states_[root.vertex].component = least;
  open_.erase(begin, open_.end());
}

void depth_first::leave() {
  const path_vertex done = path_.back();
  path_.pop_back();
  if (done.least == done.order) return settle(done);
  states_[done.vertex].mark = done.least;
  open_.push_back(done.vertex);
  path_.back().least = std::min(path_.back().least, done.least);  // what leads back has a vertex before it
}

void depth_first::run(vertex_id from) {
  enter(from);
  while (!path_.empty()) {
    path_vertex& at = path_.back();
    if (at.next == at.end) {
      leave();
      continue;
    }
    const vertex_id n = *at.next++;
    const strong_state& other = states_[n];
    if (other.component != k_no_vertex) continue;
    if (other.mark == 0)
      enter(n);
    else
      at.least = std::min(at.least, other.mark);
  }
}

}  // namespace

std::uint64_t settle_serially(const adjacency& rows, strong_state* states, std::span<const vertex_id> from) {
  depth_first search(rows, states);
  for (const vertex_id v : from)
    if (states[v].component == k_no_vertex) search.run(v);
  return search.arcs();
}

}  // namespace gossamer::graph
