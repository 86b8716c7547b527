#pragma once
// The commands of `gossamer-studies`. A new command is a file in this folder, a line here, and a line in
// main.cpp.

#include <memory>

#include "commands/command.hpp"

namespace gossamer::studies {

std::unique_ptr<cli::command> make_queue_bfs();
std::unique_ptr<cli::command> make_task_betweenness();
std::unique_ptr<cli::command> make_task_bfs();
std::unique_ptr<cli::command> make_three_phase_components();
std::unique_ptr<cli::command> make_uts_reads();
std::unique_ptr<cli::command> make_study_papers();

}  // namespace gossamer::studies
