#include "gossamer/graph/ingest/internal/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <memory>

#include "gossamer/base/error.hpp"
#include "gossamer/base/random.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_chunk_edges = 1 << 16;  // one random stream each: part of what a seed means
constexpr unsigned k_most_scale = sizeof(vertex_id) == 4 ? 31 : 40;

// A random one-to-one map of 2^bits numbers: rounds of odd multiplication, addition and a shift.
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
  kronecker_cells() {
    constexpr std::array<double, 4> k_initiator{0.57, 0.19, 0.19, 0.05};
    std::array<double, k_outcomes> scaled{};
    for (unsigned o = 0; o < k_outcomes; ++o) {
      scaled[o] = k_outcomes;
      for (unsigned level = 0; level < 4; ++level) scaled[o] *= k_initiator[quadrant(o, level)];
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

  /// Four bits of `from` and `to` each, from 64 random bits.
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
        progress(hook),
        arena((edge_count() +
               (2 * k_chunk_edges + std::min<std::uint64_t>(edge_count(), 1 << 20)) * local::cores()) *
              sizeof(edge)) {}

  generator what;
  std::uint64_t first_chunk, last_chunk;
  permutation rename;
  kronecker_cells cells;
  const progress_hook& progress;
  edge_arena arena;
  local::scoped_per_core<edge_appender<edge>> edges;
  std::atomic<std::uint64_t> done{0};

  std::uint64_t chunks() const { return (what.edges() + k_chunk_edges - 1) / k_chunk_edges; }
  std::uint64_t edge_count() const {
    return std::min(last_chunk * k_chunk_edges, what.edges()) -
           std::min(first_chunk * k_chunk_edges, what.edges());
  }

  // Levels beyond a multiple of four are drawn too and their bits dropped.
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
    const std::uint64_t count = std::min(k_chunk_edges, what.edges() - chunk * k_chunk_edges);
    xoshiro256 random(hash64(what.seed, chunk));
    edge_appender<edge>& mine = edges.here();
    edge* const out = mine.room(count);
    if (what.how == generator::kind::kronecker)
      for (std::uint64_t i = 0; i < count; ++i) out[i] = kronecker_edge(random);
    else
      for (std::uint64_t i = 0; i < count; ++i) out[i] = uniform_edge(random);
    mine.used(count);
    // relaxed: a number to show
    const std::uint64_t all = done.fetch_add(count, std::memory_order_relaxed) + count;
    if (local::here() == 0) report(progress, "generating", all, edge_count());
  }
};

std::uint64_t parse_number(std::string_view source, std::string_view text, const char* what,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = status == std::errc{} && stop == text.data() + text.size();
  if (!number || value > most)
    throw error(fmt::format("{}: expected {} from 0 to {}, found {}", source, what, most, in_quotes(text)));
  return value;
}

}  // namespace

std::optional<generator> parse_generator(std::string_view source, std::uint64_t seed) {
  generator g;
  g.seed = seed;
  std::string_view rest;
  if (source.starts_with("kron:")) {
    rest = source.substr(5);
  } else if (source.starts_with("uniform:")) {
    rest = source.substr(8);
    g.how = generator::kind::uniform;
  } else {
    return std::nullopt;
  }
  const std::size_t colon = rest.find(':');
  g.scale = static_cast<unsigned>(parse_number(source, rest.substr(0, colon), "a scale", k_most_scale));
  if (colon != std::string_view::npos)
    g.edge_factor = parse_number(source, rest.substr(colon + 1), "an edge factor", std::uint64_t{1} << 20);
  return g;
}

std::string name_of(const generator& g) {
  const char* const kind = g.how == generator::kind::kronecker ? "kron" : "uniform";
  return fmt::format("{}:{}:{}", kind, g.scale, g.edge_factor);
}

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

graph_statistics statistics_of(const generator& what) {
  graph_statistics s;
  s.format = what.how == generator::kind::kronecker ? "kronecker" : "uniform random";
  s.edges_read = what.edges();
  return s;
}

}  // namespace gossamer::graph
