#include "gossamer/kernels/uts_memory.hpp"

#include <fmt/format.h>

#include <utility>

#include "gossamer/base/assert.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/checkpoint/checkpoint.hpp"
#include "gossamer/kernels/internal/depth_first.hpp"
#include "gossamer/kernels/internal/uts_families.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/memory/array.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::kernels {

namespace {

using vertex = uts_vertex;  // all zero: a leaf

constexpr std::uint64_t k_block = uts_memory::k_block;  // most vertices of one visit
constexpr std::uint64_t k_reserve = 4096;  // places that a core reserves at once

std::uint64_t places_for(std::uint64_t nodes, std::uint64_t children_of_root, unsigned cores) {
  // A family that does not fit a core's remaining places wastes those: less than 100 of 4096.
  return nodes + nodes / 32 + cores * k_reserve + children_of_root;
}

// --- building -----------------------------------------------------------------------------------

/// A vertex whose children from `next` on are not made yet. Child 0 is at `place`, the others follow it.
struct unmade {
  sha1_digest state;
  std::uint32_t depth;
  std::uint32_t next, end;
  std::uint64_t place;
};

struct builder {
  using node = unmade;

  depth_first<node> shared;
  uts_size found;
  const uts_progress* progress = nullptr;  // core 0

  void start(const uts_tree& tree, array<vertex> vertices, array<std::uint64_t> taken) {
    table_ = std::make_unique<children_table>(tree);
    families_ = std::make_unique<uts_families>();
    vertices_ = vertices;
    taken_ = taken;
  }
  bool empty() const { return shared.waiting.empty(); }
  void step(const per_core<builder>&) {
    constexpr unsigned k_batches = 32;
    for (unsigned i = 0; i < k_batches && !empty(); ++i) expand();
  }
  void report() const {
    if (progress != nullptr) (*progress)(found.nodes* cores());
  }
  /// Adds the vertex at `place`, with its state and number of children. Suspends at intervals
  /// (take_places()).
  void add(const sha1_digest& state, std::uint32_t depth, std::uint32_t children, std::uint64_t place);

 private:
  void expand();
  std::uint64_t take_places(std::uint64_t n);

  std::unique_ptr<children_table> table_;
  std::unique_ptr<uts_families> families_;
  array<vertex> vertices_;
  array<std::uint64_t> taken_;  // one element: the places that cores have reserved
  std::uint64_t next_place_ = 0, end_of_places_ = 0;
};

/// Reserves n adjacent places. Suspends at intervals; meanwhile other fibers of the core only add nodes.
std::uint64_t builder::take_places(std::uint64_t n) {
  if (n > end_of_places_ - next_place_) {
    const std::uint64_t more = std::max(n, k_reserve);
    const std::uint64_t begin =
        taken_.call(0, [more](std::uint64_t& taken) { return std::exchange(taken, taken + more); });
    if (begin + more > vertices_.size())
      throw error(fmt::format("uts-mem: expected a tree that fits {} vertices, found a larger one",
                              vertices_.size()));
    next_place_ = begin;
    end_of_places_ = begin + more;
  }
  return std::exchange(next_place_, next_place_ + n);
}

void builder::add(const sha1_digest& state, std::uint32_t depth, std::uint32_t children,
                  std::uint64_t place) {
  found += {1, depth, children == 0 ? std::uint64_t{1} : 0};
  if (children == 0) return;
  const std::uint64_t first = take_places(children);
  vertices_.async(place, [first, children](vertex& v) { v = {first, children}; });
  shared.waiting.push({state, depth, 0, children, first});
}

void builder::expand() {
  uts_families& f = *families_;
  f.make(shared.waiting, sha1_methods().front());
  charge_work(f.lanes * k_node_ns);
  for (unsigned k = 0; k < f.families; ++k) {
    const auto family = f.of[k];
    const children_table::row& row = table_->at(family.depth);
    if (row.barren()) {
      found += {family.count, family.depth, family.count};
      continue;
    }
    for (unsigned i = 0; i < family.count; ++i) {
      const unsigned lane = family.lane + i;
      add(f.batch.digest(lane), family.depth, row.children(f.batch.out[4][lane]),
          family.place + family.first + i);
    }
  }
}

// --- traversal ----------------------------------------------------------------------------------

/// A range of adjacent vertices that were discovered but not visited.
struct unseen {
  std::uint64_t next, end;
  std::uint64_t depth;
};

struct walker {
  using node = unseen;

  depth_first<node> shared;
  uts_size found;
  const uts_progress* progress = nullptr;  // core 0
  array<vertex> vertices;

  bool empty() const { return shared.waiting.empty() && fetching_ == 0; }
  void step(const per_core<walker>& all);
  void report() const {
    if (progress != nullptr) (*progress)(found.nodes* cores());
  }

 private:
  /// A prefetched range: at most one block of vertices.
  struct fetch {
    const vertex* at;
    std::uint64_t count, depth;
  };
  static constexpr unsigned k_ahead = 16;
  static constexpr std::uint64_t k_visit_ns = 10;  // what a simulation charges for a vertex

  void fetch_next(const per_core<walker>& all);
  void visit(const fetch& f);

