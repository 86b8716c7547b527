#include "gossamer/graph/serialized.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/build.hpp"
#include "gossamer/graph/rebuild.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/parallel/local.hpp"

namespace gossamer::graph {
namespace {

constexpr std::uint64_t k_header = 17, k_most = std::uint64_t{1} << 40;

struct serialized_header {
  bool directed = false;
  std::uint64_t arcs = 0, vertices = 0;

  std::uint64_t rows_bytes() const { return (vertices + 1) * 8 + arcs * 4; }
  std::uint64_t file_bytes() const { return k_header + (directed ? 2 : 1) * rows_bytes(); }
};

template <class T>
T load_at(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

bool read_header(std::span<const std::byte> file, serialized_header& h) {
  if (file.size() < k_header || file[0] > std::byte{1}) return false;
  h.directed = file[0] == std::byte{1};
  h.arcs = load_at<std::uint64_t>(file.data() + 1);
  h.vertices = load_at<std::uint64_t>(file.data() + 9);
  return h.arcs < k_most && h.vertices < k_most;
}

struct rows_copy {
  buffer<std::uint64_t> offsets;
  buffer<vertex_id> targets;
  bool tidy = true;  // ascending, no duplicates, no self-loops
};

// Cores check their parts of one set of rows; flags are read after the loop (its end orders them).
struct rows_check {
  std::uint64_t vertices = 0, arcs = 0;
  const std::byte* from = nullptr;
  rows_copy to;
  std::atomic<bool> bad_offsets{false}, bad_targets{false}, untidy{false};

  void copy_offsets(std::uint64_t b, std::uint64_t e) {
    std::memcpy(to.offsets.data() + b, from + b * 8, (e - b) * 8);
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
    bool in_range = true, tidy = true;
    for (; b < e; ++b) {
      std::uint64_t least = 0;  // the next id of an ascending row is at least this
      for (std::uint64_t i = to.offsets[b]; i < to.offsets[b + 1]; ++i) {
        const auto id = load_at<std::uint32_t>(ids + i * 4);
        in_range &= id < vertices;
        tidy &= id >= least && id != b;
        least = std::uint64_t{id} + 1;
        to.targets[i] = id;
      }
    }
    if (!in_range) bad_targets.store(true, std::memory_order_relaxed);
    if (!tidy) untidy.store(true, std::memory_order_relaxed);
  }
};

rows_copy copy_rows(const std::byte* from, const serialized_header& h, const std::string& path) {
  const auto state = std::make_unique<rows_check>();
  rows_check* const c = state.get();
  c->vertices = h.vertices;
  c->arcs = h.arcs;
  c->from = from;
  c->to.offsets = buffer<std::uint64_t>(h.vertices + 1);
  c->to.targets = buffer<vertex_id>(h.arcs);
  local::forall_chunks(0, h.vertices + 1, 1 << 16,
                       [c](std::uint64_t b, std::uint64_t e) { c->copy_offsets(b, e); });
  if (c->bad_offsets || c->to.offsets[0] != 0 || c->to.offsets[h.vertices] != h.arcs)
    throw error(path + ": damaged: expected ascending row offsets from 0 to the number of arcs");
  local::forall_chunks(0, h.vertices, 1 << 12, [c](std::uint64_t b, std::uint64_t e) { c->copy_rows(b, e); });
  if (c->bad_targets) throw error(fmt::format("{}: damaged: expected vertices below {}", path, h.vertices));
  c->to.tidy = !c->untidy;
  return std::move(c->to);
}

void keep_rows(rows_copy&& rows, std::vector<storage>& keep) {
  keep.push_back(std::move(rows.offsets).share());
  keep.push_back(std::move(rows.targets).share());
}

}  // namespace

bool is_serialized(std::span<const std::byte> file, bool by_name) {
  serialized_header h;
  const bool plausible = read_header(file, h);
  return by_name || (plausible && h.file_bytes() == file.size());
}

graph read_serialized(std::span<const std::byte> file, const std::string& path,
                      const progress_hook& progress) {
  const std::uint64_t start = machine::now_ns();
  serialized_header h;
  if (!read_header(file, h))
    throw error(path + ": expected a serialized graph of the GAP benchmark suite, found other bytes");
  if (file.size() != h.file_bytes())
    throw error(fmt::format("{}: expected {} bytes for {} vertices and {} arcs, found {}{}", path,
                            h.file_bytes(), h.vertices, h.arcs, file.size(),
                            file.size() < h.file_bytes() ? ": truncated" : ""));
  if (h.vertices >= k_no_vertex) throw error(fmt::format("{}: more than {} vertices", path, k_no_vertex));
  machine::require_memory(file.size(), "reading " + path);
  report(progress, "reading", 0, file.size());
  rows_copy out = copy_rows(file.data() + k_header, h, path);
  rows_copy in;
  if (h.directed) in = copy_rows(file.data() + k_header + h.rows_bytes(), h, path);

  graph_view g;
  g.vertices = h.vertices;
  g.arcs = h.arcs;
  g.directed = h.directed;
  g.out = g.in = {out.offsets.data(), out.targets.data()};
  if (h.directed) g.in = {in.offsets.data(), in.targets.data()};
  const bool tidy = out.tidy && in.tidy && (h.directed || h.arcs % 2 == 0);
  std::vector<storage> keep;
  keep_rows(std::move(out), keep);
  if (h.directed) keep_rows(std::move(in), keep);
  graph_statistics statistics;
  statistics.format = "GAP serialized graph";
  statistics.edges_read = g.edges();
  statistics.load_seconds = static_cast<double>(machine::now_ns() - start) * 1e-9;
  graph result(g, labels::range(h.vertices), std::move(statistics), std::move(keep));
  return tidy ? std::move(result) : rebuild(std::move(result), h.directed, progress);
}

}  // namespace gossamer::graph
