#pragma once
// The commands of `gossamer`, except the questions about graphs (gossamer/graph/questions). A new command is
// a file in this folder, a line here, and a line in registry.cpp.

#include <memory>

#include "commands/program.hpp"

namespace gossamer::cli {

std::unique_ptr<command> make_info();
std::unique_ptr<command> make_report();
std::unique_ptr<command> make_convert();
std::unique_ptr<command> make_uts();
std::unique_ptr<command> make_uts_mem();
std::unique_ptr<command> make_gups();
std::unique_ptr<command> make_wordcount();
std::unique_ptr<command> make_group();
std::unique_ptr<command> make_sort();
std::unique_ptr<command> make_gather();
std::unique_ptr<command> make_structures();
std::unique_ptr<command> make_jacobi();
std::unique_ptr<command> make_ping();
std::unique_ptr<command> make_run();
std::unique_ptr<command> make_simulate();
std::unique_ptr<command> make_scale();
std::unique_ptr<command> make_sweep();
std::unique_ptr<command> make_network();
std::unique_ptr<command> make_papers();
std::unique_ptr<command> make_doctor();
std::unique_ptr<command> make_bench();

/// Returns the program `gossamer`, with all its commands.
const program& gossamer_program();

}  // namespace gossamer::cli
