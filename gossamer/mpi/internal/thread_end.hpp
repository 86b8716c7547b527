#pragma once
// What the end of a program needs to know of its threads (threads.cpp).

#include <exception>

namespace gossamer::mpi {

/// Suspends until all threads have ended: the main fiber has called pthread_exit(). Home core.
void wait_for_threads();
/// Returns whether this is what pthread_exit() throws.
bool is_thread_exit(const std::exception_ptr& what);

}  // namespace gossamer::mpi
