#pragma once
// What a call of the MPI layer throws inside; the C functions make it an error class or the end of the job (call.hpp).

#include <string>

namespace gossamer::mpi {

struct failure {
  int error_class;
  std::string what;
};

/// Returns "MPI_ERR_RANK" for its class; "an unknown error class" for none.
const char* name_of_class(int error_class);
/// Returns what the class means in a sentence; null for no class.
const char* meaning_of_class(int error_class);

/// Ends the job everywhere with one line.
[[noreturn]] void end_job(const std::string& what);

}  // namespace gossamer::mpi
