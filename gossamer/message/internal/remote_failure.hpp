#pragma once
// An exception thrown in another process. Its text is sent here, and thrown as a gossamer::error, or as a
// machine::out_of_memory if memory was short there.
//
//   counted by a completion:  the text travels with the report that it has finished (endpoint_wire.cpp); nothing stays there
//   the answer of a call:     the exception stays there; the fiber that waits for the answer fetches its text and frees it.
//                             Each call reserves a buffer for its answer, and a text is longer than most answers

#include <cstdint>
#include <exception>
#include <string>

namespace gossamer::message {

/// The part of an exception that leaves its process. A longer text loses its middle.
struct failure_text {
  std::uint64_t is_out_of_memory;
  char text[440];
};

/// What an exception_ptr of an answer holds until rethrow(). Not thrown itself.
struct remote_failure {
  unsigned core;  // where it was thrown
  std::exception_ptr* what;  // there
};

/// Throws the exception; fetches one of another process first (by a fiber; suspends).
[[noreturn]] void rethrow(const std::exception_ptr& what);

/// Returns the text of an exception of this process.
std::string text_of(const std::exception_ptr& what);

/// Describes an exception of this process.
failure_text describe(const std::exception_ptr& what);
/// Returns the exception to throw here for one of another process.
std::exception_ptr exception_of(const failure_text& t);

}  // namespace gossamer::message
