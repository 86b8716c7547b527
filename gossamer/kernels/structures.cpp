#include "gossamer/kernels/structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/kernels/internal/structure_asking.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::kernels {
void validate(const structure_work& w) {
  if (w.puts + w.erases > 100)
    throw error(fmt::format("structures: expected at most 100 % of puts and erases together, found {} and {}",
                            w.puts, w.erases));
  if (!w.keyed() && (w.erases > 0 || w.cells > 0))
    throw error(fmt::format("structures: expected erases and cells of a set or map only, found a {}",
                            k_structures[static_cast<unsigned>(w.kind)]));
  if (w.keys == 0 || w.fibers == 0) throw error("structures: expected at least one key and one fiber");
  if (std::ranges::find(k_payloads, w.payload) == k_payloads.end())
    throw error(fmt::format("structures: expected values of 8, 64, 256 or 1024 bytes, found {}", w.payload));
  if (w.pending && (w.kind != structure::set || w.bulk))
    throw error(
        fmt::format("structures: expected lookups from pending insertions of a set by fibers, found a {}{}",
                    k_structures[static_cast<unsigned>(w.kind)], w.bulk ? " in bulk" : ""));
  if (w.phases && (!w.keyed() || w.erases > 0 || w.bulk || w.pending))
    throw error(fmt::format(
        "structures: expected phases of a set or map, of puts and lookups by fibers, found a {}{}",
        k_structures[static_cast<unsigned>(w.kind)], w.erases > 0 ? " with erases" : ""));
  if (w.bulk && w.puts < 100)
    throw error(fmt::format("structures: expected 100 % puts in bulk, found {}", w.puts));
}

/// Estimates the bytes of one process, by measurement. In bulk a value is stored twice: in the input of the
/// call and in the structure. Tables take up to three times the bytes of their keys and values, and are
/// filled from copies.
std::uint64_t bytes_for(const structure_work& w, unsigned cores, unsigned processes) {
  constexpr double k_bulk = 2.1, k_table = 3.5;
  constexpr std::uint64_t k_fiber_bytes = 8 << 10;  // touched part of its stack, and its handle
  const double value = static_cast<double>(w.kind == structure::set ? 0 : w.payload);
  const double requests = static_cast<double>(w.operations != 0 ? w.operations : 1024 * w.fibers * cores);
  double kept;
  if (w.keyed()) {
    const double keys = static_cast<double>(w.keys);
    kept =
        ((w.bulk ? keys : std::min(keys, requests)) + static_cast<double>(w.cells)) * k_table * (8 + value);
  } else {
    const double left = w.puts > 50 ? (2.0 * w.puts - 100) / 100 : 0;  // the rest is taken out again
    kept = requests * value * (w.bulk ? k_bulk : left);
  }
  const std::uint64_t stacks = w.bulk ? 0 : w.fibers * (cores / processes) * k_fiber_bytes;
  const auto puts = static_cast<std::uint64_t>(requests * w.puts / 100) + w.fibers * cores;
  const std::uint64_t drawn = w.phases && w.verify ? bytes_of_counting(w, puts) : 0;
  return static_cast<std::uint64_t>(kept / processes) + stacks + drawn;
}

structure_counts structure_counts_so_far() {
  const scoped_per_core<structure_counts> parts;
  on_all_cores([parts = parts.handle()] {
    const counters& c = message::endpoint::here().count();
    parts.here() = {c.combine_requests, c.combine_commits, c.combine_matched,
                    c.combine_messages, c.combine_bytes,   c.combine_wait_ns};
  });
  return parts.fold(structure_counts{}, [](const structure_counts& a, const structure_counts& b) {
    return structure_counts{a.requests + b.requests, a.commits + b.commits, a.matched + b.matched,
                            a.messages + b.messages, a.bytes + b.bytes,     a.wait_ns + b.wait_ns};
  });
}

structure_counts since(const structure_counts& before, const structure_counts& now) {
  return {now.requests - before.requests, now.commits - before.commits, now.matched - before.matched,
          now.messages - before.messages, now.bytes - before.bytes,     now.wait_ns - before.wait_ns};
}

structure_result ask_structure(const structure_work& w) {
  validate(w);
  machine::require_memory(bytes_for(w, cores(), processes()), "structures");
  switch (w.kind) {
    case structure::stack:
      return ask_stack(w);
    case structure::queue:
      return ask_queue(w);
    case structure::set:
      return ask_set(w);
    case structure::map:
      break;
  }
  return ask_map(w);
}

}  // namespace gossamer::kernels
