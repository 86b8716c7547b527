#pragma once
// Files that every process of a job opens: their names, and whether all see the same.

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/parallel/per_process.hpp"

namespace gossamer::files {

/// Names of files, to be given to all processes: share_text(names, &file_names::all).
struct file_names {
  std::string all;  // each with a zero byte behind it

  /// Throws gossamer::error for a name that is none.
  void set(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (path.empty() || path.find('\0') != path.npos)
        throw error("expected the name of a file, found an empty one");
      all.append(path).push_back('\0');
    }
  }
  std::vector<std::string> paths() const {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < all.size(); at += found.back().size() + 1)
      found.push_back(all.substr(at, all.find('\0', at) - at));
    return found;
  }
};

/// Throws gossamer::error for a pipe in a job of several processes, each of which would get a part of what it holds, or wait for ever.
inline void check_read_by_all(const std::vector<std::string>& paths) {
  if (processes() == 1) return;
  for (const std::string& path : paths)
    if (std::error_code none; std::filesystem::is_fifo(path, none))
      throw error(fmt::format(
          "{}: a pipe cannot be read by several processes: give a file, or - for standard input", path));
}

/// Throws gossamer::error where bytes() of the processes differ. By one fiber; suspends.
template <class F>
void check_same_files(F bytes_here) {
  if (processes() == 1) return;
  on_all_processes([bytes_here] {
    const auto bytes = all_gather_processes(bytes_here());
    for (unsigned p = 1; p < bytes.size(); ++p)
      if (bytes[p] != bytes[0])
        throw error(
            fmt::format("expected the same files in every process, found {} bytes in process 0 and {} in "
                        "process {}",
                        bytes[0], bytes[p], p));
  });
}

}  // namespace gossamer::files
