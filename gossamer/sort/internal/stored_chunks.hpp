#pragma once
// Stores chunks of a process's result in a scratch file until process 0 receives them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/function_ref.hpp"
#include "gossamer/io/compress.hpp"
#include "gossamer/machine/output_file.hpp"
#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::sorting {

class stored_chunks {
 public:
  stored_chunks() = default;
  /// Makes the scratch file in a folder.
  explicit stored_chunks(const std::string& folder) : file_(machine::scratch_file::in(folder)) {}

  /// Appends a chunk in the format of the output.
  void add(const std::string& chunk);
  /// Sends all chunks to process 0, which calls chunk_output::receive(). On the first core; suspends.
  void send() const;

 private:
  machine::scratch_file file_;
  std::vector<std::uint64_t> bytes_;  // of each chunk
};

/// Calls `take` for each chunk of a process's output, in the format of the output.
using chunk_merge = function_ref<void(function_ref<void(const std::string& stored)> take)>;

/// Writes a text, then the merged chunks of all processes, starting with those of process 0. The others merge
/// at the same time, to scratch files in a folder. `file` is for process 0. On the first core of each
/// process; suspends.
void write_merged(machine::output_file* file, io::compression how, std::string_view before,
                  const std::string& folder, chunk_merge merge);

}  // namespace gossamer::sorting
