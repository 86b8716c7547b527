#include "gossamer/graph/formats/internal/serialized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build/internal/build.hpp"
#include "gossamer/graph/build/internal/process_rows.hpp"
#include "gossamer/graph/build/internal/rebuild.hpp"
#include "gossamer/graph/formats/internal/row_check.hpp"
#include "gossamer/graph/formats/internal/shared_load.hpp"
#include "gossamer/graph/store/internal/partition.hpp"
#include "gossamer/graph/store/internal/process_collectives.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/mapped_file.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/interrupt.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_header = 17, k_most = std::uint64_t{1} << 40;

struct serialized_header {
  bool directed = false, weighted = false;
  std::uint64_t arcs = 0, vertices = 0;

  std::uint64_t arc_bytes() const { return weighted ? 8 : 4; }
  weight_type weights() const { return weighted ? weight_type::int32 : weight_type::none; }
  std::uint64_t rows_bytes() const { return (vertices + 1) * 8 + arcs * arc_bytes(); }
  std::uint64_t file_bytes() const { return k_header + (directed ? 2 : 1) * rows_bytes(); }
};

template <class T>
T load_at(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Reads the header. The length determines whether arcs have weights; if it is ambiguous, the name does.
bool read_header(std::span<const std::byte> file, const std::string& path, serialized_header& h) {
  if (file.size() < k_header || file[0] > std::byte{1}) return false;
  h.directed = file[0] == std::byte{1};
  h.arcs = load_at<std::uint64_t>(file.data() + 1);
  h.vertices = load_at<std::uint64_t>(file.data() + 9);
  if (h.arcs >= k_most || h.vertices >= k_most) return false;
  if (h.file_bytes() == file.size()) return true;
  h.weighted = true;
  if (h.file_bytes() != file.size()) h.weighted = path.ends_with(".wsg");
  return true;
}

struct rows_copy {
  buffer<std::uint64_t> offsets;
  buffer<vertex_id> targets;
  buffer<std::byte> weights;  // of 32 bits
  bool tidy = true;  // ascending, without duplicates and self-loops
  arc_sums sums;
};

struct rows_place {
  std::uint64_t* offsets = nullptr;
  vertex_id* targets = nullptr;
  std::byte* weights = nullptr;
};

// The result of checking one set of rows. Cores check their blocks; flags and sums are read after the loop (its
// end orders them).
struct rows_check {
  std::uint64_t vertices = 0, arcs = 0, arc_bytes = 4;
  const std::byte* from = nullptr;
  rows_place to;
  std::atomic<bool> bad_offsets{false}, bad_targets{false}, untidy{false};
  std::atomic<std::uint64_t> by_row{0}, by_target{0};

  arc_sums sums() const { return {by_row, by_target}; }

  void copy_offsets(std::uint64_t b, std::uint64_t e) {
    std::memcpy(to.offsets + b, from + b * 8, (e - b) * 8);
    bool good = true;
    std::uint64_t before = b == 0 ? 0 : load_at<std::uint64_t>(from + (b - 1) * 8);
    for (; b < e; ++b) {
      good &= to.offsets[b] >= before;
      before = to.offsets[b];
    }
    if (!good || before > arcs) bad_offsets.store(true, std::memory_order_relaxed);
  }

  void copy_rows(std::uint64_t b, std::uint64_t e) {
    const std::byte* const ids = from + (vertices + 1) * 8;
    bool in_range = true;
    row_check check;
    for (; b < e; ++b) {
      check.begin(b);
      for (std::uint64_t i = to.offsets[b]; i < to.offsets[b + 1]; ++i) {
        const auto id = load_at<std::uint32_t>(ids + i * arc_bytes);
        in_range &= id < vertices;
        to.targets[i] = id;
        std::uint64_t times = 1;
        if (to.weights != nullptr) {
          const auto weight = load_at<std::uint32_t>(ids + i * arc_bytes + 4);
          std::memcpy(to.weights + i * 4, &weight, 4);
          times = times_of(weight);
        }
        check.add(id, times);
      }
      check.end();
    }
    by_row.fetch_add(check.sums().by_row, std::memory_order_relaxed);
    by_target.fetch_add(check.sums().by_target, std::memory_order_relaxed);
    if (!in_range) bad_targets.store(true, std::memory_order_relaxed);
    if (!check.tidy()) untidy.store(true, std::memory_order_relaxed);
  }
};

std::unique_ptr<rows_check> check_offsets(const std::byte* from, const serialized_header& h,
                                          const rows_place& to, const std::string& path) {
  auto state = std::make_unique<rows_check>();
  rows_check* const c = state.get();
  c->vertices = h.vertices;
  c->arcs = h.arcs;
  c->arc_bytes = h.arc_bytes();
  c->from = from;
  c->to = to;
  local::forall_chunks(0, h.vertices + 1, 1 << 16,
                       [c](std::uint64_t b, std::uint64_t e) { c->copy_offsets(b, e); });
  if (c->bad_offsets || to.offsets[0] != 0 || to.offsets[h.vertices] != h.arcs)
    throw error(path + ": damaged: expected ascending row offsets from 0 to the number of arcs");
  return state;
}

void copy_targets(rows_check* c, std::uint64_t first, std::uint64_t last) {
  local::forall_chunks(first, last, 1 << 12, [c](std::uint64_t b, std::uint64_t e) { c->copy_rows(b, e); });
}

[[noreturn]] void fail_targets(const std::string& path, const serialized_header& h) {
  throw error(fmt::format("{}: damaged: expected vertices below {}", path, h.vertices));
}

rows_copy copy_rows(const std::byte* from, const serialized_header& h, const std::string& path) {
  rows_copy to;
  to.offsets = buffer<std::uint64_t>(h.vertices + 1);
  to.targets = buffer<vertex_id>(h.arcs);
  if (h.weighted) to.weights = buffer<std::byte>(h.arcs * 4);
  const auto c = check_offsets(from, h, {to.offsets.data(), to.targets.data(), to.weights.data()}, path);
  copy_targets(c.get(), 0, h.vertices);
  if (c->bad_targets) fail_targets(path, h);
  to.tidy = !c->untidy;
  to.sums = c->sums();
  return to;
}

serialized_header checked_header(std::span<const std::byte> file, const std::string& path) {
  serialized_header h;
  if (!read_header(file, path, h))
    throw error(path + ": expected a serialized graph of the GAP benchmark suite, found other bytes");
  if (file.size() != h.file_bytes())
    throw error(fmt::format("{}: expected {} bytes for {} vertices and {} arcs, found {}{}", path,
                            h.file_bytes(), h.vertices, h.arcs, file.size(),
                            file.size() < h.file_bytes() ? ": truncated" : ""));
  if (h.vertices >= k_no_vertex) throw error(fmt::format("{}: more than {} vertices", path, k_no_vertex));
  return h;
}

graph_statistics statistics_of(const graph_view& g, std::uint64_t start) {
  graph_statistics s;
  s.format = g.weights == weight_type::none ? "GAP serialized graph" : "GAP weighted serialized graph";
  s.edges_read = g.edges();
  if (g.weights != weight_type::none) s.weights = g.edges();
  s.load_seconds = machine::seconds_since(start);
  return s;
}

void keep_rows(rows_copy&& rows, std::vector<storage>& keep) {
  keep.push_back(std::move(rows.offsets).share());
  keep.push_back(std::move(rows.targets).share());
  if (rows.weights.size() != 0) keep.push_back(std::move(rows.weights).share());
}

// Rebuilds rows that are not tidy. A self-loop of an undirected graph counts as often as its row has it.
graph tidied(graph g, duplicate_rule rule, const progress_hook& progress) {
  const bool directed = g.view().directed;
  graph result = rebuild(std::move(g), directed, progress, rule);
  graph_statistics& s = result.statistics();
  s.edges_read = result.view().edges() + s.duplicates + s.self_loops;
  if (s.weights != 0) s.weights = s.edges_read;
  return result;
}

}  // namespace

