// Options are read as text and converted here, so that every complaint has the same form:
// what was expected, and what was found instead.

#include "parse.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "figure.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/kernels/structures.hpp"
#include "gossamer/kernels/uts_tree.hpp"
#include "gossamer/machine/subprocess.hpp"
#include "gossamer/simulation/faults.hpp"
#include "gossamer/simulation/network.hpp"
#include "gossamer/simulation/simulation_options.hpp"
#include "help.hpp"
#include "micro/benches.hpp"
#include "requests.hpp"
#include "rows.hpp"
#include "scaling.hpp"
#include "text.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

constexpr std::uint64_t k_any = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void refuse(std::string_view option, std::string_view expected, std::string_view found) {
  throw error(fmt::format("{}: expected {}, found \"{}\"", option, expected, printable(found)));
}

/// "src,dst,weight".
std::vector<std::string> column_list(std::string_view option, const std::string& text) {
  std::vector<std::string> all(1);
  for (const char c : text) c == ',' ? (void)all.emplace_back() : all.back().push_back(c);
  if (all.size() < 2 || all.size() > 3 || std::ranges::any_of(all, &std::string::empty))
    refuse(option, "two columns or three, as SOURCE,TARGET", text);
  return all;
}

char separator_character(std::string_view option, const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  constexpr std::string_view k_others = "\t ,;:|/~^!@$&*_=";
  if (text.size() != 1 || k_others.find(text[0]) == std::string_view::npos)
    refuse(option, "tab, space, comma, semicolon or one of : | / ~ ^ ! @ $ & * _ =", text);
  return text[0];
}

std::uint64_t whole_number(std::string_view option, const std::string& text, std::uint64_t low,
                           std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && end == text.data() + text.size() && value >= low && value <= high)
    return value;
  if (high == k_any) refuse(option, low == 0 ? "a whole number" : "a whole number from 1", text);
  refuse(option, fmt::format("a whole number from {} to {}", low, high), text);
}

template <class Accept>
double real_number(std::string_view option, const std::string& text, std::string_view expected,
                   Accept accept) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc{} && end == text.data() + text.size() && accept(value)) return value;
  refuse(option, expected, text);
}

/// One of a few words.
void set_word(std::string& target, std::string_view option, const std::string& text,
              const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    const auto last = known.end() - 1;
    refuse(option, fmt::format("{} or {}", fmt::join(known.begin(), last, ", "), *last), text);
  }
  target = text;
}

/// Declares options on one command; the setters write into the `options` given.
class declaration {
 public:
  declaration(CLI::App& app, options& o) : app_(app), o_(o) {}

  void graph() { app_.add_option("G", o_.graph, graph_help())->required()->type_name(""); }

  template <class Set>
  CLI::Option* value(const std::string& name, const char* type, const std::string& help, const Set& set) {
    const std::string shown = name.substr(name.rfind(',') + 1);
    return app_
        .add_option_function<std::string>(
            name, [=](const std::string& text) { set(shown, text); }, help)
        ->type_name(type)
        ->group(group_)
        ->take_last();
  }
  CLI::Option* flag(const std::string& name, bool& target, const std::string& help) {
    return app_.add_flag(name, target, help)->group(group_)->disable_flag_override();
  }
  void section(std::string title) { group_ = std::move(title); }

  void reading() {
    section("Reading the graph");
    options& o = o_;
    auto* directed = app_.add_flag_callback(
        "--directed", [&o] { o.directed = true; }, "follow edges one way (default for files)");
    auto* undirected = app_.add_flag_callback(
        "--undirected", [&o] { o.directed = false; },
        "read every edge both ways (default for generated graphs)");
    directed->group(group_)->excludes(undirected)->disable_flag_override();
    undirected->group(group_)->disable_flag_override();
    flag("--labels", o.labels, "vertices are names even if all are integers");
    auto* header = app_.add_flag_callback(
        "--header", [&o] { o.header = true; }, "the first line of a text file names its columns");
    auto* no_header = app_.add_flag_callback(
        "--no-header", [&o] { o.header = false; }, "it does not (default: as it looks, and said)");
    header->group(group_)->excludes(no_header)->disable_flag_override();
    no_header->group(group_)->disable_flag_override();
    value("--columns", "S,T[,W]",
          "columns of source, target and weight: names of the header or numbers from 1; keys of JSON lines",
          [&o](const auto& name, const auto& text) { o.columns = column_list(name, text); });
    value("--separator", "C", "between columns: a character, or tab or space (default: as the file looks)",
          [&o](const auto& name, const auto& text) { o.separator = separator_character(name, text); });
    value("--seed", "N", "of generated graphs and of random choices (default 1)",
          [&o](const auto& name, const auto& text) { o.seed = whole_number(name, text, 0, k_any); });
  }

