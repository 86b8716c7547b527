#pragma once
// Whether the processes of a job see the same files: on nodes with disks of their own a name may mean another file, or none.

#include <string>
#include <vector>

namespace gossamer::files {

/// Throws gossamer::error where a file cannot be read in a process, or is another one there than in process 0: the line names process and
/// node. Compares sizes, and pages here and there: files of one size that differ in a few bytes may pass. Leaves out standard input. By the
/// main fiber; suspends. Does nothing in jobs of one process.
void require_same_files(const std::vector<std::string>& paths);

}  // namespace gossamer::files
