#include "gossamer/graph/ingest/internal/compact.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

// The ids of one core, numbered in order of appearance. Open addressing, at most half full.
class id_table {
 public:
  void prefetch(std::uint64_t id) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash64(id) & (slots_.size() - 1)]);
  }

  vertex_id number(std::uint64_t id) {
    if (ids_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t mask = slots_.size() - 1;
    std::uint64_t i = hash64(id) & mask;
    for (; slots_[i].number != k_no_vertex; i = (i + 1) & mask)
      if (slots_[i].id == id) return slots_[i].number;
    if (ids_.size() >= k_no_vertex - 1)
      throw error("more than 4,294,967,294 vertices: build with GOSSAMER_VERTEX_BITS=64");
    slots_[i] = {id, static_cast<vertex_id>(ids_.size())};
    ids_.push_back({id, slots_[i].number});
    return slots_[i].number;
  }

  struct numbered {
    std::uint64_t id;
    vertex_id number;
  };
  std::vector<numbered>& ids() { return ids_; }
  void drop_slots() { slots_ = {}; }

 private:
  struct slot {
    std::uint64_t id = 0;
    vertex_id number = k_no_vertex;
  };
  void grow() {
    const std::size_t size = slots_.empty() ? 1024 : slots_.size() * 2;
    machine::require_chunk(size * sizeof(slot) + size / 4 * (sizeof(numbered) + sizeof(vertex_id)),
                           "numbering vertices");
    slots_.assign(size, {});
    const std::uint64_t mask = slots_.size() - 1;
    for (const numbered& n : ids_) {
      std::uint64_t i = hash64(n.id) & mask;
      while (slots_[i].number != k_no_vertex) i = (i + 1) & mask;
      slots_[i] = {n.id, n.number};
    }
  }

  std::vector<slot> slots_;
  std::vector<numbered> ids_;
};

struct core_ids {
  id_table table;
  std::vector<vertex_id> vertex;  // by number
};

struct compaction {
  std::vector<edge_block<edge>> edges;        // narrow ones, then converted wide ones
  std::vector<edge_block<wide_edge>> wide;
  std::uint64_t narrow = 0;
  std::vector<core_id> who;                   // by block: the core whose numbers it has
  local::scoped_per_core<core_ids> cores_ids;

  std::vector<std::uint64_t> splitters;  // ascending; chunk s holds ids in [splitters[s-1], splitters[s])
  std::vector<std::vector<std::uint64_t>> chunk;  // ascending ids
  std::vector<std::uint64_t> chunk_first;
  buffer<std::uint64_t> all;
};

// Numbers the ids of edges. Works in groups, so that the cache misses of a group overlap.
template <class Edge>
void number_edges(id_table& table, std::span<Edge> from, edge* to) {
  constexpr std::size_t k_group = 16;
  for (std::size_t i = 0; i < from.size(); i += k_group) {
    const std::size_t end = std::min(from.size(), i + k_group);
    for (std::size_t j = i; j < end; ++j) {
      table.prefetch(from[j].from);
      table.prefetch(from[j].to);
    }
    for (std::size_t j = i; j < end; ++j) {
      const vertex_id u = table.number(from[j].from);
      to[j] = {u, table.number(from[j].to)};
    }
  }
}

void number_block(compaction& c, std::uint64_t b) {
  c.who[b] = local::here();
  id_table& table = c.cores_ids.here().table;
  if (b < c.narrow) {
    number_edges(table, c.edges[b].edges(), c.edges[b].memory.data());
    return;
  }
  auto& wide = c.wide[b - c.narrow];
  edge_block<edge> narrow{buffer<edge>(wide.size), wide.size};
  number_edges(table, wide.edges(), narrow.memory.data());
  wide = {};
  c.edges[b] = std::move(narrow);
}

