#pragma once
// The limits of this process's control groups (containers, batch systems, systemd): versions 1 and 2, also
// mixed, including the limits of all ancestor groups. Reads /proc/self/cgroup, /proc/self/mountinfo and the
// groups' files; a file that cannot be read sets no limit.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gossamer::machine {

struct control_group_limits {
  std::optional<double> processors;             // quota/period, the minimum over the hierarchy
  std::string processors_source;                // the file that sets it
  std::optional<std::vector<unsigned>> cpuset;  // processors that the cpuset allows
  std::optional<std::uint64_t> memory;          // bytes: the minimum limit over the hierarchy
  std::string memory_source;
  std::optional<std::uint64_t> memory_left;     // minimum of limit - (usage - reclaimable cache)
};

/// Reads the limits of this process's control groups. `root` is put before every path (for tests).
control_group_limits read_control_groups(const std::string& root = "");

/// Parses a list: "0-3,8" gives {0,1,2,3,8}. Returns nothing if the text is no such list.
std::optional<std::vector<unsigned>> parse_processor_list(const std::string& text);

}  // namespace gossamer::machine
