#pragma once
// Options of kernels that save checkpoints: where, and how often. checkpoint.hpp saves them. A result has the
// folder, so that no other start takes it before the result is safe.

#include <memory>
#include <string>

namespace gossamer {

/// Where a job saves its state, and how often.
struct checkpoint_options {
  /// The folder, which is made if it is missing. Empty: nothing is saved.
  std::string folder = {};
  /// A checkpoint is due after so many seconds, but takes at most a twentieth of the time. 0: after every
  /// phase. Infinity: never.
  double seconds = 60;
};

/// The locked folder of a checkpoint. Until forget() is called or the last copy is gone, another start of the
/// job is told that a process uses it. By the main fiber.
class checkpoint_folder {
 public:
  /// Makes an object without a folder.
  checkpoint_folder() = default;

  /// Removes the checkpoint, then unlocks the folder, which stays: call when the result is safe. Does nothing
  /// without a folder.
  void forget();

 private:
  friend class checkpoint;
  struct state;

  std::shared_ptr<state> state_;
};

}  // namespace gossamer