  void reporting(bool ranked, bool rows) {
    section(std::string(k_last_group));
    options& o = o_;
    if (ranked) {
      value("--top", "K", "vertices to list (default 10)",
            [&o](const auto& name, const auto& text) { o.top = whole_number(name, text, 0, k_any); });
    }
    if (rows) {
      value("-o,--output", "FILE",
            "also write one row per vertex: .tsv, .csv, .json or .jsonl, also with .gz or .zst; - is "
            "standard output",
            [&o](const auto& name, const auto& text) {
              o.output = text;
              rows_format(name, text);
            });
    }
    flag("--json", o.json, "one JSON object on standard output and nothing else there");
    flag("-q,--quiet", o.quiet, "no progress");
  }

  void running() {
    section("Running");
    options& o = o_;
    value("--cores", "N", "worker threads (default: the processors this process may use)",
          [&o](const auto& name, const auto& text) {
            o.cores = static_cast<unsigned>(whole_number(name, text, 1, 65535));
          });
    flag("--stats", o.stats, "what the runtime did, per core: minimum, median, maximum");
    flag("--verify", o.verify, "check the answer with an independent serial method");
  }

 private:
  CLI::App& app_;
  options& o_;
  std::string group_ = "Options";
};

void declare_combining(declaration& d, options& o, const std::string& of) {
  d.value("--combining", "WHERE", "where requests to " + of + " merge: off, master, local (default) or both",
          [&o](const auto& name, const auto& text) {
            set_word(o.combining, name, text, {k_combine_names.begin(), k_combine_names.end()});
          });
}

void declare_bfs(declaration& d, options& o) {
  d.value("-s,--source", "V", "start here (the vertex's label)",
          [&o](const auto&, const auto& text) { o.source = text; });
  d.value("--trials", "N", "repeat N times, from random sources unless --source is given; harmonic mean",
          [&o](const auto& name, const auto& text) { o.trials = whole_number(name, text, 1, k_any); });
  d.value("--frontier", "KIND",
          "lists: one for each core (default); queue: one for all; queue-singly: each vertex a request",
          [&o](const auto& name, const auto& text) {
            set_word(o.frontier, name, text, {"lists", "queue", "queue-singly"});
          });
  declare_combining(d, o, "the queue");
}

void declare_components(declaration& d, options& o) {
  d.value("--method", "NAME", "hooking (default), or three-phase: searches that meet, with a shared set",
          [&o](const auto& name, const auto& text) {
            set_word(o.method, name, text, {"hooking", "three-phase"});
          });
  declare_combining(d, o, "the set");
}

void declare_pagerank(declaration& d, options& o) {
  d.value("--tolerance", "X", "stop when the scores change less than this in sum (default 1e-6)",
          [&o](const auto& name, const auto& text) {
            o.tolerance = real_number(name, text, "a positive number",
                                      [](double x) { return std::isfinite(x) && x > 0; });
          });
  d.value("--damping", "X", "probability of following an edge (default 0.85)",
          [&o](const auto& name, const auto& text) {
            o.damping = real_number(name, text, "a number from 0 to 1, 1 excluded",
                                    [](double x) { return x >= 0 && x < 1; });
          });
  d.value(
      "--max-iterations", "N", "stop after N iterations at the latest (default 1000)",
      [&o](const auto& name, const auto& text) { o.max_iterations = whole_number(name, text, 1, k_any); });
}

void declare_betweenness(declaration& d, options& o) {
  d.value("--samples", "K", "paths from K random vertices, scaled up to all",
          [&o](const auto& name, const auto& text) { o.samples = whole_number(name, text, 1, k_any); });
  d.flag("--exact", o.exact, "paths from every vertex");
  d.flag("--normalized,--normalised", o.normalised, "scores as shares of all pairs, from 0 to 1");
}

std::vector<std::string> bench_names() {
  std::vector<std::string> names;
  for (const auto& b : bench::micro_benches()) names.emplace_back(b.name);
  return names;
}

std::uint64_t payload_bytes(std::string_view option, const std::string& text) {
  const std::uint64_t bytes = whole_number(option, text, 1, k_any);
  if (std::ranges::find(kernels::k_payloads, bytes) == kernels::k_payloads.end())
    refuse(option, fmt::format("{}", fmt::join(kernels::k_payloads, ", ")), text);
  return bytes;
}

