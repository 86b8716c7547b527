#include "gossamer/graph/ingest/internal/generator.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <type_traits>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/graph/ingest/internal/vertex_edges.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_chunk_edges = 1 << 16;  // each has a random stream: changes the graphs
constexpr std::uint64_t k_asked_edges = 1 << 14;  // of vertices with edges of their own

// A random permutation of 2^bits numbers: rounds of odd multiplication, addition and a shift.
class permutation {
 public:
  permutation(unsigned bits, std::uint64_t seed)
      : mask_((std::uint64_t{1} << bits) - 1), shift_(std::max(1U, (bits + 1) / 2)) {
    xoshiro256 random(hash64(seed, 0x7065726d));
    for (auto& r : rounds_) r = {random() | 1, random()};
  }
  std::uint64_t operator()(std::uint64_t x) const {
    for (const auto& r : rounds_) {
      x = (x * r.factor + r.term) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  struct round {
    std::uint64_t factor, term;
  };
  std::uint64_t mask_;
  unsigned shift_;
  std::array<round, 4> rounds_{};
};

// Four levels of the Kronecker matrix at once: 256 outcomes (four bits of each end), drawn by the alias
// method (Walker 1977; Vose, "A linear algorithm for generating random numbers with a given
// distribution", 1991): a cell, and within it one of two outcomes.
class kronecker_cells {
 public:
  explicit kronecker_cells(const std::array<double, 4>& initiator) {
    std::array<double, k_outcomes> scaled{};
    for (unsigned o = 0; o < k_outcomes; ++o) {
      scaled[o] = k_outcomes;
      for (unsigned level = 0; level < 4; ++level) scaled[o] *= initiator[quadrant(o, level)];
    }
    std::vector<unsigned> small, large;
    for (unsigned o = 0; o < k_outcomes; ++o) (scaled[o] < 1 ? small : large).push_back(o);
    while (!small.empty() && !large.empty()) {
      const unsigned s = small.back(), l = large.back();
      small.pop_back();
      cells_[s] = {threshold(scaled[s]), s, l};
      scaled[l] -= 1 - scaled[s];
      if (scaled[l] < 1) {
        large.pop_back();
        small.push_back(l);
      }
    }
    for (const auto* rest : {&small, &large})
      for (const unsigned o : *rest) cells_[o] = {threshold(1), o, o};
  }

  /// Draws four bits of `from` and `to` each, from 64 random bits.
  void draw(std::uint64_t random, std::uint64_t& from, std::uint64_t& to) const {
    const cell& c = cells_[random % k_outcomes];
    const unsigned o = (random >> 8) < c.limit ? c.here : c.other;
    from = from << 4 | o >> 4;
    to = to << 4 | (o & 15);
  }

 private:
  static constexpr unsigned k_outcomes = 256;
  struct cell {
    std::uint64_t limit = 0;  // of 2^56
    std::uint32_t here = 0, other = 0;
  };
  static unsigned quadrant(unsigned outcome, unsigned level) {
    return (outcome >> (4 + level) & 1) << 1 | (outcome >> level & 1);
  }
  static std::uint64_t threshold(double fraction) {
    return static_cast<std::uint64_t>(std::ldexp(std::clamp(fraction, 0.0, 1.0), 56));
  }
  std::array<cell, k_outcomes> cells_;
};

struct generation {
  generation(const generator& g, std::uint64_t block, std::uint64_t blocks, const progress_hook& hook)
      : what(g),
        first_chunk(block_begin(chunks(), block, blocks)),
        last_chunk(block_begin(chunks(), block + 1, blocks)),
        rename(g.scale, g.seed),
        cells(g.initiator),
        rules(what),
        progress(hook),
        arena((edge_count() +
               (2 * k_chunk_edges + std::min<std::uint64_t>(edge_count(), 1 << 20)) * local::cores()) *
              sizeof(edge)) {}

  generator what;
  std::uint64_t first_chunk, last_chunk;
  permutation rename;
  kronecker_cells cells;
  vertex_rules rules;
  const progress_hook& progress;
  edge_arena arena;
  local::scoped_per_core<edge_appender<edge>> edges;
  std::atomic<std::uint64_t> done{0};

  // A chunk has a fixed number of edges, or the vertices that determine about as many.
  std::uint64_t chunk_vertices() const {
    const std::uint64_t each = what.edges() / std::max<std::uint64_t>(what.vertices(), 1) + 1;
    return std::max<std::uint64_t>(1, k_asked_edges / each);
  }
  std::uint64_t chunks() const {
    return what.draws_edges() ? divide_up(what.edges(), k_chunk_edges)
                              : divide_up(what.vertices(), chunk_vertices());
  }
  /// Returns the number of edges of the chunks, or the expected number.
  std::uint64_t edge_count() const {
    if (!what.draws_edges())
      return block_begin(what.edges(), last_chunk - first_chunk, std::max<std::uint64_t>(chunks(), 1));
    return std::min(last_chunk * k_chunk_edges, what.edges()) -
           std::min(first_chunk * k_chunk_edges, what.edges());
  }

  // Levels beyond a multiple of four are drawn as well, and their bits dropped.
  edge kronecker_edge(xoshiro256& random) const {
    std::uint64_t from = 0, to = 0;
    for (unsigned bits = 0; bits < what.scale; bits += 4) cells.draw(random(), from, to);
    const unsigned extra = (what.scale + 3) / 4 * 4 - what.scale;
    return {static_cast<vertex_id>(rename(from >> extra)), static_cast<vertex_id>(rename(to >> extra))};
  }
  edge uniform_edge(xoshiro256& random) const {
    const std::uint64_t mask = what.vertices() - 1;
    const auto from = static_cast<vertex_id>(random() >> 7 & mask);
    return {from, static_cast<vertex_id>(random() >> 7 & mask)};
  }

  void make_chunk(std::uint64_t chunk) {
    const std::uint64_t count = what.draws_edges() ? draw_chunk(chunk) : ask_chunk(chunk);
    // relaxed: a number to show
    const std::uint64_t all = done.fetch_add(count, std::memory_order_relaxed) + count;
    if (local::here() == 0) report(progress, "generating", std::min(all, edge_count()), edge_count());
  }

 private:
  std::uint64_t draw_chunk(std::uint64_t chunk) {
    const std::uint64_t count = std::min(k_chunk_edges, what.edges() - chunk * k_chunk_edges);
    xoshiro256 random(hash64(what.seed, chunk));
    edge_appender<edge>& mine = edges.here();
    edge* const out = mine.room(count);
    if (what.how == generator::kind::kronecker)
      for (std::uint64_t i = 0; i < count; ++i) out[i] = kronecker_edge(random);
    else
      for (std::uint64_t i = 0; i < count; ++i) out[i] = uniform_edge(random);
    mine.used(count);
    return count;
  }

  std::uint64_t ask_chunk(std::uint64_t chunk) {
    const std::uint64_t begin = chunk * chunk_vertices();
    const std::uint64_t end = std::min(begin + chunk_vertices(), what.vertices());
    edge_appender<edge>& mine = edges.here();
    std::uint64_t count = 0;
    for (std::uint64_t v = begin; v < end; ++v)
      rules.edges_of(v, [&mine, &count](std::uint64_t from, std::uint64_t to) {
        mine.append({static_cast<vertex_id>(from), static_cast<vertex_id>(to)});
        ++count;
      });
    return count;
  }
};

}  // namespace

std::vector<edge_block<edge>> generate_edges(const generator& what, std::uint64_t block, std::uint64_t blocks,
                                             const progress_hook& progress) {
  const auto state = std::make_unique<generation>(what, block, blocks, progress);
  generation* const g = state.get();
  for (core_id c = 0; c < local::cores(); ++c)
    g->edges.at(c).expect(g->edge_count() / local::cores() + k_chunk_edges, &g->arena);
  local::forall_chunks(g->first_chunk, g->last_chunk, 1, [g](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) g->make_chunk(b);
  });
  std::vector<edge_block<edge>> made;
  for (core_id c = 0; c < local::cores(); ++c)
    for (auto& b : g->edges.at(c).blocks()) made.push_back(std::move(b));
  return made;
}

