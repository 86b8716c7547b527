#include "gossamer/graph/algorithms/internal/push_relabel.hpp"

#include <algorithm>

#include "gossamer/base/assert.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::graph {

namespace {
constexpr std::uint64_t k_arcs_per_round = 1 << 18;  // that a core looks at before it hears of others
constexpr std::uint64_t k_little = 128;  // active vertices for each core
}  // namespace

push_relabel::push_relabel(flow_network& network, vertex_id source, vertex_id sink, bool alone)
    : network_(network),
      team_(alone ? 1 : local::cores()),
      source_(source),
      sink_(sink),
      far_(static_cast<vertex_id>(network.vertices())) {
  const std::vector<std::uint64_t>& offsets = network_.offsets();
  const std::uint64_t n = network_.vertices(), arcs = offsets.back();
  machine::require_memory(n * (sizeof(vertex_state) + (team_ > 1 ? 2 * sizeof(vertex_id) : 0)), "max-flow");
  bounds_.push_back(0);
  for (unsigned c = 1; c < team_; ++c) {  // of equal rows and arcs
    std::uint64_t low = bounds_.back(), high = n;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      (offsets[middle] + middle) * team_ < (arcs + n)* c ? low = middle + 1 : high = middle;
    }
    bounds_.push_back(low);
  }
  bounds_.push_back(n);
  state_ = buffer<vertex_state>(n);  // all zero
  if (team_ > 1)
    for (auto& each : shown_) each.resize(n);
  most_work_ = 2 * n + arcs;
  each_core(false, [this](unsigned core) { start(core); });
  leave_source();
}

unsigned push_relabel::owner(vertex_id v) const {
  return static_cast<unsigned>(std::ranges::upper_bound(bounds_, std::uint64_t{v}) - bounds_.begin() - 1);
}

void push_relabel::start(unsigned core) {
  core_part& mine = parts_.at(core);
  mine.begin = bounds_[core];
  mine.count = bounds_[core + 1] - mine.begin;
  for (auto* each : {&mine.found[0], &mine.found[1]}) each->resize(team_);
  mine.sent.resize(team_);
  scan_meter meter(k_push);
  for (std::uint64_t v = bounds_[core]; v < bounds_[core + 1]; ++v) {
    const auto row = network_.row(static_cast<vertex_id>(v));
    meter.arcs += row.size();
    state_[v].is_outer = std::ranges::any_of(row, [&](const flow_arc& a) { return !owns(mine, a.to); });
  }
}

/// Fills the arcs of the source. No other core runs.
void push_relabel::leave_source() {
  for (flow_arc& a : network_.row(source_)) {
    network_.reverse(a).room += a.room;
    state_[a.to].excess += a.room;
    a.room = 0;
  }
}

void push_relabel::list(core_part& mine, vertex_id v) {
  state_[v].is_listed = true;
  mine.active.push_back(v);
}

/// Adds to the excess of an own vertex.
void push_relabel::add_up(core_part& mine, vertex_id v, std::int64_t amount) {
  vertex_state& x = state_[v];
  x.excess += amount;
  if (!x.is_listed && x.height < far_ && v != sink_) list(mine, v);
}

void push_relabel::run(const progress_hook& progress) {
  search();
  for (std::uint64_t left = active(); left != 0;) {
    report(progress, "max-flow", rounds_, 0);
    const bool is_little = left <= k_little * team_;
    each_core(is_little, [this](unsigned core) { push(core); });
    if (team_ > 1) each_core(is_little, [this](unsigned core) { take(core); });
    ++rounds_;
    left = active();
    if (left == 0 || work() >= most_work_) {
      search();
      left = active();
    }
  }
}

/// Runs a phase of all cores: by this core alone where there is little to do, as waiting for the others would take longer.
template <class F>
void push_relabel::each_core(bool is_little, F f) {
  if (!is_little && team_ > 1) return local::on_all_cores([f] { f(local::here()); });
  for (unsigned core = 0; core < team_; ++core) f(core);
}

/// Counts the active vertices.
std::uint64_t push_relabel::active() const {
  return parts_.fold(std::uint64_t{0}, [](std::uint64_t sum, const core_part& each) {
    return sum + each.active.size() - each.first;
  });
}

std::uint64_t push_relabel::work() const {
  return parts_.fold(std::uint64_t{0},
                     [](std::uint64_t sum, const core_part& each) { return sum + each.work; });
}

