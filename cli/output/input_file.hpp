#pragma once
// The files that a command reads, which its output never replaces by accident.

#include <span>
#include <string>
#include <vector>

namespace gossamer::cli {

/// A file that a command reads, or an empty path.
struct input_file {
  std::string what;  // for errors: "the graph itself"
  std::string path;
};

/// Returns the files of a command that reads any number of one kind.
std::vector<input_file> input_files_of(std::span<const std::string> paths);

/// Returns the one of these files that `written` is, also by another name; null if it is none.
const input_file* find_input(std::span<const input_file> inputs, const std::string& written);

/// Throws gossamer::error if `written` is one of these files, also by another name. An empty path is none.
void spare_inputs(std::span<const input_file> inputs, const std::string& written);

}  // namespace gossamer::cli