template <std::size_t N>
std::string one_of(std::string_view option, const std::string& text,
                   const std::array<std::string_view, N>& names) {
  if (std::ranges::find(names, text) == names.end())
    refuse(option, fmt::format("one of {}", fmt::join(names, ", ")), text);
  return text;
}

/// The workload, of `structures` and of `bench structures`.
void declare_requests(declaration& d, options& o) {
  const auto percent = [&](const std::string& option, const std::string& help, auto& target) {
    d.value(option, "P", help, [&target](const auto& name, const auto& text) {
      target = static_cast<unsigned>(whole_number(name, text, 0, 100));
    });
  };
  const auto number = [&](const std::string& option, const std::string& help, auto& target,
                          std::uint64_t least, std::uint64_t most) {
    d.value(option, "N", help, [&target, least, most](const auto& name, const auto& text) {
      target = whole_number(name, text, least, most);
    });
  };
  percent("--puts", "percent pushes, enqueues, inserts (default: 100; of sets and maps 50)", o.puts);
  percent("--erases", "percent erases, of sets and maps (default 0); the rest pop, dequeue, look up",
          o.erases);
  number("--keys", "of sets and maps: random keys from 0 to N - 1 (default 1024)", o.keys, 1, k_any);
  number("--cells", "of sets and maps: room for N keys before the clock starts (default: they grow)",
         o.structure_cells, 1, std::uint64_t{1} << 40);
  number("--fibers", "on every core (default 2048)", o.fibers, 1, 1 << 24);
  number("--operations", "of all fibers together (default: 1,024 for each)", o.operations, 1, k_any);
  d.value("--payload", "BYTES", "of a value: 8 (default), 64, 256 or 1024; sets have none",
          [&o](const auto& name, const auto& text) { o.payload = payload_bytes(name, text); });
  d.flag("--bulk", o.bulk, "one call of every core puts its share in: values, or each key once");
  d.value("--combining", "WHERE", "off, master, local or both (default: GOSSAMER_COMBINING, or local)",
          [&o](const auto& name, const auto& text) { o.combining = one_of(name, text, k_combine_names); });
}

void declare_bench(CLI::App& app, declaration& d, options& o) {
  app.add_option("NAME", o.benches, "which of them (default: all; --list tells the names)")->type_name("");
  d.flag("--list", o.list, "the names, and what each measures");
  d.value("--cores", "N", "of benches that can use more than two (default: 2, 4 and 8)",
          [&o](const auto& name, const auto& text) {
            o.cores = static_cast<unsigned>(whole_number(name, text, 1, 65535));
          });
  d.value("--table", "BYTES", "of gups and gather (default: 1GiB and 8MiB)",
          [&o](const auto& name, const auto& text) {
            const auto bytes = try_parse_bytes(text);
            if (!bytes || *bytes < 4096) refuse(name, "bytes, at least 4096, such as 64K or 1GiB", text);
            o.table_bytes = *bytes;
          });
  d.value("--repeats", "N", "of each case; medians are told (default 5)",
          [&o](const auto& name, const auto& text) {
            o.repeats = static_cast<unsigned>(whole_number(name, text, 1, 1000));
          });
  d.flag("--quick", o.quick, "small sizes: does it run, not how fast");
  d.flag("--no-peers", o.no_peers, "leave out the programs gossamer-peer-*");
  d.section("Of structures (default: a table of the paper's mixes)");
  d.value(
      "--structure", "NAME", "only this: stack, queue, set or map",
      [&o](const auto& name, const auto& text) { o.structure = one_of(name, text, kernels::k_structures); });
  declare_requests(d, o);
  d.section(std::string(k_last_group));
  d.flag("--json", o.json, "one JSON object a line per case on standard output and nothing else there");
  d.flag("-q,--quiet", o.quiet, "no progress, no warnings");
}

