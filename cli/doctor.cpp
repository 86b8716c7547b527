// gossamer doctor: what a bug report needs to say about the computer.

#include <algorithm>
#include <cctype>

#include "commands.hpp"
#include "gossamer/machine/environment.hpp"
#include "version.hpp"

namespace gossamer::cli {
namespace {

/// Keys for scripts: "huge pages" becomes huge_pages, "stack (-s)" stack.
std::string key_of(std::string_view text) {
  std::string key;
  for (const char c : text.substr(0, text.find(" ("))) {
    const auto byte = static_cast<unsigned char>(c);
    key += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return key;
}

}  // namespace

void doctor(session& s) {
  const auto facts = machine::environment_facts();
  s.say("{}", s.colours().bold(fmt::format("gossamer {}", k_version)));
  std::size_t width = 0;
  for (const auto& f : facts) width = std::max(width, display_width(f.name));
  std::string group;
  for (const auto& f : facts) {
    if (f.group != group) s.say("\n{}", s.colours().bold(group = f.group));
    s.say("  {}{}  {}", f.name, std::string(width - display_width(f.name), ' '), printable(f.value));
    s.json().set(key_of(f.group) + "/" + key_of(f.name), std::string_view(f.value));
  }
}

}  // namespace gossamer::cli
