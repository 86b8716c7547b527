// How much memory exists and how much of it may still be taken: the second half of memory.hpp.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "gossamer/base/settings.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/machine/internal/control_group.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/out_of_memory.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_no_limit = ~std::uint64_t{0};
constexpr std::uint64_t k_answered = 16 << 20;  // bytes that may_take() grants after one check, at least

// Returns a line of a file of /proc, such as "MemAvailable: 123 kB", as bytes.
std::optional<std::uint64_t> proc_bytes(const std::optional<std::string>& text, const char* key) {
  if (!text) return {};
  const auto value = value_after(*text, key);
  return value ? try_parse_bytes(*value) : std::nullopt;
}

// Returns what is left of a resource limit, given what is used.
std::uint64_t left_of(int resource, std::optional<std::uint64_t> used) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return k_no_limit;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used.value_or(0));
}

/// Returns the bytes that a process uses, by its status. Pages of mapped files do not count: the kernel can
/// drop them.
std::uint64_t used_by(const std::optional<std::string>& status) {
  return proc_bytes(status, "RssAnon:").value_or(0) + proc_bytes(status, "RssShmem:").value_or(0);
}

// Returns what is left of GOSSAMER_MEMORY_LIMIT.
std::uint64_t left_of_own_limit(const std::optional<std::string>& status) {
  const auto limit = read_setting(options(), "GOSSAMER_MEMORY_LIMIT");
  return limit ? *limit - std::min(*limit, used_by(status)) : k_no_limit;
}

std::vector<std::uint32_t>& processes_of_node() {
  static std::vector<std::uint32_t> ids;
  return ids;
}

/// Returns this process's share of what its node has left. All processes of the job may have used as much at
/// the end.
std::uint64_t own_share(std::uint64_t available, const std::optional<std::string>& status) {
  const std::vector<std::uint32_t>& ids = processes_of_node();
  if (ids.size() < 2 || available == k_no_limit) return available;
  const std::uint64_t mine = used_by(status);
  std::uint64_t all = available;
  for (const std::uint32_t id : ids) {
    const auto other = read_small_file(fmt::format("/proc/{}/status", id));
    all += other ? used_by(other) : mine;
  }
  const std::uint64_t share = all / ids.size();
  return std::min(available, share - std::min(share, mine));
}

/// Returns how much of the mapped memory this process may still touch. The process is the one that the system
/// sees: simulated processes share it.
std::uint64_t left_to_touch(const std::string& root, const std::optional<std::string>& status) {
  std::uint64_t left =
      proc_bytes(read_small_file(root + "/proc/meminfo"), "MemAvailable:").value_or(k_no_limit);
  left = std::min(left, read_control_groups(root).memory_left.value_or(k_no_limit));
  return std::min(own_share(left, status), left_of_own_limit(status));
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  const auto status = read_small_file("/proc/self/status");
  std::uint64_t available = left_to_touch(root, status);
  available = std::min(available, left_of(RLIMIT_AS, proc_bytes(status, "VmSize:")));
  available = std::min(available, left_of(RLIMIT_DATA, proc_bytes(status, "VmData:")));
  const auto* const s = simulated();
  return s != nullptr && available != k_no_limit ? available / s->processes() : available;
}

std::string memory_limit_hint() {
  constexpr std::uint64_t k_between = 1 << 20;  // between two checks
  const auto limit = options().text("GOSSAMER_MEMORY_LIMIT");
  if (!limit) return "";
  const std::uint64_t left = left_of_own_limit(read_small_file("/proc/self/status"));
  if (simulated() == nullptr && left > available_memory() + k_between) return "";
  return fmt::format(" (GOSSAMER_MEMORY_LIMIT is {}: raise it)", *limit);
}

void share_memory_with(std::vector<std::uint32_t> process_ids) {
  processes_of_node() = std::move(process_ids);
}

bool may_take(std::uint64_t bytes) noexcept {
  static std::atomic<std::int64_t> granted{0};  // relaxed: a counter that publishes nothing
  static std::atomic<std::int64_t> refusals{0};  // relaxed: the same
  const auto asked = static_cast<std::int64_t>(bytes);
  if (granted.fetch_sub(asked, std::memory_order_relaxed) >= asked) return true;
  granted.fetch_add(asked, std::memory_order_relaxed);
  if (refusals.load(std::memory_order_relaxed) > 0) {
    refusals.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  try {
    const std::uint64_t left = left_to_touch("", read_small_file("/proc/self/status"));
    // Reserves as much again for allocations without a check.
    if (left > 2 * k_answered + bytes) {
      const std::uint64_t answers = std::clamp(left / 16, k_answered, 16 * k_answered);
      granted.fetch_add(static_cast<std::int64_t>(answers), std::memory_order_relaxed);
      return true;
    }
  } catch (const std::exception&) {  // an invalid limit was refused at the start
    return true;
  }
  refusals.store(k_unasked_refusals, std::memory_order_relaxed);
  return false;
}

void require_memory(std::uint64_t bytes, std::string_view what) {
  const std::uint64_t available = available_memory();
  if (bytes <= available) return;
  throw out_of_memory(fmt::format("{} needs {}, {} available{}", what, format_bytes(bytes),
                                  format_bytes(available), memory_limit_hint()));
}

void require_chunk(std::uint64_t bytes, std::string_view what) {
  if (bytes >= k_answered || !may_take(bytes)) require_memory(bytes, what);
}

std::uint64_t peak_rss() { return proc_bytes(read_small_file("/proc/self/status"), "VmHWM:").value_or(0); }

std::uint64_t current_rss() { return proc_bytes(read_small_file("/proc/self/status"), "VmRSS:").value_or(0); }

std::uint64_t total_memory(const std::string& root) {
  return proc_bytes(read_small_file(root + "/proc/meminfo"), "MemTotal:").value_or(0);
}

}  // namespace gossamer::machine
