#include "help.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>

namespace gossamer::cli {
namespace {

constexpr std::array<command_description, 18> k_commands{{
    {command::info, "info", "vertices, edges, degree distribution and memory of a graph",
     "  gossamer info web.tsv.gz\n"
     "  gossamer info web.tsv --header --top 20     the 20 vertices with most edges\n"
     "  gossamer info kron:16 --output degrees.csv  vertex, out, in\n"},
    {command::components, "components", "connected components, direction ignored",
     "  gossamer components web.tsv.gz\n"
     "  gossamer components web.tsv --output parts.tsv  vertex, component\n"
     "  gossamer components kron:18 --verify\n"
     "  gossamer components kron:16 --method three-phase --combining off\n"},
    {command::bfs, "bfs", "breadth-first levels from a vertex, and the speed of the search",
     "  gossamer bfs data/debian-depends.tsv.gz --source firefox-esr\n"
     "  gossamer bfs web.tsv --source 1 --output levels.csv  vertex, level, parent\n"
     "  gossamer bfs kron:20 --trials 64                     64 sources, harmonic mean, as Graph500 does\n"
     "  gossamer bfs kron:20 --trials 64 --frontier queue    with a queue that all cores share\n"},
    {command::pagerank, "pagerank", "the most important vertices by PageRank",
     "  gossamer pagerank data/debian-depends.tsv.gz --top 10\n"
     "  gossamer pagerank web.mtx --tolerance 1e-9 --output scores.tsv  vertex, score\n"},
    {command::betweenness, "betweenness", "the vertices on most shortest paths (Brandes)",
     "  gossamer betweenness web.tsv --samples 64         from 64 sources picked by --seed\n"
     "  gossamer betweenness small.tsv --exact --json     from every vertex\n"},
    {command::convert, "convert", "write a graph in the native binary form or as an edge list",
     "  gossamer convert web.tsv.gz web.gsg    native: opens at disk speed\n"
     "  gossamer convert kron:20 kron20.tsv    an edge list\n"},
    {command::uts, "uts", "count the nodes of an unbalanced tree (UTS)",
     "  gossamer uts T1L\n"
     "  gossamer uts -t 1 -a 3 -d 10 -b 4 -r 19     the same as T1, by its arguments\n"
     "  gossamer uts T3L --cores 2 --json\n"},
    {command::uts_mem, "uts-mem", "build such a tree in global memory, then traverse it",
     "  gossamer uts-mem T1L\n"
     "  gossamer uts-mem T3 --verify\n"},
    {command::gups, "gups", "random updates of a table that is spread over all cores",
     "  gossamer gups\n"
     "  gossamer gups --table 64MiB --updates 100000000 --verify\n"},
    {command::gather, "gather", "random reads of a table that is spread over all cores",
     "  gossamer gather --table 1GiB --json\n"},
    {command::structures, "structures", "requests of many fibers to a stack, queue, set or map of the job",
     "  gossamer structures stack --puts 50\n"
     "  gossamer structures set --keys 1024 --combining off\n"
     "  gossamer simulate -n 64 --cores 16 --network qdr -- structures queue --operations 64000000\n"},
    {command::ping, "ping", "bandwidth and latency of messages between two cores",
     "  gossamer ping\n"
     "  mpirun -n 2 gossamer ping    between processes, beside plain MPI\n"},
    {command::run, "run", "start a command or program in several processes, by the MPI that is here",
     "  gossamer run --np 2 bfs kron:20 --source 1\n"
     "  gossamer run --np 4 --cores 2 --mpi mpich uts T1L\n"
     "  gossamer run --np 4 ./mine --its-options    a program that calls gossamer::run()\n"},
    {command::simulate, "simulate", "run a command or program on a cluster in one thread, by virtual time",
     "  gossamer simulate --processes 128 --cores 16 --network qdr -- uts T2L\n"
     "  gossamer simulate --processes 4 --seeds 1..1000 -- bfs kron:10 --source 1 --verify\n"
     "  gossamer simulate --processes 4 --lose 3@2ms --trace lost.json -- uts T1\n"},
    {command::scale, "scale", "run a command on simulated clusters of several sizes: a table and a figure",
     "  gossamer scale --processes 1..128 --cores 16 uts T1L\n"
     "  gossamer scale -n 1,2,4,8 --network hdr -o bfs.csv --figure bfs.svg -- bfs kron:16 --trials 8\n"
     "  gossamer scale -n 1..32 -- gups --table 64MiB --updates {1000000*processes}   the work grows\n"},
    {command::network, "network",
     "the numbers of a network for simulate: a preset's, or of the one that is here",
     "  gossamer network qdr\n"
     "  gossamer run --np 2 network > ours.net    measured between two processes\n"},
    {command::doctor, "doctor",
     "processors, memory, huge pages, compiler, libraries: what a bug report needs",
     "  gossamer doctor\n"
     "  gossamer doctor --json\n"},
    {command::bench, "bench", "fibers and messages at the limit of the machine, beside their peers",
     "  gossamer bench --list\n"
     "  gossamer bench yield wake\n"
     "  gossamer bench gups --cores 2 --table 1GiB --json\n"},
}};

const command_description& describe(std::string_view name) {
  return *std::find_if(k_commands.begin(), k_commands.end(), [&](const auto& d) { return d.name == name; });
}

constexpr std::size_t k_help_columns = 80;
constexpr std::size_t k_text_column = 23;

/// "  name          words of the text, wrapped", the text in a column of its own.
std::string entry(std::string_view name, std::string_view text) {
  std::string out;
  std::string line = fmt::format("  {:<{}}", name, k_text_column - 2);
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (line.size() + 1 + word.size() > k_help_columns && line.size() > k_text_column) {
      out += line + "\n";
      line.assign(k_text_column, ' ');
    }
    if (line.size() > k_text_column) line += ' ';
    line += word;
    text.remove_prefix(space == text.npos ? text.size() : space + 1);
  }
  return out + line + "\n";
}

/// Help in one plain layout; the sections are the options' groups, the command's own first.
class help_layout : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    const auto& d = describe(app->get_name());
    std::string out = fmt::format("gossamer {}: {}\n\nusage: gossamer {}", d.name, d.summary, d.name);
    std::string arguments;
    for (const auto* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      const std::string name = option->get_name(true);
      out += option->get_required()
                 ? " " + name
                 : fmt::format(" [{}{}]", name, option->get_items_expected_max() > 1 ? "..." : "");
      arguments += entry(option->get_name(true), option->get_description());
    }
    out += " [options]\n";
    if (!arguments.empty()) out += "\n" + arguments;
    auto groups = app->get_groups();  // "Reporting" comes first, with --help in it
    std::rotate(groups.begin(), std::find(groups.begin(), groups.end(), k_last_group) + 1, groups.end());
    for (const auto& group : groups) out += section(*app, group);
    return out + fmt::format("\nExamples:\n{}", d.examples);
  }

 private:
  static std::string section(const CLI::App& app, const std::string& group) {
    std::string out;
    std::string help;
    for (const auto* option : app.get_options([](const CLI::Option* o) { return !o->get_positional(); })) {
      if (option->get_group() != group) continue;
      const std::string type = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
      (option == app.get_help_ptr() ? help : out) +=
          entry(names_of(*option) + type, option->get_description());
    }
    return out.empty() ? out : fmt::format("\n{}:\n{}{}", group, out, help);
  }

  static std::string names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const auto& name : option.get_snames()) names.push_back("-" + name);
    if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().front());
    return fmt::format("{}", fmt::join(names, ", "));
  }
};

}  // namespace

