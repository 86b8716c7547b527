#include "gossamer/kernels/structures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "structure_asking.hpp"

namespace gossamer::kernels {
void check(const structure_work& w) {
  if (w.puts + w.erases > 100)
    throw error(fmt::format("structures: expected at most 100 % of puts and erases together, found {} and {}",
                            w.puts, w.erases));
  if (!w.keyed() && (w.erases > 0 || w.cells > 0))
    throw error(fmt::format("structures: expected erases and cells of a set or map only, found a {}",
                            k_structures[static_cast<unsigned>(w.kind)]));
  if (w.keys == 0 || w.fibers == 0) throw error("structures: expected at least one key and one fiber");
  if (std::ranges::find(k_payloads, w.payload) == k_payloads.end())
    throw error(fmt::format("structures: expected values of 8, 64, 256 or 1024 bytes, found {}", w.payload));
  if (w.bulk && w.puts < 100)
    throw error(fmt::format("structures: expected 100 % puts in bulk, found {}", w.puts));
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
  check(w);
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
