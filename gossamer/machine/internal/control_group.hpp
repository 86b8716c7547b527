#pragma once
// What the control groups (containers, batch systems, systemd) allow this process: versions 1 and 2,
// also mixed, with the limits of all groups above. Reads /proc/self/cgroup, /proc/self/mountinfo and
// the groups' files; what cannot be read is no limit.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gossamer::machine {

struct control_group_limits {
  std::optional<double> processors;             // quota/period, the least over the hierarchy
  std::string processors_source;                // the file that sets it
  std::optional<std::vector<unsigned>> cpuset;  // processors that the cpuset allows
  std::optional<std::uint64_t> memory;          // bytes: the least limit over the hierarchy
  std::string memory_source;
  std::optional<std::uint64_t> memory_left;     // least of limit - (usage - reclaimable cache)
};

/// Reads the limits of this process's control groups. `root` is put before every path (tests plant a tree
/// there).
control_group_limits read_control_groups(const std::string& root = "");

/// Parses a list: "0-3,8" gives {0,1,2,3,8}. Returns nothing where the text is no such list.
std::optional<std::vector<unsigned>> parse_processor_list(const std::string& text);

}  // namespace gossamer::machine