std::span<const command_description> command_descriptions() { return k_commands; }

std::string graph_help() {
  return "a file (text edge list, Matrix Market, .sg or native; gzip and zstd included; - is "
         "standard input), kron:SCALE[:EDGEFACTOR] or uniform:SCALE[:EDGEFACTOR]";
}

std::string overview() {
  std::string out =
      "gossamer: answers about graphs, from the command line\n"
      "\n"
      "usage: gossamer COMMAND G [options]  (run, simulate, scale: a command; network, doctor, bench: no G)\n"
      "\n"
      "G is a file (text edge list, Matrix Market, .sg or native; gzip and zstd included),\n"
      "kron:SCALE[:EDGEFACTOR] or uniform:SCALE[:EDGEFACTOR].\n"
      "\n"
      "commands:\n";
  for (const auto& d : k_commands) out += fmt::format("  {:<13}{}\n", d.name, d.summary);
  out +=
      "\n"
      "examples:\n"
      "  gossamer info data/debian-depends.tsv.gz\n"
      "  gossamer bfs data/debian-depends.tsv.gz --source firefox-esr\n"
      "  gossamer pagerank kron:18 --cores 2 --json\n"
      "\n"
      "gossamer COMMAND --help tells the options of a command, gossamer --version the version.\n";
  return out;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<help_layout>(); }

}  // namespace gossamer::cli
