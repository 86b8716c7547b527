// The program `gossamer-studies`: variants of algorithms that the figures of papers compare with those of
// `gossamer`. It is not installed.

#include "application.hpp"
#include "commands/registry.hpp"
#include "studies/commands/studies.hpp"

namespace {

constexpr gossamer::cli::command_maker k_makers[] = {
    gossamer::studies::make_queue_bfs, gossamer::studies::make_three_phase_components,
    gossamer::studies::make_task_bfs,  gossamer::studies::make_task_betweenness,
    gossamer::studies::make_uts_reads, gossamer::cli::make_run,
    gossamer::cli::make_simulate,      gossamer::cli::make_scale,
    gossamer::cli::make_sweep,         gossamer::studies::make_study_papers,
};

constexpr gossamer::cli::program k_studies{
    .name = "gossamer-studies",
    .summary = "variants of algorithms for the papers' figures",
    .usage =
        "gossamer-studies: variants of algorithms for the papers' figures\n"
        "\n"
        "usage: gossamer-studies COMMAND G|TREE [options]  (run, simulate, scale, sweep: a command)\n"
        "       gossamer-studies papers [FIGURE...]\n"
        "\n"
        "G and TREE are what they are for gossamer. That program has what is meant for use.\n",
    .examples =
        "  gossamer-studies queue-bfs kron:18 --trials 4 --combining off\n"
        "  gossamer-studies sweep --set flush_delay_us=10..5000:log -n 8 -- task-bfs kron:14 --source 1\n"
        "  gossamer-studies scale -n 1,2,4 --cores 16 -- three-phase-components kron:18\n",
    .makers = k_makers};

}  // namespace

int main(int argc, char** argv) { return gossamer::cli::run_program(k_studies, argc, argv); }
