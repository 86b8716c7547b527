#pragma once
// An exception that was thrown in another process: it stays there, and the fiber that waits for it here gets its
// text, as a gossamer::error, or as a machine::out_of_memory where memory was short there.

#include <exception>
#include <string>

namespace gossamer::message {

/// Thrown nowhere: what an exception_ptr holds until rethrow().
struct remote_failure {
  unsigned core;  // where it was thrown
  std::exception_ptr* what;  // there
};

/// Throws it; one of another process is fetched first (by a fiber; suspends).
[[noreturn]] void rethrow(const std::exception_ptr& what);

/// Returns the text of an exception of this process.
std::string text_of(const std::exception_ptr& what);

/// Names an exception by the core where it lies and its address there.
remote_failure name_failure(unsigned core, const std::exception_ptr& what);

}  // namespace gossamer::message
