#pragma once
// Checks that the processes of a job see the same files: on nodes with local disks a name may mean another
// file, or none.

#include <string>
#include <vector>

namespace gossamer::files {

/// Throws gossamer::error if a file cannot be read in a process, or differs there from the file in process 0.
/// The line names process and node. Compares sizes and some pages: files of one size that differ in a few
/// bytes may pass. Ignores standard input. By the main fiber; suspends. Does nothing in jobs of one process.
void require_same_files(const std::vector<std::string>& paths);

}  // namespace gossamer::files
