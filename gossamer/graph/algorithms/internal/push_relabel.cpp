#include "gossamer/graph/algorithms/internal/push_relabel.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

namespace {
constexpr std::uint64_t k_arcs_per_round = 1 << 18;  // of a block, before it receives flow
constexpr std::uint64_t k_little = 128;  // active vertices per core: with no more, one core works alone
}  // namespace

push_relabel::push_relabel(flow_network& network, vertex_id source, vertex_id sink, unsigned blocks)
    : network_(network),
      goal_(sink),
      other_(source),
      far_(static_cast<vertex_id>(network.vertices())),
      parts_(blocks) {
  const std::vector<std::uint64_t>& offsets = network_.offsets();
  const std::uint64_t n = network_.vertices(), arcs = offsets.back();
  machine::require_memory(n * (sizeof(vertex_state) + (blocks > 1 ? 2 * sizeof(vertex_id) : 0)), "max-flow");
  bounds_.push_back(0);
  for (unsigned c = 1; c < blocks; ++c) {  // of equal rows and arcs
    std::uint64_t low = bounds_.back(), high = n;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      (offsets[middle] + middle) * blocks < (arcs + n)* c ? low = middle + 1 : high = middle;
    }
    bounds_.push_back(low);
  }
  bounds_.push_back(n);
  state_ = buffer<vertex_state>(n);  // all zero
  if (blocks > 1)
    for (auto& each : shown_) each.resize(n);
  most_work_ = 2 * n + arcs;
  each_block(false, [this](unsigned block) { start(block); });
  leave_source();
}

unsigned push_relabel::owner(vertex_id v) const {
  return static_cast<unsigned>(std::ranges::upper_bound(bounds_, std::uint64_t{v}) - bounds_.begin() - 1);
}

void push_relabel::start(unsigned block) {
  block_part& mine = parts_[block];
  mine.begin = bounds_[block];
  mine.count = bounds_[block + 1] - mine.begin;
  for (auto* each : {&mine.found[0], &mine.found[1]}) each->resize(parts_.size());
  mine.sent.resize(parts_.size());
  scan_meter meter(k_push);
  for (std::uint64_t v = bounds_[block]; v < bounds_[block + 1]; ++v) {
    const auto row = network_.row(static_cast<vertex_id>(v));
    meter.arcs += row.size();
    state_[v].is_outer = std::ranges::any_of(row, [&](const flow_arc& a) { return !owns(mine, a.to); });
  }
}

/// Saturates the arcs of the source. No other core runs.
void push_relabel::leave_source() {
  for (flow_arc& a : network_.row(other_)) {
    network_.reverse(a).room += a.room;
    state_[a.to].excess += a.room;
    a.room = 0;
  }
}

void push_relabel::list(block_part& mine, vertex_id v) {
  state_[v].is_listed = true;
  mine.active.push_back(v);
}

/// Adds to the excess of an own vertex, and makes it active if it can reach the goal.
void push_relabel::add_up(block_part& mine, vertex_id v, std::int64_t amount) {
  vertex_state& x = state_[v];
  x.excess += amount;
  if (!x.is_listed && x.height < far_ && v != goal_) list(mine, v);
}

void push_relabel::run(const progress_hook& progress) { push_all(progress); }

void push_relabel::give_back(const progress_hook& progress) {
  std::swap(goal_, other_);
  push_all(progress);
}

/// Pushes towards the goal until no remaining excess can reach it.
void push_relabel::push_all(const progress_hook& progress) {
  search();
  for (std::uint64_t left = active(); left != 0;) {
    report(progress, "max-flow", rounds_, 0);
    const bool is_little = left <= k_little * local::cores();
    each_block(is_little, [this](unsigned block) { push(block); });
    if (blocks() > 1) each_block(is_little, [this](unsigned block) { take(block); });
    ++rounds_;
    find_gap();
    left = active();
    if (left == 0 || work() >= most_work_) {
      search();
      left = active();
    }
  }
}

/// Counts the active vertices.
std::uint64_t push_relabel::active() const {
  std::uint64_t sum = 0;
  for (const block_part& each : parts_) sum += each.active.size() - each.first;
  return sum;
}

std::uint64_t push_relabel::work() const {
  std::uint64_t sum = 0;
  for (const block_part& each : parts_) sum += each.work;
  return sum;
}

push_counts push_relabel::counts() const {
  push_counts all{rounds_, searches_, 0, 0};
  for (const block_part& each : parts_) {
    all.pushes += each.pushes;
    all.raises += each.raises;
  }
  return all;
}

