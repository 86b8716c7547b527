#pragma once
// Pieces of the answer of a process that wait in a scratch file until process 0 takes them.

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/machine/scratch_file.hpp"

namespace gossamer::mapreduce {

class stored_pieces {
 public:
  stored_pieces() = default;
  /// Makes the scratch file in a folder.
  explicit stored_pieces(const std::string& folder) : file_(machine::scratch_file::in(folder)) {}

  /// Appends a piece, as it is written.
  void add(const std::string& piece);
  /// Sends all pieces to process 0, which calls piece_output::receive(). On the first core; suspends.
  void send() const;

 private:
  machine::scratch_file file_;
  std::vector<std::uint64_t> bytes_;  // of each piece
};

}  // namespace gossamer::mapreduce