  std::array<fetch, k_ahead> ring_;
  unsigned head_ = 0, fetching_ = 0;
};

/// Prefetches the newest range, or its part in one block. Sends a range of another process to its owner.
void walker::fetch_next(const per_core<walker>& all) {
  unseen& range = shared.waiting.top();
  const std::uint64_t at = range.next, depth = range.depth;
  const std::uint64_t end = std::min(range.end, round_down(at, k_block) + k_block);
  range.next = end;
  if (end == range.end) shared.waiting.pop();
  const global_ptr<vertex> where = vertices.pointer(at);
  if (process_of(where.owner()) != process()) {
    async_on(where.owner(), [all, at, end, depth] { deliver(all, unseen{at, end, depth}); });
    return;
  }
  const vertex* const first = where.address();
  __builtin_prefetch(first);
  __builtin_prefetch(first + (end - at - 1));
  ring_[(head_ + fetching_++) % k_ahead] = {first, end - at, depth};
}

void walker::visit(const fetch& f) {
  found.nodes += f.count;
  charge_work(f.count * k_visit_ns);
  found.depth = std::max(found.depth, f.depth);
  for (std::uint64_t i = 0; i < f.count; ++i) {
    const vertex v = f.at[i];
    if (v.children == 0)
      ++found.leaves;
    else
      shared.waiting.push({v.place, v.place + v.children, f.depth + 1});
  }
}

void walker::step(const per_core<walker>& all) {
  constexpr unsigned k_visits = 512;
  for (unsigned i = 0; i < k_visits && !empty(); ++i) {
    while (fetching_ < k_ahead && !shared.waiting.empty()) fetch_next(all);
    if (fetching_ == 0) return;
    const fetch f = ring_[head_ % k_ahead];
    ++head_;
    --fetching_;
    visit(f);
  }
}

template <class Worker>
uts_size sum(const per_core<Worker>& all) {
  uts_size total;
  for (const uts_size& s : collect(all, [](Worker& one) { return one.found; })) total += s;
  return total;
}

}  // namespace

struct uts_memory::state {
  uts_tree tree;
  scoped_array<vertex> vertices;
  std::uint64_t block;
  std::uint64_t root = 0;
  checkpoint work = {};  // until build()
  checkpoint_folder saved = {};
  bool was_built = false;
};

std::uint64_t uts_memory::bytes_for(std::uint64_t nodes, std::uint32_t children_of_root) {
  return places_for(nodes, children_of_root, cores()) * sizeof(vertex);
}

uts_memory::uts_memory(const uts_tree& tree, const uts_size& size, std::uint64_t block,
                       const checkpoint_options& resume) {
  GOSSAMER_ASSERT(block != 0 && block % k_block == 0);
  const std::uint32_t children = children_of(tree, root_state(tree), 0);
  const std::uint64_t each = bytes_for(size.nodes, children) / processes();
  const auto* const named = find_named(tree);
  const std::string what =
      fmt::format("uts-mem {}", named != nullptr ? std::string(named->name) : arguments_of(tree));
  machine::require_memory(each, what);
  checkpoint work;
  if (!resume.folder.empty())
    work = checkpoint(resume, fmt::format("uts-mem, {}, blocks of {}", arguments_of(tree), block));
  // A tree that was built on another number of cores has another number of places.
  const std::uint64_t places =
      work.elements_of("vertices").value_or(places_for(size.nodes, children, cores()));
  checkpoint_folder saved = work.folder();
  state_ = std::make_unique<state>(
      state{tree, scoped_array<vertex>(places, hashed(block)), block, 0, std::move(work), std::move(saved)});
}

uts_memory::~uts_memory() = default;

std::uint64_t uts_memory::bytes() const { return state_->vertices.size() * sizeof(vertex); }

std::uint64_t uts_memory::block() const { return state_->block; }

array<uts_vertex> uts_memory::vertices() const { return state_->vertices.handle(); }

bool uts_memory::was_built() const { return state_->was_built; }

void uts_memory::forget() { state_->saved.forget(); }

std::uint64_t uts_memory::root() const { return state_->root; }

uts_result uts_memory::build(const uts_progress& progress) {
  uts_result built;
  checkpoint work = std::move(state_->work);
  work.add("vertices", state_->vertices.handle());
  work.add("built", &built);
  if (work.restore()) {
    state_->was_built = true;
    return built;
  }
  const scoped_array<std::uint64_t> taken(1);
  const scoped_per_core<builder> builders;
  const per_core<builder> all = builders.handle();
  on_all_cores([all, tree = state_->tree, vertices = state_->vertices.handle(), taken = taken.handle()] {
    all.here().start(tree, vertices, taken);
  });
  const std::uint64_t start = machine::now_ns();
  taken.write(0, 1);
  state_->root = 0;
  if (progress) all.here().progress = &progress;
  const sha1_digest root = root_state(state_->tree);
  on_core(here(), [all, root, children = children_of(state_->tree, root, 0)] {
    all.here().add(root, 0, children, 0);
    kernels::work(all);
  });
  built = {sum(all), machine::seconds_since(start)};
  work.save();  // the only phase: a traversal is not saved
  return built;
}

uts_result uts_memory::traverse(const uts_progress& progress) {
  const scoped_per_core<walker> walkers;
  const per_core<walker> all = walkers.handle();
  on_all_cores([all, vertices = state_->vertices.handle()] { all.here().vertices = vertices; });
  const std::uint64_t start = machine::now_ns();
  if (progress) all.here().progress = &progress;
  all.here().shared.waiting.push({state_->root, state_->root + 1, 0});
  on_core(here(), [all] { work(all); });
  return {sum(all), machine::seconds_since(start)};
}

}  // namespace gossamer::kernels
