#include "gossamer/machine/topology.hpp"

#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <type_traits>

#include "gossamer/machine/internal/control_group.hpp"
#include "gossamer/machine/internal/system_error.hpp"
#include "gossamer/machine/simulated.hpp"

namespace gossamer::machine {
namespace {

struct cpu_set_deleter {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};
using cpu_set = std::unique_ptr<cpu_set_t, cpu_set_deleter>;

struct topology_deleter {
  void operator()(hwloc_topology_t t) const noexcept { hwloc_topology_destroy(t); }
};
using hwloc_handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, topology_deleter>;

hwloc_handle load_hwloc() {
  hwloc_topology_t loaded = nullptr;
  if (hwloc_topology_init(&loaded) != 0) return {};
  hwloc_handle handle(loaded);
  // This back end visits every processor to ask it with CPUID: tens of ms where they are busy, for
  // what the kernel tells as well.
  hwloc_topology_set_components(loaded, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  if (hwloc_topology_load(loaded) != 0) return {};
  return handle;
}

unsigned number_of(hwloc_obj_t object) { return object == nullptr ? 0 : object->logical_index; }

unsigned numa_node_of(hwloc_topology_t from, hwloc_obj_t unit) {
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(from, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
    if (hwloc_bitmap_isincluded(unit->cpuset, node->cpuset)) return node->logical_index;
  return 0;
}

processor locate(hwloc_topology_t from, unsigned id) {
  processor p{.id = id};
  const hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(from, id);
  if (unit == nullptr) return p;
  p.core = number_of(hwloc_get_ancestor_obj_by_type(from, HWLOC_OBJ_CORE, unit));
  p.l3 = number_of(hwloc_get_ancestor_obj_by_type(from, HWLOC_OBJ_L3CACHE, unit));
  p.package = number_of(hwloc_get_ancestor_obj_by_type(from, HWLOC_OBJ_PACKAGE, unit));
  p.numa_node = numa_node_of(from, unit);
  return p;
}

std::uint64_t cache_bytes(hwloc_topology_t from, hwloc_obj_type_t type, unsigned id) {
  const hwloc_obj_t unit = hwloc_get_pu_obj_by_os_index(from, id);
  if (unit == nullptr) return 0;
  const hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(from, type, unit);
  return cache == nullptr ? 0 : cache->attr->cache.size;
}

std::string model_name(hwloc_topology_t from, const std::string& root) {
  const hwloc_obj_t package = hwloc_get_obj_by_type(from, HWLOC_OBJ_PACKAGE, 0);
  const char* name = package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
  if (name != nullptr) return name;
  auto line = value_after(read_small_file(root + "/proc/cpuinfo").value_or(""), "model name");
  if (!line) return "unknown";
  const auto text = line->find_first_not_of(": \t");
  return text == std::string::npos ? "unknown" : line->substr(text);
}

// Returns the ids that both the affinity mask and the control groups allow. A cpuset that has nothing in
// common with the mask belongs to another view of the machine and is ignored.
std::vector<unsigned> allowed_ids(const control_group_limits& limits) {
  auto mask = affinity();
  if (!limits.cpuset) return mask;
  std::vector<unsigned> both;
  std::set_intersection(mask.begin(), mask.end(), limits.cpuset->begin(), limits.cpuset->end(),
                        std::back_inserter(both));
  return both.empty() ? mask : both;
}

unsigned within_quota(std::size_t allowed, const control_group_limits& limits) {
  const auto count = static_cast<unsigned>(std::max<std::size_t>(allowed, 1));
  if (!limits.processors || *limits.processors >= count) return count;
  return std::max(1U, static_cast<unsigned>(std::ceil(*limits.processors)));
}

// Sorts neighbours side by side, and the first hardware thread of every core before any second one.
void order_for_placement(std::vector<processor>& processors) {
  std::map<unsigned, unsigned> rank;  // of a processor among those of its core
  std::map<unsigned, unsigned> seen;
  std::sort(processors.begin(), processors.end(),
            [](const processor& a, const processor& b) { return a.id < b.id; });
  for (const processor& p : processors) rank[p.id] = seen[p.core]++;
  const auto key = [&](const processor& p) {
    return std::tuple(rank.at(p.id), p.package, p.numa_node, p.l3, p.core, p.id);
  };
  std::sort(processors.begin(), processors.end(),
            [&](const processor& a, const processor& b) { return key(a) < key(b); });
}

unsigned distinct(const std::vector<processor>& processors, unsigned processor::* kind) {
  std::set<unsigned> numbers;
  for (const processor& p : processors) numbers.insert(p.*kind);
  return std::max(1U, static_cast<unsigned>(numbers.size()));
}

}  // namespace

topology discover_topology(const std::string& root) {
  topology found;
  const auto limits = read_control_groups(root);
  const auto ids = allowed_ids(limits);
  if (const hwloc_handle handle = load_hwloc()) {
    for (const unsigned id : ids) found.processors.push_back(locate(handle.get(), id));
    const unsigned first = ids.empty() ? 0 : ids.front();
    found.caches = {cache_bytes(handle.get(), HWLOC_OBJ_L1CACHE, first),
                    cache_bytes(handle.get(), HWLOC_OBJ_L2CACHE, first),
                    cache_bytes(handle.get(), HWLOC_OBJ_L3CACHE, first)};
    found.model = model_name(handle.get(), root);
  } else {
    for (const unsigned id : ids) found.processors.push_back({.id = id, .core = id});
    found.model = "unknown";
  }
  order_for_placement(found.processors);
  found.usable = within_quota(found.processors.size(), limits);
  found.quota = limits.processors.value_or(0);
  found.quota_source = limits.processors_source;
  found.packages = distinct(found.processors, &processor::package);
  found.numa_nodes = distinct(found.processors, &processor::numa_node);
  found.cores = distinct(found.processors, &processor::core);
  return found;
}

unsigned usable_processors(const std::string& root) {
  if (const auto* s = simulated()) return s->processors();
  const auto limits = read_control_groups(root);
  return within_quota(allowed_ids(limits).size(), limits);
}

std::vector<unsigned> affinity() {
  for (std::size_t most = 1024; most <= (std::size_t{1} << 20);
       most *= 4) {  // more than 1,024 processors exist
    const cpu_set set(CPU_ALLOC(most));
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    if (::sched_getaffinity(0, bytes, set.get()) != 0) {
      if (errno == EINVAL) continue;  // the kernel's mask is wider
      break;
    }
    std::vector<unsigned> ids;
    for (std::size_t id = 0; id < most; ++id)
      if (CPU_ISSET_S(id, bytes, set.get())) ids.push_back(static_cast<unsigned>(id));
    return ids;
  }
  return {0};
}

bool pin_thread(unsigned processor_id) noexcept { return pin_thread(std::vector<unsigned>{processor_id}); }

bool pin_thread(const std::vector<unsigned>& processor_ids) noexcept {
  if (processor_ids.empty()) return false;
  const std::size_t most = *std::max_element(processor_ids.begin(), processor_ids.end()) + std::size_t{1};
  const cpu_set set(CPU_ALLOC(most));
  if (!set) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set.get());
  for (const unsigned id : processor_ids) CPU_SET_S(id, bytes, set.get());
  return ::sched_setaffinity(0, bytes, set.get()) == 0;
}

unsigned current_processor() noexcept {
  const int id = ::sched_getcpu();
  return id < 0 ? 0 : static_cast<unsigned>(id);
}

}  // namespace gossamer::machine
