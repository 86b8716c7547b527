// How much memory there is and how much of it may still be taken: the second half of memory.hpp.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>

#include "gossamer/base/error.hpp"
#include "gossamer/base/settings.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/control_group.hpp"
#include "gossamer/machine/memory.hpp"
#include "system_error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_no_limit = ~std::uint64_t{0};

// "MemAvailable:   123 kB" of a file of /proc as bytes.
std::optional<std::uint64_t> proc_bytes(const std::optional<std::string>& text, const char* key) {
  if (!text) return {};
  const auto value = value_after(*text, key);
  return value ? try_parse_bytes(*value) : std::nullopt;
}

// What is left of a resource limit, given what is used.
std::uint64_t left_of(int resource, std::optional<std::uint64_t> used) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return k_no_limit;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used.value_or(0));
}

// What is left of GOSSAMER_MEMORY_LIMIT: pages of mapped files do not count, the kernel can drop them.
std::uint64_t left_of_own_limit(const std::optional<std::string>& status) {
  const auto limit = read_setting(options(), "GOSSAMER_MEMORY_LIMIT");
  if (!limit) return k_no_limit;
  const std::uint64_t used =
      proc_bytes(status, "RssAnon:").value_or(0) + proc_bytes(status, "RssShmem:").value_or(0);
  return *limit - std::min(*limit, used);
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  const auto status = read_small_file("/proc/self/status");
  std::uint64_t available =
      proc_bytes(read_small_file(root + "/proc/meminfo"), "MemAvailable:").value_or(k_no_limit);
  available = std::min(available, read_control_groups(root).memory_left.value_or(k_no_limit));
  available = std::min(available, left_of(RLIMIT_AS, proc_bytes(status, "VmSize:")));
  available = std::min(available, left_of(RLIMIT_DATA, proc_bytes(status, "VmData:")));
  return std::min(available, left_of_own_limit(status));
}

void require_memory(std::uint64_t bytes, std::string_view what) {
  const std::uint64_t available = available_memory();
  if (bytes <= available) return;
  throw error(fmt::format("{} needs {}, {} available", what, format_bytes(bytes), format_bytes(available)));
}

std::uint64_t peak_rss() { return proc_bytes(read_small_file("/proc/self/status"), "VmHWM:").value_or(0); }

std::uint64_t current_rss() { return proc_bytes(read_small_file("/proc/self/status"), "VmRSS:").value_or(0); }

std::uint64_t total_memory(const std::string& root) {
  return proc_bytes(read_small_file(root + "/proc/meminfo"), "MemTotal:").value_or(0);
}

}  // namespace gossamer::machine
