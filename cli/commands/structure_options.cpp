#include "commands/structure_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gossamer/parallel/combine.hpp"

namespace gossamer::cli {
namespace {

std::uint64_t payload_bytes(const std::string& option, const std::string& text) {
  const std::uint64_t bytes = whole_number(option, text, 1, k_any);
  if (std::ranges::find(kernels::k_payloads, bytes) == kernels::k_payloads.end())
    refuse(option, fmt::format("{}", fmt::join(kernels::k_payloads, ", ")), text);
  return bytes;
}

}  // namespace

void structure_options::declare(declaration& d) {
  d.number("--puts", puts, "percent pushes, enqueues, inserts (default: 100; of sets and maps 50)", 0, 100,
           "P");
  d.number("--erases", erases, "percent erases, of sets and maps (default 0); the rest pop, dequeue, look up",
           0, 100, "P");
  d.number("--keys", keys, "of sets and maps: random keys from 0 to N - 1 (default 1024)", 1);
  d.number("--cells", cells, "of sets and maps: room for N keys before the clock starts (default: they grow)",
           1, std::uint64_t{1} << 40);
  d.number("--fibers", fibers, "on every core (default 2048)", 1, (1 << 24) - 64);
  d.number("--operations", operations,
           "of all fibers together, in equal parts, at least one each (default: 1,024 each)", 1);
  d.value("--payload", "BYTES", "of a value: 8 (default), 64, 256 or 1024; sets have none",
          [this](const auto& option, const auto& text) { payload = payload_bytes(option, text); });
  d.flag("--bulk", bulk, "one call of every core puts its share in: values, or each key once");
  d.flag("--phases", phases, "of sets and maps: puts are staged, then the rest is read while it is frozen");
  d.flag("--pending-lookups", pending, "of a set: lookups are answered from insertions of their core, too");
  d.word("--combining", "WHERE", combining,
         "off, home, local, both or automatic (default: GOSSAMER_COMBINING, or automatic)",
         {k_combine_names.begin(), k_combine_names.end()});
}

kernels::structure_work structure_options::work() const {
  kernels::structure_work w{.operations = operations};
  if (!structure.empty())
    w.kind = static_cast<kernels::structure>(index_of(kernels::k_structures, structure));
  w.bulk = bulk;
  w.pending = pending;
  w.phases = phases;
  w.puts = puts.value_or(w.keyed() && !w.bulk ? 50 : 100);
  w.erases = erases.value_or(0);
  w.keys = keys.value_or(w.keys);
  w.cells = cells.value_or(0);
  w.fibers = fibers.value_or(w.fibers);
  w.payload = payload.value_or(w.payload);
  return w;
}

}  // namespace gossamer::cli
