#include "gossamer/machine/program_digest.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "system_error.hpp"

namespace gossamer::machine {
namespace {

/// FNV-1a over texts, each ended by a 0.
class digest {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3u; }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// The build id among the notes of one segment.
std::string_view build_id(const char* notes, std::size_t bytes) {
  const auto rounded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + rounded(note.n_namesz);
    if (content + note.n_descsz > bytes) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
      return {notes + content, note.n_descsz};
    at = content + rounded(note.n_descsz);
  }
  return {};
}

int add_build_id(dl_phdr_info* object, std::size_t, void* into) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const std::string_view id = build_id(notes, segment.p_memsz);
    if (!id.empty()) static_cast<digest*>(into)->add(id);
  }
  return 1;  // the first object is the program; the others are not asked
}

/// Settings that a process may have for itself: where it lies and what it is allowed.
bool may_differ(std::string_view variable) {
  for (const std::string_view own : {"GOSSAMER_TRANSPORT=", "GOSSAMER_PIN=", "GOSSAMER_MEMORY_LIMIT="})
    if (variable.starts_with(own)) return true;
  return false;
}

}  // namespace

program_digest digest_of_self(const char* version) {
  digest program, arguments, settings;
  program.add(version);
  ::dl_iterate_phdr(&add_build_id, &program);

  // read_small_file trims white space at the end: no digest can tell `x` from `x `, which is no loss
  const std::string line = read_small_file("/proc/self/cmdline").value_or("");
  arguments.add(std::string_view(line).substr(std::min(line.find('\0'), line.size())));

  std::vector<std::string_view> given;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (std::string_view(*variable).starts_with("GOSSAMER_") && !may_differ(*variable))
      given.emplace_back(*variable);
  std::sort(given.begin(), given.end());
  for (const std::string_view variable : given) settings.add(variable);
  return {program.value(), arguments.value(), settings.value()};
}

}  // namespace gossamer::machine
