#include "gossamer/machine/program_digest.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/mapped_file.hpp"

namespace gossamer::machine {
namespace {

/// FNV-1a over texts, each ended by a 0.
class digest {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  /// Eight bytes at a time, each of them mixed into the whole value: a program has megabytes.
  void add_block(std::span<const std::byte> bytes) noexcept {
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;
      value_ ^= value_ >> 29;
    }
    for (const std::byte b : bytes) add_byte(static_cast<unsigned char>(b));
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  void add_byte(unsigned char byte) noexcept { value_ = (value_ ^ byte) * 0x100000001b3u; }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Returns the build id among the notes of one segment.
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

/// What is known of the program while it runs.
struct program_image {
  digest into;
  bool has_id = false;
  std::vector<ElfW(Phdr)> loaded;  // its segments
};

int add_program(dl_phdr_info* object, std::size_t, void* argument) {
  auto& image = *static_cast<program_image*>(argument);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD) image.loaded.push_back(segment);
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const std::string_view id = build_id(notes, segment.p_memsz);
    if (id.empty()) continue;
    image.into.add(id);
    image.has_id = true;
  }
  return 1;  // the first object is the program; the others are not asked
}

/// Adds what the linker made, as the file has it: in memory it is relocated, and a debugger changes it.
/// Leaves out the file's own header, in which `strip` leaves its traces. Adds nothing where the file may not
/// be read.
void add_content(digest& into, const std::vector<ElfW(Phdr)>& loaded) {
  constexpr const char* k_program = "/proc/self/exe";
  if (::access(k_program, R_OK) != 0) return;
  const mapped_file file(k_program);
  const std::span<const std::byte> all = file.bytes();
  for (const auto& segment : loaded) {
    const std::size_t begin = std::max<std::size_t>(segment.p_offset, sizeof(ElfW(Ehdr)));
    const std::size_t end = std::min<std::size_t>(segment.p_offset + segment.p_filesz, all.size());
    if (begin < end) into.add_block(all.subspan(begin, end - begin));
  }
}

/// Returns whether a process may have the setting for itself: where it lies and what it is allowed.
bool may_differ(std::string_view variable) {
  for (const std::string_view own : {"GOSSAMER_TRANSPORT=", "GOSSAMER_PIN=", "GOSSAMER_MEMORY_LIMIT="})
    if (variable.starts_with(own)) return true;
  return false;
}

}  // namespace

program_digest digest_of_self(const char* version) {
  program_image program;
  digest arguments, settings;
  program.into.add(version);
  ::dl_iterate_phdr(&add_program, &program);
  if (!program.has_id) add_content(program.into, program.loaded);

  // read_small_file trims white space at the end: no digest can tell `x` from `x `, which is no loss
  const std::string line = read_small_file("/proc/self/cmdline").value_or("");
  arguments.add(std::string_view(line).substr(std::min(line.find('\0'), line.size())));

  std::vector<std::string_view> given;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (std::string_view(*variable).starts_with("GOSSAMER_") && !may_differ(*variable))
      given.emplace_back(*variable);
  std::sort(given.begin(), given.end());
  for (const std::string_view variable : given) settings.add(variable);
  return {program.into.value(), arguments.value(), settings.value()};
}

}  // namespace gossamer::machine
