#pragma once
// A list in a report, with possibly as many entries as the job has cores or fibers. Shows up to k_most
// entries. If there are more, equal ones become one line with a count, and the rest a number.

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gossamer::parallel {

class grouped_list {
 public:
  static constexpr std::size_t k_most = 16;

  /// Adds an entry of group `key`. Calls line() to format it, for the first entry of the group.
  template <class Line>
  void add(const std::string& key, Line line) {
    const auto [at, is_new] = group_of_.try_emplace(key, groups_.size());
    if (++total_ <= k_most) lines_.push_back(line());
    if (!is_new)
      ++groups_[at->second].count;
    else if (total_ <= k_most)
      groups_.push_back({lines_.back(), 1});
    else
      groups_.push_back({groups_.size() < k_most ? line() : std::string(), 1});
  }

  /// Returns the list: "; core 0 fiber 7 (a task) waits for a barrier, and 484 more fibers alike; ..."
  std::string print(std::string_view things) const {
    std::string all;
    std::size_t hidden = 0;
    if (total_ <= k_most) {
      for (const std::string& line : lines_) all += "; " + line;
      return all;
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const group& g = groups_[i];
      if (i >= k_most)
        hidden += g.count;
      else
        all +=
            "; " + g.first + (g.count > 1 ? fmt::format(", and {} more {} alike", g.count - 1, things) : "");
    }
    return hidden == 0 ? all : all + fmt::format("; and {} more {}", hidden, things);
  }

 private:
  struct group {
    std::string first;
    std::size_t count;
  };
  std::size_t total_ = 0;
  std::vector<std::string> lines_;  // the first k_most entries
  std::vector<group> groups_;
  std::unordered_map<std::string, std::size_t> group_of_;
};

}  // namespace gossamer::parallel
