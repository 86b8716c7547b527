#include "gossamer/machine/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <zlib.h>
#include <zstd.h>

#include <optional>
#include <utility>

#include "gossamer/base/units.hpp"
#include "gossamer/machine/clock.hpp"
#include "gossamer/machine/internal/control_group.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::machine {
namespace {

class fact_list {
 public:
  void add(const char* group, std::string name, std::string value) {
    facts_.push_back({group, std::move(name), std::move(value)});
  }
  void add_file(const char* group, std::string name, const std::string& path) {
    if (auto text = read_small_file(path)) add(group, std::move(name), std::move(*text));
  }
  std::vector<fact> take() { return std::move(facts_); }

 private:
  std::vector<fact> facts_;
};

std::string size_or_unknown(std::uint64_t bytes) { return bytes == 0 ? "unknown" : format_bytes(bytes); }

void add_processors(fact_list& facts) {
  constexpr const char* k_group = "processors";
  const topology found = discover_topology();
  std::vector<unsigned> ids;
  ids.reserve(found.processors.size());
  for (const processor& p : found.processors) ids.push_back(p.id);
  facts.add(k_group, "model", found.model);
  facts.add(k_group, "usable", fmt::to_string(found.usable));
  facts.add(k_group, "allowed", fmt::format("{} ({})", ids.size(), fmt::join(ids, " ")));
  facts.add(
      k_group, "quota",
      found.quota > 0 ? fmt::format("{:.2f} processors, by {}", found.quota, found.quota_source) : "none");
  facts.add(k_group, "physical cores", fmt::to_string(found.cores));
  facts.add(k_group, "packages", fmt::to_string(found.packages));
  facts.add(k_group, "NUMA nodes", fmt::to_string(found.numa_nodes));
  facts.add(k_group, "L1d cache", size_or_unknown(found.caches.l1d));
  facts.add(k_group, "L2 cache", size_or_unknown(found.caches.l2));
  facts.add(k_group, "L3 cache", size_or_unknown(found.caches.l3));
  facts.add(k_group, "clock", fmt::format("{} ticks/us", ticks_per_us()));
}

std::string memory_limit_text() {
  const auto limits = read_control_groups();
  if (!limits.memory) return "none";
  return fmt::format("{}, by {}", format_bytes(*limits.memory), limits.memory_source);
}

// Returns the available memory as text. Reports an invalid GOSSAMER_MEMORY_LIMIT here rather than failing on
// it.
std::string available_text() {
  try {
    return format_bytes(available_memory());
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

void add_memory(fact_list& facts) {
  constexpr const char* k_group = "memory";
  const std::string huge = "/sys/kernel/mm/transparent_hugepage/";
  facts.add(k_group, "total", size_or_unknown(total_memory()));
  facts.add(k_group, "available", available_text());
  facts.add(k_group, "control group limit", memory_limit_text());
  facts.add(k_group, "page", format_bytes(page_bytes()));
  facts.add_file(k_group, "transparent huge pages", huge + "enabled");
  facts.add_file(k_group, "huge page defragmentation", huge + "defrag");
  facts.add_file(k_group, "overcommit", "/proc/sys/vm/overcommit_memory");
  facts.add(k_group, "mappings allowed", format_count(max_mappings()));
}

std::string limit_text(int resource, bool is_bytes) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return "unknown";
  if (limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return is_bytes ? format_bytes(limit.rlim_cur) : format_count(limit.rlim_cur);
}

void add_limits(fact_list& facts) {
  constexpr const char* k_group = "limits";
  facts.add(k_group, "address space (-v)", limit_text(RLIMIT_AS, true));
  facts.add(k_group, "data (-d)", limit_text(RLIMIT_DATA, true));
  facts.add(k_group, "stack (-s)", limit_text(RLIMIT_STACK, true));
  facts.add(k_group, "file size (-f)", limit_text(RLIMIT_FSIZE, true));
  facts.add(k_group, "locked memory (-l)", limit_text(RLIMIT_MEMLOCK, true));
  facts.add(k_group, "open files (-n)", limit_text(RLIMIT_NOFILE, false));
  facts.add(k_group, "threads (-u)", limit_text(RLIMIT_NPROC, false));
}

std::string kernel_text() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

std::string distribution_text() {
  auto line = value_after(read_small_file("/etc/os-release").value_or(""), "PRETTY_NAME=");
  if (!line || line->empty()) return "unknown";
  if (line->size() >= 2 && line->front() == '"') return line->substr(1, line->size() - 2);
  return *line;
}

// Describes whether a hypervisor runs below, as the processors' flags say.
std::string virtualisation_text() {
  const auto flags = value_after(read_small_file("/proc/cpuinfo").value_or(""), "flags");
  const bool virtual_machine = flags && flags->find(" hypervisor") != std::string::npos;
  const auto product = read_small_file("/sys/class/dmi/id/product_name");
  if (!virtual_machine) return flags ? "none seen" : "unknown";
  return product ? fmt::format("virtual machine ({})", *product) : "virtual machine";
}

std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string build_text() {
  std::string text;
  const auto say = [&](bool condition, const char* word) {
    if (condition) text += text.empty() ? word : fmt::format(", {}", word);
  };
#if defined(__OPTIMIZE__)
  say(true, "optimised");
#else
  say(true, "not optimised");
#endif
#if defined(GOSSAMER_CHECKS) && GOSSAMER_CHECKS
  say(true, "with checks");
#endif
#if defined(__SANITIZE_ADDRESS__)
  say(true, "AddressSanitizer");
#endif
#if defined(__SANITIZE_THREAD__)
  say(true, "ThreadSanitizer");
#endif
#if defined(__AVX512F__)
  say(true, "AVX-512");
#elif defined(__AVX2__)
  say(true, "AVX2");
#endif
  return text;
}

void add_system(fact_list& facts) {
  constexpr const char* k_group = "system";
  facts.add(k_group, "kernel", kernel_text());
  facts.add(k_group, "distribution", distribution_text());
  facts.add(k_group, "virtualisation", virtualisation_text());
  facts.add(k_group, "C library", fmt::format("glibc {}", ::gnu_get_libc_version()));
  facts.add(k_group, "compiler", compiler_text());
  facts.add(k_group, "build", build_text());
}

void add_libraries(fact_list& facts) {
  constexpr const char* k_group = "libraries";
  const unsigned hwloc = hwloc_get_api_version();
  facts.add(k_group, "zlib", ::zlibVersion());
  facts.add(k_group, "zstd", ::ZSTD_versionString());
  facts.add(k_group, "hwloc", fmt::format("{}.{}.{}", hwloc >> 16, (hwloc >> 8) & 0xff, hwloc & 0xff));
  facts.add(k_group, "fmt",
            fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
}

}  // namespace

std::vector<fact> environment_facts() {
  fact_list facts;
  add_processors(facts);
  add_memory(facts);
  add_limits(facts);
  add_system(facts);
  add_libraries(facts);
  return facts.take();
}

}  // namespace gossamer::machine