/// What belongs to the tree is put together again, for the library to read. A -q without a number has been
/// replaced by then: tree_or_quiet().
void declare_tree(CLI::App& app, declaration& d, options& o) {
  const auto add = [&o](const std::string& text) { o.tree += (o.tree.empty() ? "" : " ") + text; };
  app.add_option_function<std::string>("TREE", add, "T1 T2 T3 T4 T5 T1L T2L T3L T1XL, or the options below")
      ->type_name("");
  d.section("The tree, by its arguments");
  const auto argument = [&](const std::string& name, const char* type, const std::string& help) {
    d.value(name, type, help, [add, name](const auto&, const auto& text) { add(name + " " + text); });
  };
  argument("-t", "0|1|2", "binomial, geometric (default) or hybrid");
  argument("-a", "0|1|2|3", "the mean by depth: linear (default), exponential, cyclic, fixed");
  argument("-d", "N", "the depth that -a is about (default 6)");
  argument("-b", "X", "mean at the root; children of the binomial root (default 4)");
  argument("-r", "N", "the root's seed (default 0)");
  argument("-q", "X", "binomial: how probable children are (default 0.234375); without X as --quiet");
  argument("-m", "N", "binomial: how many they are then (default 4)");
  argument("-f", "X", "hybrid: geometric above this share of -d (default 0.5)");
}

void declare_table(declaration& d, options& o, const std::string& operation) {
  d.value("--table", "BYTES", "size of the table (default 1GiB)", [&o](const auto& name, const auto& text) {
    const auto bytes = try_parse_bytes(text);
    if (!bytes || *bytes < 4096) refuse(name, "bytes, at least 4096, such as 64K or 1GiB", text);
    o.table_bytes = *bytes;
  });
  d.value("--" + operation, "N", "how many (default: as many as the table has cells)",
          [&o](const auto& name, const auto& text) { o.operations = whole_number(name, text, 1, k_any); });
  d.value("--seed", "N", "of the random cells (default 1)",
          [&o](const auto& name, const auto& text) { o.seed = whole_number(name, text, 0, k_any); });
}

void declare_structures(CLI::App& app, declaration& d, options& o) {
  app.add_option("STRUCTURE", o.structure, "stack, queue, set or map")->type_name("");
  declare_requests(d, o);
  d.value("--seed", "N", "of the requests (default 1)",
          [&o](const auto& name, const auto& text) { o.seed = whole_number(name, text, 0, k_any); });
}

void declare_kernel(CLI::App& app, command what, declaration& d, options& o) {
  if (what == command::uts || what == command::uts_mem) declare_tree(app, d, o);
  if (what == command::gups) declare_table(d, o, "updates");
  if (what == command::gather) declare_table(d, o, "reads");
  if (what == command::structures) declare_structures(app, d, o);
  d.running();
  d.section(std::string(k_last_group));
  d.flag("--json", o.json, "one JSON object on standard output and nothing else there");
  const bool tree = what == command::uts || what == command::uts_mem;  // its -q: tree_or_quiet()
  d.flag(tree ? "--quiet" : "-q,--quiet", o.quiet, "no progress");
}

/// What follows the first word that is no option here is the command, untouched.
void declare_run(CLI::App& app, declaration& d, options& o) {
  app.prefix_command();
  d.section("Processes");
  d.value("-n,--np", "N", "how many", [&o](const auto& name, const auto& text) {
    o.processes = static_cast<unsigned>(whole_number(name, text, 1, 1 << 20));
  });
  d.value("--cores", "N", "of each process (default: this node's processors divided among its processes)",
          [&o](const auto& name, const auto& text) {
            o.cores = static_cast<unsigned>(whole_number(name, text, 1, 65535));
          });
  d.value("--mpi", "NAME", "openmpi or mpich (default: the first whose plugin and launcher are here)",
          [&o](const auto& name, const auto& text) {
            if (text != "openmpi" && text != "mpich") refuse(name, "openmpi or mpich", text);
            o.mpi = text;
          });
  d.section(std::string(k_last_group));
  d.flag("-q,--quiet", o.quiet, "given to the command");
}

/// "1..10000", or one number.
void set_seeds(options& o, const std::string& name, const std::string& text) {
  const std::size_t dots = text.find("..");
  const std::string first = text.substr(0, dots), last = dots == text.npos ? first : text.substr(dots + 2);
  o.seed = whole_number(name, first, 1, k_any);
  o.last_seed = whole_number(name, last, o.seed, k_any - 1);
}

/// Declares words of GOSSAMER_SIMULATE; what they mean is checked all at once (check_simulated).
auto simulated_words(declaration& d, options& o) {
  return [&](const std::string& name, const char* type, const std::string& key, const std::string& help) {
    d.value(name, type, help, [&o, key](const auto& shown, const auto& text) {
      if (text.empty() || text.find(' ') != text.npos) refuse(shown, "one word", text);
      o.simulated += fmt::format(" {}={}", key, text);
    });
  };
}

