#pragma once
// Options of kernels that save checkpoints: where, and how often. checkpoint.hpp saves them.

#include <string>

namespace gossamer {

/// Where a job saves its state, and how often.
struct checkpoint_options {
  /// The folder, which is made if it is missing. Empty: nothing is saved.
  std::string folder = {};
  /// A checkpoint is due after so many seconds, but takes at most a twentieth of the time. 0: after every
  /// phase.
  double seconds = 60;
};

/// Removes the checkpoint of a job from its folder: call when the result is safe. The folder stays. Does
/// nothing if the name is empty.
void forget_checkpoint(const std::string& folder);

}  // namespace gossamer
