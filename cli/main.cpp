// The program `gossamer`.

#include "application.hpp"
#include "commands/registry.hpp"

int main(int argc, char** argv) {
  return gossamer::cli::run_program(gossamer::cli::gossamer_program(), argc, argv);
}