void declare_simulate(CLI::App& app, declaration& d, options& o) {
  app.prefix_command();
  const auto word = simulated_words(d, o);
  d.section("The cluster");
  word("-n,--processes", "N", "processes", "how many (default 1)");
  word("--cores", "N", "cores", "of each process (default 1, or GOSSAMER_CORES)");
  word("--network", "NAME|FILE", "network",
       "qdr, hdr, slingshot, ethernet-25g, loopback (default), or a file (docs/simulation.md)");
  word("--compute", "HOW", "compute",
       "fixed: set costs, repeatable to the bit (default); measured: the time really used");
  d.section("Schedules and faults");
  d.value("--seed", "N", "of all choices (default 1)",
          [&o](const auto& name, const auto& text) { o.seed = whole_number(name, text, 0, k_any); });
  d.value("--seeds", "A..B", "one run for each; stops at the first that fails and shortens it",
          [&o](const auto& name, const auto& text) { set_seeds(o, name, text); });
  word("--faults", "KINDS", "faults",
       "none (default of one run), all (default of --seeds), or some, with commas: order ready steal delay "
       "spin cost slow pause lock pools");
  word("--lose", "P@T", "lose", "process P is lost at that time, as in 3@2ms");
  word("--until", "K", "until", "choices from number K on are as usual");
  word("--most", "T", "most", "of virtual time: a run that takes longer hangs");
  d.value("--timeout", "S", "seconds for each run of --seeds (default 300)",
          [&o](const auto& name, const auto& text) { o.timeout_s = whole_number(name, text, 1, 86'400); });
  word("--trace", "FILE", "trace",
       "a time line for ui.perfetto.dev: one track per core, the last million happenings");
  d.section(std::string(k_last_group));
  d.flag("-q,--quiet", o.quiet, "no line about the run on standard error, no progress");
}

void declare_scale(CLI::App& app, declaration& d, options& o) {
  app.prefix_command();
  o.simulated = " network=qdr";
  o.timeout_s = 3600;
  const auto word = simulated_words(d, o);
  d.section("The clusters");
  d.value("-n,--processes", "LIST", "how many: 1,2,4,8 or 1..128, which doubles (default 1..16)",
          [&o](const auto& name, const auto& text) { o.counts = process_counts(name, text); });
  word("--cores", "N", "cores", "of each process (default 1)");
  word("--network", "NAME|FILE", "network",
       "qdr (default), hdr, slingshot, ethernet-25g, loopback, or a file (docs/simulation.md)");
  word("--compute", "HOW", "compute",
       "fixed: set costs, repeatable to the bit (default); measured: the time really used");
  d.value("--seed", "N", "of all choices (default 1)",
          [&o](const auto& name, const auto& text) { o.seed = whole_number(name, text, 0, k_any); });
  word("--faults", "KINDS", "faults", "as for simulate, chosen by the seed (default none)");
  d.value("--timeout", "S", "seconds for each run (default 3600)",
          [&o](const auto& name, const auto& text) { o.timeout_s = whole_number(name, text, 1, 1'000'000); });
  d.section(std::string(k_last_group));
  d.value("-o,--output", "FILE",
          "also write one row per number of processes: .tsv, .csv, .json or .jsonl, also with .gz or .zst",
          [&o](const auto& name, const auto& text) {
            o.output = text;
            if (text == "-") throw error(name + ": - is not for rows that grow with every run; use --json");
            rows_format(name, text);
          });
  d.value("--figure", "FILE",
          "where to draw: .svg, .png or .pdf (default scale-COMMAND.svg); needs matplotlib",
          [&o](const auto& name, const auto& text) {
            o.figure = text;
            check_figure(name, text);
          });
  d.flag("--no-figure", o.no_figure, "only the rows");
  d.flag("--json", o.json, "one JSON object per row, a row a line, and nothing else on standard output");
  d.flag("-q,--quiet", o.quiet, "no progress");
}

void declare(CLI::App& app, command what, options& o) {
  declaration d(app, o);
  if (what == command::scale) return declare_scale(app, d, o);
  if (what == command::simulate) return declare_simulate(app, d, o);
  if (what == command::run) return declare_run(app, d, o);
  if (is_kernel(what)) return declare_kernel(app, what, d, o);
  if (what == command::bench) return declare_bench(app, d, o);
  if (what == command::network)
    app.add_option("NAME|FILE", o.network, "a preset or a file; without: measured between two processes")
        ->type_name("");
  if (what == command::doctor || what == command::network) {
    d.section(std::string(k_last_group));
    d.flag("--json", o.json, "one JSON object on standard output and nothing else there");
    d.flag("-q,--quiet", o.quiet, "accepted, as everywhere");
    return;
  }
  d.graph();
  switch (what) {
    case command::components:
      declare_components(d, o);
      break;
    case command::bfs:
      declare_bfs(d, o);
      break;
    case command::pagerank:
      declare_pagerank(d, o);
      break;
    case command::betweenness:
      declare_betweenness(d, o);
      break;
    case command::convert:
      app.add_option("OUT", o.destination,
                     ".gsg: the native form; .gz, .zst: a compressed edge list; else an edge list")
          ->required()
          ->type_name("");
      break;
    default:
      break;
  }
  d.reading();
  d.running();
  d.reporting(what != command::convert, what != command::convert);
}

/// "--treshold" and "componets" deserve a suggestion.
std::string unknown(std::string_view kind, const std::string& typed, std::span<const std::string> known,
                    std::string_view help) {
  const std::string near = nearest(typed, known);
  return near.empty() ? fmt::format("unknown {} {} ({} lists them)", kind, printable(typed), help)
                      : fmt::format("unknown {} {}, did you mean {}?", kind, printable(typed), near);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// CLI11's complaints, in our words where ours are clearer.
std::string complaint(const CLI::ParseError& e, const CLI::App& root) {
  const auto chosen = root.get_subcommands();
  const CLI::App& app = chosen.empty() ? root : *chosen.front();
  const std::string help =
      chosen.empty() ? "gossamer --help" : fmt::format("gossamer {} --help", app.get_name());
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const auto extras = app.remaining(true);
    const std::string first = extras.empty() ? std::string() : extras.front();
    if (first.starts_with("-"))
      return unknown("option", first.substr(0, first.find('=')), option_names(app), help);
    return fmt::format("unexpected argument {} ({} shows what is expected)", printable(first), help);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&e)) {
    const std::string_view what = e.what();
    const std::string_view missing =
        what.starts_with("OUT") ? "a file to write" : "a graph: a file, kron:SCALE or uniform:SCALE";
    return fmt::format("{}: expected {} ({} shows examples)", app.get_name(), missing, help);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
    const std::string_view what = e.what();
    if (what.find(" required ") != what.npos) {
      return fmt::format("{}: expected a value ({} shows which)", what.substr(0, what.find(':')), help);
    }
  }
  return fmt::format("{} ({} shows what is expected)", printable(e.what()), help);
}

void check_benches(const options& o) {
  const std::vector<std::string> names = bench_names();
  for (const std::string& typed : o.benches) {
    if (std::find(names.begin(), names.end(), typed) != names.end()) continue;
    throw error(
        fmt::format("bench: expected one of {}, found \"{}\"", fmt::join(names, ", "), printable(typed)));
  }
  kernels::structure_work w = requests_of(o);
  if (o.structure.empty()) {  // whichever structures can do it
    w.kind = kernels::structure::set;
    w.puts = o.puts.value_or(w.bulk ? 100 : 50);
  }
  kernels::check(w);
}

/// A tree is read now, so that a slip is known before anything starts.
void check_tree(const options& o) {
  if (o.what != command::uts && o.what != command::uts_mem) return;
  std::vector<std::string> names;
  for (const auto& t : kernels::named_trees()) names.emplace_back(t.name);
  if (o.tree.empty())
    throw error(fmt::format("{}: expected a tree: {}, or its arguments (gossamer {} --help tells them)",
                            o.name, fmt::join(names, " "), o.name));
  try {
    (void)kernels::parse_tree(o.tree);
  } catch (const error& e) {
    const std::string near = o.tree.starts_with("-") ? std::string() : nearest(o.tree, names);
    throw error(
        fmt::format("{}: {}{}", o.name, e.what(), near.empty() ? "" : ", did you mean " + near + "?"));
  }
}

/// The largest that is not refused depends on two of them.
void check_requests(const options& o) {
  if (o.what == command::structures) {
    if (o.structure.empty())
      throw error(
          "structures: expected stack, queue, set or map (gossamer structures --help shows examples)");
    (void)one_of("structures", o.structure, kernels::k_structures);
  }
  kernels::check(requests_of(o));
}

/// What no single option can check.
void check_together(const options& o) {
  if (o.what == command::bfs && !o.source && o.trials == 0) {
    throw error("bfs: expected --source V or --trials N (gossamer bfs --help shows examples)");
  }
  if (o.what == command::bfs && !o.combining.empty() && !o.frontier.starts_with("queue")) {
    throw error("bfs: --combining is for --frontier queue (lists share nothing)");
  }
  if (o.what == command::components && !o.combining.empty() && o.method != "three-phase") {
    throw error("components: --combining is for --method three-phase (hooking has no shared set)");
  }
  if (o.what == command::betweenness && !o.samples && !o.exact) {
    throw error("betweenness: expected --samples K or --exact (gossamer betweenness --help shows examples)");
  }
  if (o.output == "-" && o.json)
    throw error(o.name + ": --output - and --json both write to standard output");
  if (o.samples && o.exact) throw error("betweenness: --samples and --exact exclude each other");
  if (o.what == command::bench) return check_benches(o);
  if (o.what == command::structures) return check_requests(o);
  if (is_kernel(o.what)) return check_tree(o);
  if (o.graph.empty() && o.what != command::doctor && o.what != command::network) {
    throw error(fmt::format("{}: expected a graph, found an empty name", o.name));
  }
}

void check_command(const std::string& typed) {
  std::vector<std::string> names;
  for (const auto& d : command_descriptions()) {
    if (d.name == typed) return;
    names.emplace_back(d.name);
  }
  throw error(unknown("command", typed, names, "gossamer --help"));
}

bool is_command(const std::string& word) {
  const auto all = command_descriptions();
  return std::any_of(all.begin(), all.end(), [&](const auto& d) { return d.name == word; });
}

std::variant<options, answer> parse_words(const std::vector<std::string>& command_words,
                                          const char* program) {
  std::vector<const char*> words{program};
  for (const std::string& word : command_words) words.push_back(word.c_str());
  return parse(static_cast<int>(words.size()), words.data());
}

/// The command behind `run` or `simulate` is read here as it will be read there, so that nothing is started
/// for a slip. Gives the text where it is a question for help.
std::optional<answer> check_inner(const options& o, const char* program) {
  const std::string& first = o.wrapped.front();
  const std::string refusal =
      fmt::format("{}: expected a command for several processes, found {}", o.name, first);
  if (first == "run" || first == "simulate" || first == "scale") throw error(refusal);
  auto asked = parse_words(o.wrapped, program);
  if (auto* text = std::get_if<answer>(&asked)) return std::move(*text);
  if (!is_for_several(std::get<options>(asked))) throw error(refusal);
  return {};
}

/// A command of ours, or any program that calls gossamer::run().
std::optional<answer> check_command_or_program(const options& o, const char* program) {
  const std::string& first = o.wrapped.front();
  if (is_command(first)) return check_inner(o, program);
  if (!machine::find_program(first).empty()) return {};
  throw error(
      fmt::format("{}: expected a command of gossamer or a program, found \"{}\"{}", o.name, printable(first),
                  machine::find_program("./" + first).empty() ? "" : " (a program here: ./" + first + ")"));
}

std::optional<answer> check_run(options& o, const char* program) {
  if (o.processes == 0)
    throw error("run: expected --np N, how many processes (gossamer run --help shows examples)");
  if (o.quiet && is_command(o.wrapped.front())) o.wrapped.insert(o.wrapped.begin() + 1, "--quiet");
  return check_command_or_program(o, program);
}

std::optional<answer> check_simulated(const options& o, const char* program) {
  const auto asked = simulation::options::parse(o.simulated);
  (void)simulation::fault_set::parse(asked.faults);
  (void)simulation::find_network(asked.network);
  if (o.last_seed != 0 && !asked.trace.empty())
    throw error("simulate: --trace is for one seed (--seeds traces the one that fails by itself)");
  const std::string& first = o.wrapped.front();
  if (first == "bench")
    throw error(
        "simulate: expected a command on virtual time, found bench, which measures this machine (gossamer "
        "scale times commands such as gups)");
  return check_command_or_program(o, program);
}

/// A command of ours that is timed, read once for each number of processes.
std::optional<answer> check_scaled(const options& o, const char* program) {
  const auto cluster = simulation::options::parse(o.simulated);
  (void)simulation::find_network(cluster.network);
  if (o.no_figure && !o.figure.empty()) throw error("scale: --figure and --no-figure exclude each other");
  const std::string& first = o.wrapped.front();
  if (!is_command(first) || first == "run" || first == "simulate" || first == "scale")
    throw error(fmt::format("scale: expected a command that is timed, such as bfs or uts, found \"{}\"",
                            printable(first)));
  for (const unsigned processes : o.counts) {
    auto asked = parse_words(filled(o.wrapped, processes, processes * std::max(1u, cluster.cores)), program);
    if (auto* text = std::get_if<answer>(&asked)) return std::move(*text);
    const auto& inner = std::get<options>(asked);
    if (inner.what >= command::ping || inner.what == command::convert)
      throw error(
          fmt::format("scale: expected a command that is timed, such as bfs or uts, found \"{}\"", first));
    if (inner.cores != 0) throw error(fmt::format("scale: --cores belongs before {}", first));
    if (!inner.output.empty())
      throw error(fmt::format("scale: --output belongs before {}, every run would write over it", first));
  }
  return {};
}

/// -q is --quiet everywhere. Of trees -q X is also the probability that the benchmark calls so: there it is
/// --quiet where no number follows.
std::vector<const char*> tree_or_quiet(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (std::string_view(words[i]) != "-q") continue;
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : "";
    double value = 0;
    const bool number = std::from_chars(next.data(), next.data() + next.size(), value).ec == std::errc{};
    if (!number) words[i] = "--quiet";
  }
  return words;
}

/// What is behind "--" belongs to the command.
int before_dashes(int argc, const char* const* argv) {
  return static_cast<int>(std::find(argv, argv + argc, std::string_view("--")) - argv);
}

std::optional<answer> check_wrapped(options& o, const CLI::App& app, const char* program) {
  const auto before = app.remaining();
  if (!before.empty() && !o.wrapped.empty()) o.wrapped.insert(o.wrapped.begin(), "--");  // the command's own
  o.wrapped.insert(o.wrapped.begin(), before.begin(), before.end());
  if (o.what == command::run && o.processes == 0) return check_run(o, program);
  if (o.wrapped.empty())
    throw error(fmt::format("{0}: expected a command after the options (gossamer {0} --help shows examples)",
                            o.name));
  if (o.wrapped.front().starts_with("-"))
    throw error(
        unknown("option", o.wrapped.front(), option_names(app), fmt::format("gossamer {} --help", o.name)));
  if (o.what == command::run) return check_run(o, program);
  return o.what == command::scale ? check_scaled(o, program) : check_simulated(o, program);
}

}  // namespace