namespace {

template <class Weight>
Weight weight_of(edge e, const drawn_weights& range, std::uint64_t stream) {
  const std::uint64_t ends =
      hash64(std::min<std::uint64_t>(e.from, e.to), std::max<std::uint64_t>(e.from, e.to));
  const std::uint64_t random = hash64(stream, ends);
  if (std::is_integral_v<Weight> || range.whole) {
    __extension__ using wide = unsigned __int128;
    const auto low = static_cast<std::int64_t>(range.low), high = static_cast<std::int64_t>(range.high);
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return static_cast<Weight>(low + static_cast<std::int64_t>((wide{random} * span) >> 64));
  } else {
    const double part = static_cast<double>(random >> 11) * 0x1.0p-53, width = range.high - range.low;
    if (!std::isfinite(width)) return static_cast<Weight>((1 - part) * range.low + part * range.high);
    return static_cast<Weight>(range.low + part * width);
  }
}

template <class Weight>
buffer<std::byte> drawn_weights_of(const edge_block<edge>& block, const generator& what) {
  buffer<std::byte> bytes(block.size * sizeof(Weight));
  const std::uint64_t stream = hash64(what.seed, 0x77656967);
  local::forall_chunks(0, block.size, 1 << 14,
                       [edges = block.memory.data(), to = reinterpret_cast<Weight*>(bytes.data()), stream,
                        range = what.weights](std::uint64_t b, std::uint64_t e) {
                         for (; b < e; ++b) to[b] = weight_of<Weight>(edges[b], range, stream);
                       });
  return bytes;
}

}  // namespace

edge_weights generate_weights(const generator& what, const std::vector<edge_block<edge>>& blocks) {
  edge_weights all{.type = what.weights.type, .blocks = {}};
  if (all.type == weight_type::none) return all;
  std::uint64_t edges = 0;
  for (const auto& block : blocks) edges += block.size;
  machine::require_chunk(edges * weight_bytes(all.type), "weights of edges");
  for (const auto& block : blocks)
    all.blocks.push_back(all.type == weight_type::int32 ? drawn_weights_of<std::int32_t>(block, what)
                                                        : drawn_weights_of<double>(block, what));
  return all;
}

graph_statistics statistics_of(const generator& what) {
  constexpr const char* k_forms[] = {"kronecker",        "uniform random",          "grid",
                                     "road-like",        "preferential attachment", "small world",
                                     "stochastic blocks"};
  graph_statistics s;
  s.format = k_forms[static_cast<std::size_t>(what.how)];
  return s;
}

}  // namespace gossamer::graph
