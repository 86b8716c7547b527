#include "gossamer/machine/internal/control_group.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "gossamer/machine/internal/system_error.hpp"

namespace gossamer::machine {
namespace {

constexpr std::uint64_t k_practically_unlimited = std::uint64_t{1} << 60;  // version 1 says 2^63 - 4096

struct mount {
  bool version2;
  std::string root;     // the group that is mounted
  std::string point;    // where
  std::string options;  // "rw,cpu,cpuacct": version 1 names its controllers there
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool lists(const std::string& comma_separated, std::string_view word) {
  const auto parts = split(comma_separated, ',');
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

// Reads the mounts of control groups from mountinfo. Its lines:
// id parent device root point options [optional fields] - type source super-options
std::vector<mount> read_mounts(const std::string& root) {
  std::vector<mount> mounts;
  const auto text = read_small_file(root + "/proc/self/mountinfo");
  if (!text) return mounts;
  for (const std::string& line : split(*text, '\n')) {
    const auto fields = split(line, ' ');
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 4) continue;
    if (dash[1] != "cgroup" && dash[1] != "cgroup2") continue;
    mounts.push_back({dash[1] == "cgroup2", fields[3], fields[4], dash[3]});
  }
  return mounts;
}

bool is_below(const std::string& path, const std::string& above) {
  if (above == "/") return true;
  return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '/');
}

// Returns the directories of group `path` as seen through `from`, innermost first. A path outside of the
// mount (another namespace) leaves the mount's own directory.
std::vector<std::string> directories(const std::string& root, const mount& from, std::string path) {
  if (!path.starts_with('/') || !is_below(path, from.root) || path.find("/..") != std::string::npos)
    path = from.root;
  const std::string top = root + from.point;
  std::string below = from.root == "/" ? path : path.substr(from.root.size());
  if (below == "/") below.clear();
  std::vector<std::string> found;
  while (!below.empty()) {
    found.push_back(top);
    found.back() += below;
    below.resize(below.rfind('/'));
  }
  found.push_back(top);
  return found;
}

// Where this process's groups are, read once.
class group_tree {
 public:
  explicit group_tree(const std::string& root)
      : root_(root),
        memberships_(split(read_small_file(root + "/proc/self/cgroup").value_or(""), '\n')),
        mounts_(read_mounts(root)) {}

  // Directories of the group for a controller of version 1 ("cpu", "cpuset", "memory"), innermost
  // first; an empty name stands for the one hierarchy of version 2.
  std::vector<std::string> directories_for(const std::string& controller) const {
    const bool version2 = controller.empty();
    for (const std::string& line : memberships_) {  // number:controllers:path
      const auto first = line.find(':');
      const auto second = line.find(':', first + 1);
      if (first == std::string::npos || second == std::string::npos) continue;
      const std::string controllers = line.substr(first + 1, second - first - 1);
      if (version2 ? !controllers.empty() : !lists(controllers, controller)) continue;
      for (const mount& m : mounts_)
        if (m.version2 == version2 && (version2 || lists(m.options, controller)))
          return directories(root_, m, line.substr(second + 1));
    }
    return {};
  }

 private:
  std::string root_;
  std::vector<std::string> memberships_;
  std::vector<mount> mounts_;
};

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

template <class Number>
std::optional<Number> read_number(const std::string& path) {
  const auto text = read_small_file(path);
  return text ? parse_number<Number>(*text) : std::nullopt;
}

void take_processors(control_group_limits& limits, double quota, double period, const std::string& file) {
  if (quota <= 0 || period <= 0) return;
  const double processors = quota / period;
  if (limits.processors && *limits.processors <= processors) return;
  limits.processors = processors;
  limits.processors_source = file;
}

void take_memory(control_group_limits& limits, const std::string& file, std::uint64_t used_for_good) {
  const auto limit = read_number<std::uint64_t>(file);  // "max" is no number: no limit
  if (!limit || *limit >= k_practically_unlimited) return;
  if (!limits.memory || *limit < *limits.memory) {
    limits.memory = limit;
    limits.memory_source = file;
  }
  const std::uint64_t left = *limit > used_for_good ? *limit - used_for_good : 0;
  limits.memory_left = std::min(left, limits.memory_left.value_or(left));
}

void take_cpuset(control_group_limits& limits, const std::string& file) {
  if (limits.cpuset) return;  // the innermost group's effective set is within those above
  if (const auto text = read_small_file(file); text && !text->empty())
    limits.cpuset = parse_processor_list(*text);
}

// Returns the bytes that a group uses and could not give back by dropping clean file pages.
std::uint64_t used_for_good(const std::string& usage_file, const std::string& stat_file,
                            const std::string& prefix) {
  std::uint64_t used = read_number<std::uint64_t>(usage_file).value_or(0);
  const auto stat = read_small_file(stat_file);
  if (!stat) return used;
  for (const char* kind : {"inactive_file ", "active_file ", "slab_reclaimable "}) {
    const auto value = value_after(*stat, prefix + kind);
    const auto bytes = value ? parse_number<std::uint64_t>(*value) : std::nullopt;
    used -= std::min(used, bytes.value_or(0));
  }
  return used;
}

void read_version1(control_group_limits& limits, const group_tree& tree) {
  for (const std::string& group : tree.directories_for("cpu"))
    take_processors(limits, read_number<double>(group + "/cpu.cfs_quota_us").value_or(0),
                    read_number<double>(group + "/cpu.cfs_period_us").value_or(0),
                    group + "/cpu.cfs_quota_us");
  for (const std::string& group : tree.directories_for("cpuset")) {
    take_cpuset(limits, group + "/cpuset.effective_cpus");
    take_cpuset(limits, group + "/cpuset.cpus");
  }
  for (const std::string& group : tree.directories_for("memory"))
    take_memory(limits, group + "/memory.limit_in_bytes",
                used_for_good(group + "/memory.usage_in_bytes", group + "/memory.stat", "total_"));
}

void read_version2(control_group_limits& limits, const group_tree& tree) {
  for (const std::string& group : tree.directories_for("")) {
    if (const auto text = read_small_file(group + "/cpu.max")) {  // "200000 100000" or "max 100000"
      const auto fields = split(*text, ' ');
      if (fields.size() == 2)
        take_processors(limits, parse_number<double>(fields[0]).value_or(0),
                        parse_number<double>(fields[1]).value_or(0), group + "/cpu.max");
    }
    take_cpuset(limits, group + "/cpuset.cpus.effective");
    take_cpuset(limits, group + "/cpuset.cpus");
    const std::uint64_t used = used_for_good(group + "/memory.current", group + "/memory.stat", "");
    take_memory(limits, group + "/memory.max", used);
    take_memory(limits, group + "/memory.high", used);  // beyond it the group is slowed to a crawl
  }
}

}  // namespace

std::optional<std::vector<unsigned>> parse_processor_list(const std::string& text) {
  constexpr unsigned k_most = 1 << 16;
  std::vector<unsigned> ids;
  for (const std::string& part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number<unsigned>(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_number<unsigned>(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= k_most) return {};
    for (unsigned id = *first; id <= *last; ++id) ids.push_back(id);
  }
  if (ids.empty()) return {};
  return ids;
}

control_group_limits read_control_groups(const std::string& root) {
  control_group_limits limits;
  const group_tree tree(root);
  read_version1(limits, tree);
  read_version2(limits, tree);
  return limits;
}

}  // namespace gossamer::machine