void choose_splitters(compaction& c) {
  std::vector<std::uint64_t> sample;
  for (core_id k = 0; k < local::cores(); ++k) {
    const auto& ids = c.cores_ids.at(k).table.ids();
    const std::size_t step = std::max<std::size_t>(1, ids.size() / 256);
    for (std::size_t i = 0; i < ids.size(); i += step) sample.push_back(ids[i].id);
  }
  std::sort(sample.begin(), sample.end());
  const std::uint64_t chunks = std::max<std::uint64_t>(1, 4 * local::cores());
  for (std::uint64_t s = 1; s < chunks && !sample.empty(); ++s)
    c.splitters.push_back(sample[sample.size() * s / chunks]);
  c.chunk.resize(c.splitters.size() + 1);
}

bool by_id(const id_table::numbered& a, const id_table::numbered& b) { return a.id < b.id; }

// Returns the ids of a core that belong to a chunk.
std::span<const id_table::numbered> ids_of_chunk(compaction& c, core_id k, std::uint64_t s) {
  const auto& ids = c.cores_ids.at(k).table.ids();
  const auto at = [&](std::uint64_t splitter) {
    return std::lower_bound(ids.begin(), ids.end(), id_table::numbered{splitter, 0}, by_id);
  };
  const auto begin = s == 0 ? ids.begin() : at(c.splitters[s - 1]);
  const auto end = s == c.splitters.size() ? ids.end() : at(c.splitters[s]);
  return {begin, end};
}

void merge_chunk(compaction& c, std::uint64_t s) {
  auto& all = c.chunk[s];
  for (core_id k = 0; k < local::cores(); ++k)
    for (const auto& n : ids_of_chunk(c, k, s)) all.push_back(n.id);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

void publish_chunk(compaction& c, std::uint64_t s) {
  const auto& ids = c.chunk[s];
  std::copy(ids.begin(), ids.end(), c.all.data() + c.chunk_first[s]);
  for (core_id k = 0; k < local::cores(); ++k) {
    auto at = ids.begin();
    auto& vertex = c.cores_ids.at(k).vertex;
    for (const auto& n : ids_of_chunk(c, k, s)) {
      while (*at != n.id) ++at;
      vertex[n.number] =
          static_cast<vertex_id>(c.chunk_first[s] + static_cast<std::uint64_t>(at - ids.begin()));
    }
  }
}

}  // namespace

compacted_edges compact_ids(std::vector<edge_block<edge>> narrow, std::vector<edge_block<wide_edge>> wide) {
  const auto state = std::make_unique<compaction>();
  compaction* const c = state.get();
  c->narrow = narrow.size();
  c->edges = std::move(narrow);
  c->wide = std::move(wide);
  c->edges.resize(c->narrow + c->wide.size());
  c->who.resize(c->edges.size());
  local::forall_chunks(0, c->edges.size(), 1, [c](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) number_block(*c, b);
  });

  choose_splitters(*c);
  local::on_all_cores([c] {
    core_ids& mine = c->cores_ids.here();
    mine.table.drop_slots();
    mine.vertex.resize(mine.table.ids().size());
    std::sort(mine.table.ids().begin(), mine.table.ids().end(), by_id);
  });
  local::forall_chunks(0, c->chunk.size(), 1, [c](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) merge_chunk(*c, b);
  });
  std::uint64_t total = 0;
  for (const auto& s : c->chunk) {
    c->chunk_first.push_back(total);
    total += s.size();
  }
  if (total >= k_no_vertex)
    throw error("more than 4,294,967,294 vertices: build with GOSSAMER_VERTEX_BITS=64");
  c->all = buffer<std::uint64_t>(total);
  local::forall_chunks(0, c->chunk.size(), 1, [c](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) publish_chunk(*c, b);
  });
  local::forall_chunks(0, c->edges.size(), 1, [c](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const auto& vertex = c->cores_ids.at(c->who[b]).vertex;
      for (edge& x : c->edges[b].edges()) x = {vertex[x.from], vertex[x.to]};
    }
  });
  const std::span<const std::uint64_t> ids = c->all.all();
  return {std::move(c->edges), labels::integers(ids, std::move(c->all).share())};
}

}  // namespace gossamer::graph
