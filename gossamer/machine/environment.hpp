#pragma once
// What a bug report needs about the computer: the facts that `gossamer doctor` prints.

#include <string>
#include <vector>

namespace gossamer::machine {

struct fact {
  std::string group;  // "processors", "memory", "limits", "system", "libraries"
  std::string name;
  std::string value;
};

/// Returns all facts, grouped, in print order. Never throws: a fact that cannot be determined is missing or
/// "unknown". Takes a few ms.
std::vector<fact> environment_facts();

}  // namespace gossamer::machine
