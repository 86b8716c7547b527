// gossamer bench: runs micro-benchmarks and the programs of their peers, and prints the joined rows of each
// bench. Runs outside a job: every bench starts the jobs that it needs.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "commands/command.hpp"
#include "commands/registry.hpp"
#include "commands/structure_options.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/options.hpp"
#include "gossamer/machine/launcher.hpp"
#include "gossamer/parallel/combine.hpp"
#include "gossamer/parallel/job.hpp"
#include "micro/benches.hpp"
#include "micro/cores.hpp"
#include "micro/peers.hpp"
#include "output/json.hpp"
#include "output/progress.hpp"
#include "output/terminal.hpp"
#include "output/text.hpp"

namespace gossamer::cli {
namespace {

using gossamer::bench::micro;
using gossamer::bench::row;

constexpr command_text k_bench_text{"bench",
                                    "fibers and messages at the limit of the machine, beside their peers",
                                    "  gossamer bench --list\n"
                                    "  gossamer bench yield wake\n"
                                    "  gossamer bench gups --cores 2 --table 1GiB --json\n"};

class bench_command final : public command {
 public:
  bench_command() : command(k_bench_text) {}

  void declare(declaration& d) override;
  void check() override;
  int run() override;
  std::string not_for_several() const override { return unless(&micro::several, "run in several processes"); }
  std::string not_for_simulation() const override { return unless(&micro::simulated, "can be simulated"); }

 private:
  bool runs(std::string_view name) const {
    return names_.empty() || std::ranges::find(names_, name) != names_.end();
  }
  /// Returns an empty text if benches were named and all of them have that property, else which have it.
  std::string unless(bool micro::* has, std::string_view what) const;
  gossamer::bench::settings settings() const;
  std::vector<row> rows_of(const micro& b) const;
  /// Returns whether this process runs the peers. In a job only process 0 does, and none under an MPI, whose
  /// launcher cannot start another one.
  bool runs_peers() const {
    const machine::launch found = machine::find_launch();
    return !no_peers_ && (!found.several() || (found.mpi == "node" && machine::speaks_for_job()));
  }
  int list(const paint& p) const;

