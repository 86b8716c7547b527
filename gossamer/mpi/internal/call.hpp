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

[[noreturn, gnu::cold]] void refuse_caller(const char* name);

/// Returns the engine. Ends the program in one line where `name` is called elsewhere than in a fiber of the program.
inline engine& engine_for(const char* name) {
  engine* const e = engine::of_process();
  const auto* const core = fiber::scheduler::current();
  if (e == nullptr || core == nullptr || core->running() == nullptr) [[unlikely]]
    refuse_caller(name);
  return *e;
}

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
  at_home(e.home(), [&] {
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

[[noreturn, gnu::cold]] void refuse_count(int count);
[[noreturn, gnu::cold]] void refuse_tag(int tag, bool of_receive);
[[noreturn, gnu::cold]] void refuse_rank(const engine& e, int rank);
[[noreturn, gnu::cold]] void refuse_buffer();

inline void check_count(int count) {
  if (count < 0) [[unlikely]]
    refuse_count(count);
}
inline void check_tag(int tag, bool of_receive) {
  if (tag < 0 && !(of_receive && tag == MPI_ANY_TAG)) [[unlikely]]
    refuse_tag(tag, of_receive);
}
inline void check_rank(const engine& e, int rank, bool of_receive) {
  const bool is_one = (rank >= 0 && rank < e.size()) || rank == MPI_PROC_NULL;
  if (!is_one && !(of_receive && rank == MPI_ANY_SOURCE)) [[unlikely]]
    refuse_rank(e, rank);
}
inline void check_buffer(const void* data, std::size_t bytes) {
  if (data == nullptr && bytes != 0) [[unlikely]]
    refuse_buffer();
}
void check_root(const engine& e, int root);
template <class T>
void check_pointer(const T* at, const char* what) {
  if (at == nullptr) throw failure{MPI_ERR_ARG, std::string(what) + " is a null pointer"};
}

/// Returns the bytes of a type; throws failure for none.
std::size_t size_of(MPI_Datatype type);
/// Returns the bytes of so many elements, after all checks.
inline std::size_t bytes_of(const void* data, int count, MPI_Datatype type) {
  check_count(count);
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(type);
  check_buffer(data, bytes);
  return bytes;
}

}  // namespace gossamer::mpi