void push_relabel::count_height(block_part& mine, vertex_id height) {
  if (height == mine.gap) mine.gap = k_no_vertex;
  if (height >= k_counted) return;
  if (height >= mine.at_height.size()) mine.at_height.resize(std::size_t{height} + 1);
  ++mine.at_height[height];
}

/// Counts one vertex less of a height. If there is only one block, an empty height is a gap at once.
void push_relabel::leave_height(block_part& mine, vertex_id height) const {
  if (height >= k_counted || --mine.at_height[height] != 0) return;
  if (blocks() > 1)
    mine.emptied.push_back(height);
  else
    mine.gap = std::min(mine.gap, height);
}

/// Returns whether no vertex has this height, which must be counted.
bool push_relabel::is_empty(vertex_id height) const {
  return std::ranges::all_of(parts_, [height](const block_part& each) {
    return height >= each.at_height.size() || each.at_height[height] == 0;
  });
}

/// Finds the lowest empty height among those that blocks have emptied in this round, and the gap of the
/// previous round. No other core runs.
void push_relabel::find_gap() {
  vertex_id gap = k_no_vertex;
  for (block_part& each : parts_) {
    if (each.gap < gap && is_empty(each.gap)) gap = each.gap;
    for (const vertex_id height : each.emptied)
      if (height < gap && is_empty(height)) gap = height;
    each.emptied.clear();
  }
  for (block_part& each : parts_) each.gap = gap;
}

/// Pushes from the active vertices of a block, first in, first out.
void push_relabel::push(unsigned block) {
  block_part& mine = parts_[block];
  for (auto& each : mine.sent) each.clear();
  scan_meter meter(k_push);
  while (mine.first < mine.active.size() && meter.arcs < k_arcs_per_round && mine.work < most_work_) {
    const vertex_id v = mine.active[mine.first++];
    state_[v].is_listed = false;
    ++meter.rows;
    discharge(mine, meter, v);
  }
  mine.active.erase(mine.active.begin(), mine.active.begin() + static_cast<std::ptrdiff_t>(mine.first));
  mine.first = 0;
}

void push_relabel::discharge(block_part& mine, scan_meter& meter, vertex_id v) {
  vertex_state& x = state_[v];
  const std::span<flow_arc> row = network_.row(v);
  while (x.excess != 0) {
    if (x.next == row.size() || x.height > mine.gap) {
      if (x.is_outer) {
        x.is_listed = true;
        mine.stuck.push_back(v);
        return;
      }
      if (!raise(mine, meter, v)) return;
    }
    ++meter.arcs;
    flow_arc& a = row[x.next];
    if (a.room == 0 || height_of(mine, a.to) + 1 != x.height) {
      ++x.next;
      continue;
    }
    const std::int64_t amount = std::min(x.excess, a.room);
    ++mine.pushes;
    a.room -= amount;
    x.excess -= amount;
    if (owns(mine, a.to)) {
      network_.reverse(a).room += amount;
      add_up(mine, a.to, amount);
    } else {
      mine.sent[owner(a.to)].push_back({a.to, a.back, amount});
    }
  }
}

/// Raises a vertex to one above its lowest neighbour, or to the maximum if it is above a gap. Returns whether
/// the goal may still be reachable.
bool push_relabel::raise(block_part& mine, scan_meter& meter, vertex_id v) {
  constexpr std::uint64_t k_beside_arcs = 12;
  vertex_state& x = state_[v];
  const std::span<flow_arc> row = network_.row(v);
  leave_height(mine, x.height);
  ++mine.raises;
  const bool is_cut_off = x.height > mine.gap;
  x.height = far_;
  if (is_cut_off) return false;
  mine.work += row.size() + k_beside_arcs;
  meter.arcs += row.size();
  for (vertex_id place = 0; place < row.size(); ++place) {
    if (row[place].room == 0) continue;
    const vertex_id height = height_of(mine, row[place].to);
    if (height < far_ && height + 1 < x.height) {
      x.height = height + 1;
      x.next = place;
    }
  }
  if (x.height > mine.gap) x.height = far_;
  if (x.height == far_) return false;
  count_height(mine, x.height);
  return true;
}