std::vector<std::string> words_to_start(const options& o) {
  std::vector<std::string> words;
  if (is_command(o.wrapped.front())) words.push_back(machine::program_file());
  words.insert(words.end(), o.wrapped.begin(), o.wrapped.end());
  return words;
}

std::variant<options, answer> parse(int argc, const char* const* argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc < 2) throw error("expected a command (gossamer --help lists them)");
  if (first == "--help" || first == "-h" || (first == "help" && argc == 2)) return answer{overview()};
  if (first == "--version") return answer{fmt::format("gossamer {}\n", k_version)};
  if (first == "help") {
    check_command(argv[2]);
    const std::array<const char*, 3> turned{argv[0], argv[2], "--help"};
    return parse(3, turned.data());
  }
  if (first.starts_with("-")) {
    throw error(fmt::format("expected a command before options, found {} (gossamer --help lists them)",
                            printable(first)));
  }
  check_command(first);

  options o;
  CLI::App root;
  root.require_subcommand(1);
  for (const auto& d : command_descriptions()) {
    if (d.name != first) continue;
    CLI::App* app = root.add_subcommand(std::string(d.name));
    app->formatter(help_formatter());
    app->set_help_flag("-h,--help", "this text")->group(std::string(k_last_group));
    declare(*app, d.what, o);
    o.what = d.what;
    o.name = d.name;
  }
  const bool wraps = o.what == command::run || o.what == command::simulate || o.what == command::scale;
  const int own = wraps ? before_dashes(argc, argv) : argc;
  if (own < argc) o.wrapped.assign(argv + own + 1, argv + argc);
  const bool tree = o.what == command::uts || o.what == command::uts_mem;
  const std::vector<const char*> words =
      tree ? tree_or_quiet(own, argv) : std::vector<const char*>(argv, argv + own);
  try {
    root.parse(own, words.data());
  } catch (const CLI::CallForHelp&) {
    return answer{root.get_subcommands().front()->help()};
  } catch (const CLI::ParseError& e) {
    throw error(complaint(e, root));
  }
  if (wraps) {
    if (auto text = check_wrapped(o, *root.get_subcommands().front(), argv[0])) return std::move(*text);
    return o;
  }
  check_together(o);
  if (o.graph == "-") o.graph = "/dev/stdin";
  return o;
}

}  // namespace gossamer::cli
