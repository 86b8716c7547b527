#include "gossamer/graph/formats/internal/packed_edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "gossamer/base/bits.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/ingest/internal/number_edges.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_packed_bytes = 12, k_edges_of_block = 1 << 18;

struct packed_facts {
  std::uint64_t highest = 0;
  bool wide = false;
};

// The state of a process that reads the file.
struct packed_block {
  std::string path;  // of process 0
  io::text_file file;
  std::vector<packed_facts> all;  // by process
};

wide_edge unpack(const std::byte* at) {
  std::uint32_t words[3];
  std::memcpy(words, at, sizeof words);
  return {words[0] | std::uint64_t{words[2] & 0xffff} << 32, words[1] | std::uint64_t{words[2] >> 16} << 32};
}

template <class Edge>
edge_block<Edge> unpack_block(const std::byte* from, std::uint64_t count) {
  edge_block<Edge> block{buffer<Edge>(count), count};
  Edge* const to = block.memory.data();
  for (std::uint64_t i = 0; i < count; ++i) {
    const wide_edge e = unpack(from + i * k_packed_bytes);
    to[i] = {static_cast<decltype(Edge::from)>(e.from), static_cast<decltype(Edge::to)>(e.to)};
  }
  return block;
}

struct unpacked_blocks {
  std::vector<edge_block<edge>> narrow;
  std::vector<edge_block<wide_edge>> wide;
  std::vector<std::uint64_t> highest;
};

// Reads edges [begin, end) of a file, on the cores of this process.
read_edges unpack_edges(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t count = divide_up(end - begin, k_edges_of_block);
  const auto state = std::make_unique<unpacked_blocks>();
  unpacked_blocks* const all = state.get();
  all->narrow.resize(count);
  all->wide.resize(count);
  all->highest.resize(count);
  local::forall_chunks(0, count, 1, [all, bytes, begin, end](std::uint64_t b, std::uint64_t e) {
    for (; b < e; ++b) {
      const std::uint64_t first = begin + b * k_edges_of_block,
                          size = std::min(k_edges_of_block, end - first);
      const std::byte* const from = bytes.data() + first * k_packed_bytes;
      for (std::uint64_t i = 0; i < size; ++i) {
        const wide_edge x = unpack(from + i * k_packed_bytes);
        all->highest[b] = std::max({all->highest[b], x.from, x.to});
      }
      if (all->highest[b] < k_no_vertex)
        all->narrow[b] = unpack_block<edge>(from, size);
      else
        all->wide[b] = unpack_block<wide_edge>(from, size);
    }
  });
  read_edges edges;
  edges.count = end - begin;
  for (std::uint64_t b = 0; b < count; ++b) {
    edges.highest = std::max(edges.highest, all->highest[b]);
    if (all->narrow[b].size != 0) edges.edges.push_back(std::move(all->narrow[b]));
    if (all->wide[b].size != 0) edges.wide.push_back(std::move(all->wide[b]));
  }
  return edges;
}

std::uint64_t packed_count(const io::text_file& file) {
  const std::uint64_t bytes = file.bytes().size();
  if (bytes % k_packed_bytes != 0)
    throw error(
        fmt::format("{}: expected packed edges of {} bytes each, found {} bytes, which are {} too many",
                    file.name(), k_packed_bytes, bytes, bytes % k_packed_bytes));
  return bytes / k_packed_bytes;
}

graph read_in_one_process(const io::text_file& file, bool directed, graph_statistics statistics,
                          const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  numbered_edges numbered = number_edges(unpack_edges(file.bytes(), 0, statistics.edges_read));
  statistics.load_seconds = machine::seconds_since(start);
  return build({.blocks = std::move(numbered.edges),
                .vertices = numbered.names.size(),
                .directed = directed,
                .only_present = numbered.only_present},
               std::move(numbered.names), std::move(statistics), progress);
}

graph read_over_processes(const io::text_file& file, bool directed, graph_statistics statistics,
                          const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  const std::uint64_t count = statistics.edges_read;
  scoped_per_process<packed_block> owner;
  scoped_per_process<process_edges> edges;
  const auto state = owner.handle();
  state.here().path = file.name();
  share_text(state, &packed_block::path);
  on_all_processes([state] {
    packed_block& mine = state.here();
    mine.file = io::text_file(mine.path);
    (void)packed_count(mine.file);
  });
  on_all_processes([state, count, edges = edges.handle()] {
    read_edges& read = edges.here().read;
    read = unpack_edges(state.here().file.bytes(), block_begin(count, process(), processes()),
                        block_begin(count, process() + 1, processes()));
    const uninterrupted collective;
    state.here().all = all_gather_processes(packed_facts{read.highest, !read.wide.empty()});
  });
  packed_facts all;
  for (const packed_facts& f : state.here().all) {
    all.highest = std::max(all.highest, f.highest);
    all.wide = all.wide || f.wide;
  }
  labels names = number_process_edges(edges.handle(), count, all.highest, all.wide);
  statistics.load_seconds = machine::seconds_since(start);
  scoped_per_process<process_rows> rows;
  on_all_processes([edges = edges.handle(), rows = rows.handle()] {
    rows.here().blocks = std::move(edges.here().read.edges);
    rows.here().numbers = std::move(edges.here().present);
  });
  const std::uint64_t vertices = names.size();
  return build_over_processes(rows.handle(), vertices, directed, std::move(names), std::move(statistics),
                              progress);
}

}  // namespace

graph read_packed_edges(const io::text_file& file, const load_options& options, bool shared) {
  graph_statistics statistics;
  statistics.format = "packed edges of Graph500";
  statistics.edges_read = packed_count(file);
  const bool directed = options.how == direction::directed;
  machine::require_memory(shared
                              ? shared_peak_bytes(statistics.edges_read, statistics.edges_read / 16)
                              : build_peak_bytes(statistics.edges_read, statistics.edges_read / 16, directed),
                          file.name());
  report(options.progress, "reading", 0, file.bytes().size());
  return shared ? read_over_processes(file, directed, std::move(statistics), options.progress)
                : read_in_one_process(file, directed, std::move(statistics), options.progress);
}

}  // namespace gossamer::graph