bool is_serialized(std::span<const std::byte> file, const std::string& path) {
  serialized_header h;
  const bool plausible = read_header(file, path, h);
  return path.ends_with(".sg") || path.ends_with(".wsg") || (plausible && h.file_bytes() == file.size());
}

graph read_serialized(std::span<const std::byte> file, const std::string& path, duplicate_rule rule,
                      const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  const serialized_header h = checked_header(file, path);
  machine::require_memory(file.size(), "reading " + path);
  report(progress, "reading", 0, file.size());
  rows_copy out = copy_rows(file.data() + k_header, h, path);
  rows_copy in;
  if (h.directed) in = copy_rows(file.data() + k_header + h.rows_bytes(), h, path);
  check_reverse(out.sums, h.directed ? in.sums : out.sums, h.directed, path);

  graph_view g;
  g.vertices = h.vertices;
  g.arcs = h.arcs;
  g.directed = h.directed;
  g.weights = h.weights();
  const auto rows_of = [](const rows_copy& r) {
    return rows(adjacency{r.offsets.data(), r.targets.data(), r.weights.data()});
  };
  g.out = g.in = rows_of(out);
  if (h.directed) g.in = rows_of(in);
  const bool tidy = out.tidy && in.tidy && (h.directed || h.arcs % 2 == 0);
  std::vector<storage> keep;
  keep_rows(std::move(out), keep);
  if (h.directed) keep_rows(std::move(in), keep);
  graph result(g, labels::range(h.vertices), statistics_of(g, start), std::move(keep));
  return tidy ? std::move(result) : tidied(std::move(result), rule, progress);
}

