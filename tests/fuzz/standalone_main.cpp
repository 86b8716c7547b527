// Drives a fuzz target without libFuzzer: with arguments, each file once (to repeat a finding);
// without, the target's own corpus and mutations of it, the same on every run. Any compiler.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/corpus.hpp"
#include "gossamer/base/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using gossamer::bounded;
using gossamer::xoshiro256;

void run_one(const std::string& input) {
  // a copy of exactly the size: reading beyond the end is seen by sanitizers
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

const std::string& pick(const std::vector<std::string>& from, xoshiro256& random) {
  return from[bounded(random, from.size())];
}

// Makes one small change, of the kinds that fuzzers find most with.
void mutate(std::string& s, const std::vector<std::string>& corpus, xoshiro256& random) {
  static constexpr char k_special[] = "0129 \t,\n\r#%-+.exX\0\x7f\xff\xc3";
  const std::size_t at = s.empty() ? 0 : bounded(random, s.size());
  switch (bounded(random, 10)) {
    case 0:
      if (!s.empty()) s[at] = static_cast<char>(s[at] ^ (1 << bounded(random, 8)));
      break;
    case 1:
      s.insert(at, 1, k_special[bounded(random, sizeof k_special - 1)]);
      break;
    case 2:
      s.erase(at, 1 + bounded(random, 9));
      break;
    case 3:
      s.resize(at);
      break;
    case 4:
      s += pick(corpus, random).substr(0, 200);
      break;
    case 5:
      s.insert(at, s.substr(at, bounded(random, 40)));
      break;
    case 6:
      if (!s.empty()) s[at] = k_special[bounded(random, sizeof k_special - 1)];
      break;
    default:
      s.insert(at, std::to_string(random() >> bounded(random, 64)));
      break;
  }
}

int run_files(int count, char** names) {
  for (int i = 0; i < count; ++i) {
    std::ifstream file(names[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", names[i]);
      return 1;
    }
    run_one({std::istreambuf_iterator<char>(file), {}});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return run_files(argc - 1, argv + 1);
  const char* const wanted = std::getenv("GOSSAMER_FUZZ_RUNS");
  const long runs = wanted ? std::atol(wanted) : 10000;
  const std::vector<std::string> corpus = gossamer::test::fuzz_corpus();
  for (const std::string& input : corpus) run_one(input);
  constexpr std::uint64_t k_seed = 20240601;
  xoshiro256 random(k_seed);
  for (long i = 0; i < runs; ++i) {
    std::string input = pick(corpus, random);
    for (std::uint64_t n = 1 + bounded(random, 6); n > 0; --n) mutate(input, corpus, random);
    run_one(input);
  }
  std::printf("%zu inputs and %ld mutations, seed %llu\n", corpus.size(), runs,
              static_cast<unsigned long long>(k_seed));
  return 0;
}
