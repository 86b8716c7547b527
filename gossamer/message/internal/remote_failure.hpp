#pragma once
// An exception that was thrown in another process. Its text comes here, and is thrown as a gossamer::error, or as a
// machine::out_of_memory where memory was short there.
//
//   counted by a completion:  the text travels with the report that it has finished (endpoint_wire.cpp); nothing stays there
//   the answer of a call:     the exception stays there, and the fiber that waits for the answer fetches its text and frees it:
//                             each call reserves room for its answer, and a text is longer than most answers

#include <cstdint>
#include <exception>
#include <string>

namespace gossamer::message {

/// What leaves the process of an exception.
struct failure_text {
  std::uint64_t is_out_of_memory;
  char text[440];
};

/// Thrown nowhere: what an exception_ptr of an answer holds until rethrow().
struct remote_failure {
  unsigned core;  // where it was thrown
  std::exception_ptr* what;  // there
};

/// Throws it; one of another process is fetched first (by a fiber; suspends).
[[noreturn]] void rethrow(const std::exception_ptr& what);

/// Returns the text of an exception of this process.
std::string text_of(const std::exception_ptr& what);

/// Describes an exception of this process.
failure_text describe(const std::exception_ptr& what);
/// Returns what is thrown here for an exception of another process.
std::exception_ptr exception_of(const failure_text& t);

}  // namespace gossamer::message