namespace {

// The state of a process that reads a serialized graph.
struct serialized_block {
  std::string path;
  std::unique_ptr<const machine::mapped_file> file;
  serialized_header head;
  std::array<buffer<std::uint64_t>, 2> offsets;  // out, in: of all vertices
  std::array<std::unique_ptr<rows_check>, 2> checks;
  struct facts {
    bool bad = false, untidy = false;
    std::array<arc_sums, 2> sums;  // out, in
  };
  std::vector<facts> all;  // by process

  unsigned ways() const { return head.directed ? 2 : 1; }
};

void open_block(serialized_block& mine) {
  mine.file = std::make_unique<const machine::mapped_file>(mine.path);
  const auto bytes = mine.file->bytes();
  mine.head = checked_header(bytes, mine.path);
  for (unsigned w = 0; w < mine.ways(); ++w) {
    mine.offsets[w] = buffer<std::uint64_t>(mine.head.vertices + 1);
    mine.checks[w] = check_offsets(bytes.data() + k_header + w * mine.head.rows_bytes(), mine.head,
                                   {mine.offsets[w].data(), nullptr, nullptr}, mine.path);
  }
}

std::vector<std::uint64_t> work_of(const serialized_block& mine) {
  std::vector<std::uint64_t> work;
  for (std::uint64_t v = 0; v < mine.head.vertices; v += k_vertex_alignment) {
    const std::uint64_t end = std::min(v + k_vertex_alignment, mine.head.vertices);
    work.push_back(0);
    for (unsigned w = 0; w < mine.ways(); ++w) work.back() += mine.offsets[w][end] - mine.offsets[w][v];
  }
  return work;
}

// Copies the rows of this process to their places, and gathers the results of all processes. Collective.
void copy_block(serialized_block& mine, const graph_view& g) {
  const uninterrupted collective;
  const vertex_range own = own_vertices(g);
  serialized_block::facts found;
  for (unsigned w = 0; w < mine.ways(); ++w) {
    const adjacency& to = w == 0 ? g.out : g.in;
    rows_check* const c = mine.checks[w].get();
    c->to.targets = const_cast<vertex_id*>(to.targets);
    c->to.weights = const_cast<std::byte*>(to.weights);
    copy_targets(c, own.begin, own.end);
    std::copy(c->to.offsets + own.begin, c->to.offsets + own.end + 1,
              const_cast<std::uint64_t*>(to.offsets) + own.begin);
    found.bad |= c->bad_targets;
    found.untidy |= c->untidy;
    found.sums[w] = c->sums();
  }
  mine.all = all_gather_processes(found);
}

}  // namespace

graph read_serialized_over_processes(const std::string& path, duplicate_rule rule,
                                     const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  scoped_per_process<serialized_block> owner;
  const auto state = owner.handle();
  serialized_block& here = state.here();
  here.path = path;
  share_text(state, &serialized_block::path);
  report(progress, "reading", 0, 0);
  on_all_processes([state] { open_block(state.here()); });
  const serialized_header h = here.head;
  machine::require_memory(h.file_bytes() / processes(), "reading " + path);

  const symmetric_bounds bounds = make_symmetric_bounds();
  const symmetric_rows out(h.vertices, h.arcs, h.weights(), bounds.data());
  std::vector<storage> keep{bounds.memory};
  out.keep(keep);
  graph_view g;
  g.vertices = h.vertices;
  g.arcs = h.arcs;
  g.directed = h.directed;
  g.weights = h.weights();
  g.out = g.in = out.view();
  g.process_bounds = bounds.data();
  if (h.directed) {
    const symmetric_rows in(h.vertices, h.arcs, h.weights(), bounds.data());
    in.keep(keep);
    g.in = in.view();
  }
  on_all_processes([state, g, to = bounds.data()] {
    std::ranges::copy(process_bounds_of(work_of(state.here()), k_vertex_alignment, g.vertices), to);
    copy_block(state.here(), g);
  });
  bool tidy = h.directed || h.arcs % 2 == 0;
  std::array<arc_sums, 2> sums;
  for (const auto& f : here.all) {
    if (f.bad) fail_targets(path, h);
    tidy &= !f.untidy;
    for (unsigned w = 0; w < 2; ++w) sums[w] += f.sums[w];
  }
  check_reverse(sums[0], sums[h.directed ? 1 : 0], h.directed, path);
  graph result(g, labels::range(h.vertices), statistics_of(g, start), std::move(keep));
  return tidy ? std::move(result) : tidied(std::move(result), rule, progress);
}

}  // namespace gossamer::graph
