#include "gossamer/base/internal/backtrace.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "gossamer/base/short_name.hpp"

namespace gossamer {
namespace {

/// A file in memory; empty where it cannot be read.
class mapped_file {
 public:
  explicit mapped_file(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (file < 0) return;
    if (::fstat(file, &status) == 0 && status.st_size > 0) {
      void* const at =
          ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), static_cast<std::size_t>(status.st_size)};
    }
    ::close(file);
  }
  ~mapped_file() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  /// `count` objects at `offset`; null where the file is shorter.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    const bool fits = offset <= bytes_.size() && count <= (bytes_.size() - offset) / sizeof(T);
    return fits && offset % alignof(T) == 0 ? reinterpret_cast<const T*>(bytes_.data() + offset) : nullptr;
  }
  std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset);
    return rest.substr(0, rest.find('\0'));
  }

 private:
  std::string_view bytes_;
};

/// Returns the symbol name of the function at `address`, an address as linked. Empty where no table has it.
std::string_view find_function(const mapped_file& file, std::uint64_t address) {
  const auto* const head = file.at<ElfW(Ehdr)>(0);
  if (head == nullptr || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto* const sections = file.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum);
  if (sections == nullptr) return {};
  for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (unsigned s = 0; s < head->e_shnum; ++s) {
      const auto& table = sections[s];
      if (table.sh_type != static_cast<unsigned>(type) || table.sh_link >= head->e_shnum) continue;
      const std::uint64_t count = table.sh_size / sizeof(ElfW(Sym));
      const auto* const symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
      if (symbols == nullptr) continue;
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto& symbol = symbols[i];
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && address - symbol.st_value < symbol.st_size)
          return file.text(sections[table.sh_link].sh_offset + symbol.st_name);
      }
    }
  }
  return {};
}

/// Returns whether the function only reports a failure: its frames lie above the one that failed.
bool reports_failures(std::string_view function) {
  for (const std::string_view name : {"print_with_backtrace", "report_failure", "fatal", "assertion_failed"})
    if (function.starts_with("gossamer::") && function.substr(function.rfind(':') + 1) == name) return true;
  return false;
}

struct place {
  short_name file = {}, function = {};
  std::uint64_t offset = 0;  // in the file's addresses
};

place find_place(std::uintptr_t address) {
  place found;
  Dl_info info = {};
  if (::dladdr(reinterpret_cast<void*>(address), &info) == 0) return found;
  const char* const slash = std::strrchr(info.dli_fname, '/');
  found.file.add(slash != nullptr ? slash + 1 : info.dli_fname);
  // The program was started by a path that may be relative to another folder.
  const auto* const loaded = static_cast<const ElfW(Ehdr)*>(info.dli_fbase);
  const bool is_fixed = loaded->e_type == ET_EXEC;
  found.offset = is_fixed ? address : address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  Dl_info own = {};
  const bool is_program =
      ::dladdr(reinterpret_cast<void*>(&find_place), &own) != 0 && own.dli_fbase == info.dli_fbase;
  const mapped_file file(is_program ? "/proc/self/exe" : info.dli_fname);
  std::string_view name = find_function(file, found.offset);
  if (name.empty() && info.dli_sname != nullptr) name = info.dli_sname;
  char mangled[1024];
  if (name.size() >= sizeof mangled) name = {};
  name.copy(mangled, name.size());
  mangled[name.size()] = '\0';
  int status = 0;
  char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  found.function = status == 0 ? shortened(demangled) : short_name();
  if (found.function.size == 0) found.function.add(mangled);
  std::free(demangled);
  return found;
}

// For the signal that comes when demangling does not return.
void* const* g_frames;
volatile std::sig_atomic_t g_next, g_count;

void print_rest(int) {
  for (int i = g_next; i < g_count; ++i) {
    char line[64];
    const int size = std::snprintf(line, sizeof line, "  #%d %p\n", i, g_frames[i]);
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(size));
  }
  std::abort();
}

void print_all() noexcept {
  constexpr unsigned k_patience_s = 5;
  void* const* const frames = g_frames;
  const int count = g_count;
  struct sigaction action = {}, previous = {};
  action.sa_handler = print_rest;
  ::sigaction(SIGALRM, &action, &previous);
  ::alarm(k_patience_s);
  short_name last;
  int repeated = 0;
  const auto say_repeated = [&] {
    char line[64];
    if (repeated == 0) return;
    const int size = std::snprintf(line, sizeof line, "     and %d more of it\n", std::exchange(repeated, 0));
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(size));
  };
  bool inside = true;  // the report itself
  for (int i = 0; i < count; ++i) {
    g_next = i;
    // A return address is that of the instruction behind the call, which may be another function's.
    const place p = find_place(reinterpret_cast<std::uintptr_t>(frames[i]) - 1);
    const bool intercepted = i == 0 && !p.function.view().starts_with("gossamer::");  // by a sanitizer
    inside = inside && (intercepted || reports_failures(p.function.view()));
    if (inside) continue;
    if (p.function.size != 0 && p.function.view() == last.view()) {
      ++repeated;
      continue;
    }
    say_repeated();
    last = p.function;
    char line[320];
    const int size = p.function.size != 0
                         ? std::snprintf(line, sizeof line, "  #%d %s\n", i, p.function.chars.data())
                         : std::snprintf(line, sizeof line, "  #%d %s+%#llx\n", i, p.file.chars.data(),
                                         static_cast<unsigned long long>(p.offset));
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, line, static_cast<std::size_t>(size));
  }
  say_repeated();
  ::alarm(0);
  ::sigaction(SIGALRM, &previous, nullptr);
}

}  // namespace

// Prints the frames on a stack of its own. Demangling takes more than a hundred bytes of stack for each
// character of a name, and a fiber may have 4 KiB.
void print_frames(void* const* frames, int count) noexcept {
  static std::byte stack[std::size_t{512} << 10];
  static ucontext_t before, printing;
  g_frames = frames;
  g_count = count;
  if (::getcontext(&printing) != 0) return;
  printing.uc_stack.ss_sp = stack;
  printing.uc_stack.ss_size = sizeof stack;
  printing.uc_link = &before;
  ::makecontext(&printing, &print_all, 0);
  ::swapcontext(&before, &printing);
}

}  // namespace gossamer
