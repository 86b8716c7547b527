// gossamer bench: runs micro-benchmarks and their peers' programs, joins them, and prints the rows of each
// bench when it has them. No graph, no job around it: every bench runs the jobs that it needs.

#include <algorithm>

#include "commands.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/launcher.hpp"
#include "micro/benches.hpp"
#include "micro/peers.hpp"
#include "requests.hpp"
#include "terminal.hpp"

namespace gossamer::cli {
namespace {

using gossamer::bench::micro;
using gossamer::bench::row;

bool asked_for(const options& o, std::string_view name) {
  return o.benches.empty() || std::find(o.benches.begin(), o.benches.end(), name) != o.benches.end();
}

gossamer::bench::settings settings_of(const options& o) {
  gossamer::bench::requests asked{{},       {}, o.puts,    o.erases, o.keys, o.structure_cells,
                                  o.fibers, {}, o.payload, o.bulk};
  if (!o.structure.empty()) asked.structure = index_of(kernels::k_structures, o.structure);
  if (!o.combining.empty()) asked.where = index_of(k_combine_names, o.combining);
  if (o.operations > 0) asked.operations = o.operations;
  return {
      .cores = o.cores, .table_bytes = o.table_bytes, .repeats = o.repeats, .quick = o.quick, .asked = asked};
}

int list(const options& o, const paint& p) {
  table names({{"", table::align::left}, {"", table::align::left}});
  std::string lines;
  for (const micro& b : gossamer::bench::micro_benches()) {
    if (!asked_for(o, b.name)) continue;
    json_object j;
    j.set("bench", b.name);
    j.set("measures", b.summary);
    lines += j.text() + "\n";
    names.row({std::string(b.name), std::string(b.summary)});
  }
  write_output(o.json ? lines : names.text(p));
  return 0;
}

std::string figure(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "-"; }

/// Ours; the peers are beside them.
std::string text_of(const micro& b, const std::vector<row>& rows, const paint& p) {
  using align = table::align;
  table t({{"case", align::left},
           {"value"},
           {"", align::left},
           {"smallest"},
           {"largest"},
           {"budget"},
           {"best peer", align::left},
           {"its value"}});
  for (const row& r : rows) {
    if (!r.peer_of.empty()) continue;
    t.row({r.name, figure(r.value), r.unit, figure(r.low), figure(r.high), figure(r.budget),
           r.peer.empty() ? "-" : r.peer, figure(r.peer_value)});
  }
  return fmt::format("{}: {}\n{}\n", p.bold(b.name), b.summary, t.text(p));
}

std::string json_of(const std::vector<row>& rows) {
  std::string lines;
  for (const row& r : rows) lines += json_line(r) + "\n";
  return lines;
}

/// The rows of one bench, with peers; warnings go to standard error.
std::vector<row> rows_of(const micro& b, const options& o) {
  const auto warn = [&](const std::string& what) {
    if (!o.quiet) write_error(fmt::format("warning: {}\n", printable(what)));
  };
  std::vector<row> rows;
  const auto add = [&](row r) { rows.push_back(std::move(r)); };
  b.run(settings_of(o), gossamer::bench::report(add, warn));
  std::vector<row> peers;
  if (!o.no_peers) peers = gossamer::bench::run_peers(b.name, settings_of(o), warn);
  join(rows, std::move(peers));
  return rows;
}

}  // namespace

int bench(const options& o) {
  const paint p(output_has_colours());
  if (o.list) return list(o, p);
  progress steps(o.quiet || !machine::speaks_for_job());
  std::string wrong;
  for (const micro& b : gossamer::bench::micro_benches()) {
    if (!asked_for(o, b.name)) continue;
    steps.step(fmt::format("bench {}", b.name));
    const std::vector<row> rows = rows_of(b, o);
    steps.finish();
    if (machine::speaks_for_job()) write_output(o.json ? json_of(rows) : text_of(b, rows, p));
    for (const row& r : rows)
      if (!r.checked) wrong += fmt::format("{}{}: {}", wrong.empty() ? "" : ", ", r.bench, r.name);
  }
  if (wrong.empty()) return 0;
  write_error(fmt::format("error: bench: wrong results: {}\n", wrong));
  return 1;
}

}  // namespace gossamer::cli