/// Receives the flow that other blocks have pushed to this one, and raises its stuck vertices.
void push_relabel::take(unsigned block) {
  block_part& mine = parts_[block];
  std::vector<vertex_id>& next_heights = shown_[(rounds_ + 1) % 2];
  scan_meter meter(k_push);
  for (unsigned c = 0; c < blocks(); ++c)
    for (const pushed& p : parts_[c].sent[block]) {
      ++meter.arcs;
      network_.arc(p.to, p.arc).room += p.amount;
      add_up(mine, p.to, p.amount);
    }
  for (const vertex_id v : mine.raised) next_heights[v] = state_[v].height;
  mine.raised.clear();
  for (const vertex_id v : mine.stuck) {
    state_[v].is_listed = false;
    if (raise(mine, meter, v)) list(mine, v);
    next_heights[v] = state_[v].height;
    mine.raised.push_back(v);
  }
  mine.stuck.clear();
}

/// Recomputes the distances of all vertices to the goal. Each block searches its own vertices. It sends the
/// distances that it finds of others' vertices to their blocks, until nothing changes.
void push_relabel::search() {
  ++searches_;
  each_block(false, [this](unsigned block) { begin_search(block); });
  bool is_going = true;
  for (unsigned step = 0; is_going; ++step) {
    each_block(false, [this, step](unsigned block) { search_on(block, step); });
    is_going = std::ranges::any_of(parts_, [step](const block_part& each) {
      return std::ranges::any_of(each.found[step % 2], [](const auto& some) { return !some.empty(); });
    });
  }
  each_block(false, [this](unsigned block) { end_search(block); });
}

void push_relabel::begin_search(unsigned block) {
  block_part& mine = parts_[block];
  mine.active.clear();
  mine.first = 0;
  mine.stuck.clear();
  mine.raised.clear();
  mine.work = 0;
  mine.at_height.clear();
  mine.emptied.clear();
  mine.gap = k_no_vertex;
  for (auto& lists : mine.found)
    for (auto& each : lists) each.clear();
  scan_meter meter(k_fill);
  meter.rows = bounds_[block + 1] - bounds_[block];
  for (std::uint64_t v = bounds_[block]; v < bounds_[block + 1]; ++v) {
    state_[v].height = far_;
    state_[v].next = 0;
    state_[v].is_listed = false;
  }
  // Each step reads the results of the previous one; the first step reads these.
  if (owns(mine, goal_)) mine.found[1][block].push_back({goal_, 0});
}

void push_relabel::search_on(unsigned block, unsigned step) {
  block_part& mine = parts_[block];
  auto& next = mine.found[step % 2];
  for (auto& each : next) each.clear();
  std::vector<reached> begin;
  for (unsigned c = 0; c < blocks(); ++c)
    for (const reached& r : parts_[c].found[(step + 1) % 2][block])
      if (r.height < state_[r.vertex].height) begin.push_back(r);
  std::ranges::stable_sort(begin, {}, &reached::height);
  scan_meter meter(k_top_down);
  std::vector<vertex_id>& queue = mine.active;  // empty until the search ends
  std::size_t at = 0;
  const auto visit = [&](vertex_id v, vertex_id height) {
    if (height >= state_[v].height) return;
    state_[v].height = height;
    queue.push_back(v);
  };
  for (std::size_t i = 0; i < begin.size() || at < queue.size();) {
    if (i < begin.size() && (at == queue.size() || begin[i].height <= state_[queue[at]].height)) {
      visit(begin[i].vertex, begin[i].height);
      ++i;
      continue;
    }
    const vertex_id v = queue[at++];
    if (v == other_) continue;  // no path continues there
    const vertex_id height = state_[v].height + 1;
    const std::span<flow_arc> row = network_.row(v);
    ++meter.rows;
    meter.arcs += row.size();
    for (const flow_arc& a : row) {
      const bool is_own = owns(mine, a.to);
      if (is_own && state_[a.to].height <= height) continue;
      if (network_.reverse(a).room == 0) continue;
      if (is_own)
        visit(a.to, height);
      else
        next[owner(a.to)].push_back({a.to, height});
    }
  }
  queue.clear();
}

void push_relabel::end_search(unsigned block) {
  block_part& mine = parts_[block];
  scan_meter meter(k_pass);
  meter.rows = mine.count;
  for (std::uint64_t i = mine.begin; i < mine.begin + mine.count; ++i) {
    const auto v = static_cast<vertex_id>(i);
    const vertex_state& x = state_[v];
    if (x.is_outer)
      for (auto& each : shown_) each[v] = x.height;
    if (x.height < far_) count_height(mine, x.height);
    if (x.excess != 0 && x.height < far_ && v != goal_ && v != other_) list(mine, v);
  }
}

}  // namespace gossamer::graph
