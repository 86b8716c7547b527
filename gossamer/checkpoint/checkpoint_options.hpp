#pragma once
// Where a job keeps what it may go on from, and how often: for options of kernels. checkpoint.hpp does it.

#include <string>

namespace gossamer {

/// Where a job keeps its state, and how often.
struct checkpoint_options {
  /// The folder, which is made where it is missing. Empty: nothing is kept.
  std::string folder = {};
  /// A checkpoint is due after so many seconds, and never before it has cost less than a twentieth of the time. 0: after every phase.
  double seconds = 60;
};

/// Removes the checkpoint of a job from its folder: when its result is safe. The folder stays. Does nothing where the name is empty.
void forget_checkpoint(const std::string& folder);

}  // namespace gossamer