/// Pushes from the active vertices of a core, first in, first out.
void push_relabel::push(unsigned core) {
  core_part& mine = parts_.at(core);
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

void push_relabel::discharge(core_part& mine, scan_meter& meter, vertex_id v) {
  vertex_state& x = state_[v];
  const std::span<flow_arc> row = network_.row(v);
  while (x.excess != 0) {
    if (x.next == row.size()) {
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

/// Raises a vertex to one above its lowest neighbour. Returns whether the sink may still be reached.
bool push_relabel::raise(core_part& mine, scan_meter& meter, vertex_id v) {
  constexpr std::uint64_t k_beside_arcs = 12;
  vertex_state& x = state_[v];
  const std::span<flow_arc> row = network_.row(v);
  mine.work += row.size() + k_beside_arcs;
  meter.arcs += row.size();
  x.height = far_;
  for (vertex_id place = 0; place < row.size(); ++place) {
    if (row[place].room == 0) continue;
    const vertex_id height = height_of(mine, row[place].to);
    if (height < far_ && height + 1 < x.height) {
      x.height = height + 1;
      x.next = place;
    }
  }
  return x.height < far_;
}

/// Takes what others have pushed to a core, and raises its vertices that are stuck.
void push_relabel::take(unsigned core) {
  core_part& mine = parts_.at(core);
  std::vector<vertex_id>& coming = shown_[(rounds_ + 1) % 2];
  scan_meter meter(k_push);
  for (unsigned c = 0; c < team_; ++c)
    for (const pushed& p : parts_.at(c).sent[core]) {
      ++meter.arcs;
      network_.arc(p.to, p.arc).room += p.amount;
      add_up(mine, p.to, p.amount);
    }
  for (const vertex_id v : mine.raised) coming[v] = state_[v].height;
  mine.raised.clear();
  for (const vertex_id v : mine.stuck) {
    state_[v].is_listed = false;
    if (raise(mine, meter, v)) list(mine, v);
    coming[v] = state_[v].height;
    mine.raised.push_back(v);
  }
  mine.stuck.clear();
}

/// Finds the distances of all vertices to the source, along arcs with room. One that has an excess has such a way: that on which it came.
void push_relabel::find_ways_back() {
  for (std::uint64_t v = 0; v < network_.vertices(); ++v) {
    state_[v].height = far_;
    state_[v].next = 0;
    state_[v].is_listed = false;
  }
  scan_meter meter(k_top_down);
  state_[source_].height = 0;
  std::vector<vertex_id> queue{source_};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    ++meter.rows;
    meter.arcs += network_.row(queue[i]).size();
    for (const flow_arc& a : network_.row(queue[i]))
      if (state_[a.to].height == far_ && a.to != sink_ && network_.reverse(a).room != 0) {
        state_[a.to].height = state_[queue[i]].height + 1;
        queue.push_back(a.to);
      }
  }
}

void push_relabel::give_back() {
  find_ways_back();
  scan_meter meter(k_push);
  std::vector<vertex_id> queue;
  const auto list = [&](vertex_id v) {
    if (v == source_ || v == sink_ || state_[v].is_listed || state_[v].excess == 0) return;
    state_[v].is_listed = true;
    queue.push_back(v);
  };
  for (std::uint64_t v = 0; v < network_.vertices(); ++v) list(static_cast<vertex_id>(v));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const vertex_id v = queue[i];
    vertex_state& x = state_[v];
    const std::span<flow_arc> row = network_.row(v);
    x.is_listed = false;
    while (x.excess != 0) {
      if (x.next == row.size()) {  // raised: its distance to the source is more than was known
        x.next = 0;
        vertex_id lowest = ~vertex_id{0} - 1;
        for (const flow_arc& a : row)
          if (a.room != 0 && a.to != sink_) lowest = std::min(lowest, state_[a.to].height);
        GOSSAMER_ASSERT(lowest < ~vertex_id{0} - 1);  // the arc on which the excess came has room
        x.height = lowest + 1;
        meter.arcs += row.size();
      }
      flow_arc& a = row[x.next];
      ++meter.arcs;
      if (a.room == 0 || a.to == sink_ || state_[a.to].height + 1 != x.height) {
        ++x.next;
        continue;
      }
      const std::int64_t amount = std::min(x.excess, a.room);
      a.room -= amount;
      x.excess -= amount;
      network_.reverse(a).room += amount;
      state_[a.to].excess += amount;
      list(a.to);
    }
  }
}

/// Finds the distances of all vertices to the sink anew: each core searches its block, and tells others what it has found of theirs, until
/// that changes nothing.
void push_relabel::search() {
  ++searches_;
  each_core(false, [this](unsigned core) { begin_search(core); });
  bool is_going = true;
  for (unsigned step = 0; is_going; ++step) {
    each_core(false, [this, step](unsigned core) { search_on(core, step); });
    is_going = parts_.fold(false, [step](bool any, const core_part& each) {
      return any || std::ranges::any_of(each.found[step % 2], [](const auto& some) { return !some.empty(); });
    });
  }
  each_core(false, [this](unsigned core) { end_search(core); });
}

void push_relabel::begin_search(unsigned core) {
  core_part& mine = parts_.at(core);
  mine.active.clear();
  mine.first = 0;
  mine.stuck.clear();
  mine.raised.clear();
  mine.work = 0;
  for (auto& boxes : mine.found)
    for (auto& each : boxes) each.clear();
  scan_meter meter(k_fill);
  meter.rows = bounds_[core + 1] - bounds_[core];
  for (std::uint64_t v = bounds_[core]; v < bounds_[core + 1]; ++v) {
    state_[v].height = far_;
    state_[v].next = 0;
    state_[v].is_listed = false;
  }
  // The first step reads what the step before has found.
  if (owns(mine, sink_)) mine.found[1][core].push_back({sink_, 0});
}

void push_relabel::search_on(unsigned core, unsigned step) {
  core_part& mine = parts_.at(core);
  auto& next = mine.found[step % 2];
  for (auto& each : next) each.clear();
  std::vector<reached> begin;
  for (unsigned c = 0; c < team_; ++c)
    for (const reached& r : parts_.at(c).found[(step + 1) % 2][core])
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
    if (v == source_) continue;  // nothing goes on from there
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

void push_relabel::end_search(unsigned core) {
  core_part& mine = parts_.at(core);
  scan_meter meter(k_pass);
  meter.rows = mine.count;
  for (std::uint64_t i = mine.begin; i < mine.begin + mine.count; ++i) {
    const auto v = static_cast<vertex_id>(i);
    const vertex_state& x = state_[v];
    if (x.is_outer)
      for (auto& each : shown_) each[v] = x.height;
    if (x.excess != 0 && x.height < far_ && v != sink_ && v != source_) list(mine, v);
  }
}

}  // namespace gossamer::graph
