// Writes a fuzz target's own corpus into a folder, one file per input, for libFuzzer to start from.
#include <cstdio>
#include <fstream>
#include <string>

#include "fuzz/corpus.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int number = 0;
  for (const std::string& input : gossamer::test::fuzz_corpus()) {
    std::ofstream file(std::string(argv[1]) + "/seed-" + std::to_string(number++), std::ios::binary);
    file << input;
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write to %s\n", argv[1]);
      return 1;
    }
  }
  return 0;
}
