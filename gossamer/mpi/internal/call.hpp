#pragma once
// The frame of every MPI function: looks whether MPI may be called now, and goes to the home core. A failure becomes an error
// class, or the end of the job, as the error handler of the communicator says.

#include <new>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "gossamer/mpi/internal/engine.hpp"
#include "gossamer/mpi/internal/home.hpp"

namespace gossamer::mpi {

/// Returns the engine. Ends the program in one line where `name` is called elsewhere than in a fiber of the program.
engine& engine_for(const char* name);

/// Returns the class, or ends the job with one line, as the error handler of `comm` says.
int report(engine& e, const char* name, MPI_Comm comm, const failure& f);

/// Thrown by a call whose error has been reported to another communicator than its own: what it returns.
struct returned {
  int error_class;
};

/// Runs f(engine), which throws failure, between MPI_Init and MPI_Finalize. Returns the error class.
template <class F>
int call(const char* name, MPI_Comm comm, F f) {
  engine& e = engine_for(name);
  int result = MPI_SUCCESS;
  at_home([&] {
    try {
      if (e.now() != engine::phase::running)
        throw failure{MPI_ERR_OTHER, e.now() == engine::phase::before ? "called before MPI_Init"
                                                                      : "called after MPI_Finalize"};
      f(e);
    } catch (const failure& found) {
      result = report(e, name, comm, found);
    } catch (const returned& reported) {
      result = reported.error_class;
    } catch (const std::bad_alloc&) {
      result = report(e, name, comm, {MPI_ERR_NO_MEM, "memory is short"});
    }
  });
  return result;
}

// Checks of arguments: throw failure.

void check_count(int count);
void check_tag(int tag, bool of_receive);
void check_rank(const engine& e, int rank, bool of_receive);
void check_root(const engine& e, int root);
void check_buffer(const void* data, std::size_t bytes);
template <class T>
void check_pointer(const T* at, const char* what) {
  if (at == nullptr) throw failure{MPI_ERR_ARG, std::string(what) + " is a null pointer"};
}

/// Returns the bytes of a type; throws failure for none.
std::size_t size_of(MPI_Datatype type);
/// Returns the bytes of so many elements, after all checks.
std::size_t bytes_of(const void* data, int count, MPI_Datatype type);

}  // namespace gossamer::mpi
