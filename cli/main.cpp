// The program `gossamer`.

#include "application.hpp"

int main(int argc, char** argv) { return gossamer::cli::run_program(argc, argv); }
