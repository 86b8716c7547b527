#include "commands/registry.hpp"

namespace gossamer::cli {
namespace {

constexpr command_maker k_makers[] = {
    make_info,     make_report, make_convert, make_wordcount,  make_group,  make_sort,  make_uts,
    make_uts_mem,  make_gups,   make_gather,  make_structures, make_jacobi, make_ping,  make_run,
    make_simulate, make_scale,  make_sweep,   make_network,    make_doctor, make_bench, make_papers,
};

constexpr std::string_view k_usage =
    "gossamer: answers about graphs, from the command line\n"
    "\n"
    "usage: gossamer COMMAND [arguments] [options]\n"
    "\n"
    "Most commands take a graph G; COMMAND --help says what the others take. G is a file (text edge list,\n"
    "Matrix Market, DIMACS, METIS, Pajek, .sg, .wsg or native; also compressed by gzip, zstd, bzip2 or xz),\n"
    "or generated: kron:SCALE[:EDGEFACTOR], uniform:..., rmat:..., grid:ROWSxCOLUMNS, road:N, ba:N:M,\n"
    "ws:N:K:P, sbm:SIZES:IN:BETWEEN; @LOW..HIGH behind it gives weights.\n";

constexpr std::string_view k_examples =
    "  gossamer info data/debian-depends.tsv.gz\n"
    "  gossamer bfs data/debian-depends.tsv.gz --source firefox-esr\n"
    "  gossamer pagerank kron:18 --cores 2 --json\n";

constexpr program k_gossamer{.name = "gossamer",
                             .summary = "answers about graphs, and kernels of irregular access, in parallel",
                             .usage = k_usage,
                             .examples = k_examples,
                             .makers = k_makers,
                             .asks_questions = true};

}  // namespace

const program& gossamer_program() { return k_gossamer; }

}  // namespace gossamer::cli
