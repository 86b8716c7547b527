#pragma once
// What a fuzz target starts from; each defines its own beside its entry point.

#include <string>
#include <vector>

namespace gossamer::test {

std::vector<std::string> fuzz_corpus();

}  // namespace gossamer::test