  std::vector<std::string> names_;  // empty: all
  unsigned cores_ = 0;
  std::uint64_t table_bytes_ = 0;  // 0: each bench's own sizes
  unsigned repeats_ = 5;
  bool list_ = false;
  bool quick_ = false;
  bool no_peers_ = false;
  structure_options structures_;
};

void bench_command::declare(declaration& d) {
  d.arguments("NAME", names_, "which of them (default: all; --list tells the names)");
  d.flag("--list", list_, "the names, and what each measures");
  d.number("--cores", cores_, "of benches that can use more than two (default: 2, 4 and 8)", 1, k_most_cores);
  d.bytes("--table", table_bytes_, "of gups and gather (default: 1GiB and 8MiB)", 4096);
  d.number("--repeats", repeats_, "of each case; medians are told (default 5)", 1, 1000);
  d.flag("--quick", quick_, "small sizes: does it run, not how fast");
  d.flag("--no-peers", no_peers_, "leave out the programs gossamer-peer-*");
  d.section("Of structures (default: a table of the paper's mixes)");
  d.word("--structure", "NAME", structures_.structure, "only this: stack, queue, set or map",
         {kernels::k_structures.begin(), kernels::k_structures.end()});
  structures_.declare(d);
  d.section(k_last_group);
  declare_reporting(d, "one JSON object a line per case on standard output and nothing else there",
                    "no progress, no warnings");
}

void bench_command::check() {
  std::vector<std::string> known;
  for (const auto& b : gossamer::bench::micro_benches()) known.emplace_back(b.name);
  for (const std::string& typed : names_) {
    if (std::ranges::find(known, typed) != known.end()) continue;
    throw error(
        fmt::format("bench: expected one of {}, found \"{}\"", fmt::join(known, ", "), printable(typed)));
  }
  kernels::structure_work w = structures_.work();
  if (structures_.structure.empty()) {  // checks the options against a structure that supports most
    w.kind = kernels::structure::set;
    w.puts = structures_.puts.value_or(w.bulk ? 100 : 50);
  }
  kernels::validate(w);
}

std::string bench_command::unless(bool micro::* has, std::string_view what) const {
  std::vector<std::string_view> names;
  bool all = !names_.empty();
  for (const micro& b : gossamer::bench::micro_benches()) {
    if (b.*has) names.push_back(b.name);
    all = all && (b.*has || !runs(b.name));
  }
  return all ? std::string() : fmt::format("only {} {}", fmt::join(names, ", "), what);
}

gossamer::bench::settings bench_command::settings() const {
  const structure_options& o = structures_;
  gossamer::bench::requests asked{{},       {}, o.puts,    o.erases, o.keys,    o.cells,
                                  o.fibers, {}, o.payload, o.bulk,   o.pending, o.phases};
  if (!o.structure.empty()) asked.structure = index_of(kernels::k_structures, o.structure);
  if (!o.combining.empty()) asked.where = index_of(k_combine_names, o.combining);
  if (o.operations > 0) asked.operations = o.operations;
  return {.cores = cores_, .table_bytes = table_bytes_, .repeats = repeats_, .quick = quick_, .asked = asked};
}

int bench_command::list(const paint& p) const {
  table names({{"", table::align::left}, {"", table::align::left}});
  std::string lines;
  for (const micro& b : gossamer::bench::micro_benches()) {
    if (!runs(b.name)) continue;
    json_object j;
    j.set("bench", b.name);
    j.set("measures", b.summary);
    lines += j.text() + "\n";
    names.row({std::string(b.name), std::string(b.summary)});
  }
  write_output(json_ ? lines : names.text(p));
  return 0;
}

std::string figure(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "-"; }

/// Returns a table of the rows of a bench, each with its best peer.
std::string table_of(const micro& b, const std::vector<row>& rows, const paint& p) {
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

/// Runs one bench and its peers. Warnings go to standard error.
std::vector<row> bench_command::rows_of(const micro& b) const {
  const auto warn = [&](const std::string& what) {
    if (!quiet_) write_error(fmt::format("warning: {}\n", printable(what)));
  };
  std::vector<row> rows;
  const auto add = [&](row r) { rows.push_back(std::move(r)); };
  b.run(settings(), gossamer::bench::report(add, warn));
  std::vector<row> peers;
  if (runs_peers()) peers = gossamer::bench::run_peers(b.name, settings(), warn);
  if (machine::find_launch().several())
    for (row& p : peers) p.name = gossamer::bench::placed(p.name);
  join(rows, std::move(peers));
  return rows;
}

int bench_command::run() {
  if (const std::string why = not_for_simulation();
      !why.empty() && gossamer::options().text("GOSSAMER_SIMULATE"))
    throw error(
        fmt::format("bench: expected this machine's time, found GOSSAMER_SIMULATE: {} "
                    "(gossamer scale times commands such as gups on simulated clusters)",
                    why));
  const auto found = machine::find_launch();
  if (const std::string why = not_for_several(); !why.empty() && found.several())
    throw error(fmt::format("bench: expected one process, found {} started by {}: {}", found.processes,
                            found.launcher, why));
  const paint p(output_has_colours());
  if (list_) return list(p);
  progress steps(quiet_ || !machine::speaks_for_job());
  std::string wrong;
  for (const micro& b : gossamer::bench::micro_benches()) {
    if (!runs(b.name)) continue;
    steps.step(fmt::format("bench {}", b.name));
    const std::vector<row> rows = rows_of(b);
    steps.finish();
    if (machine::speaks_for_job()) write_output(json_ ? json_of(rows) : table_of(b, rows, p));
    for (const row& r : rows)
      if (!r.checked) wrong += fmt::format("{}{}: {}", wrong.empty() ? "" : ", ", r.bench, r.name);
  }
  if (wrong.empty()) return 0;
  write_error(fmt::format("error: bench: wrong results: {}\n", wrong));
  return 1;
}

}  // namespace

std::unique_ptr<command> make_bench() { return std::make_unique<bench_command>(); }

}  // namespace gossamer::cli
