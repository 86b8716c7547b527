// A program that starts and ends MPI itself, for transport_test.py: own_mpi MODE. Built once with each MPI.

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "gossamer/parallel/job.hpp"

namespace {

/// Runs a job. Returns whether it ended well.
bool job(const char* text) {
  try {
    gossamer::run(gossamer::job_options{.cores = 1}, [text] { std::puts(text); });
    return true;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "refused: %s\n", e.what());
    return false;
  }
}

/// Returns whether MPI works for the program as before: errors are fatal by default, and messages arrive.
bool works() {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  int one = 1, sum = 0, size = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return handler == MPI_ERRORS_ARE_FATAL && sum == size;
}

}  // namespace

/// Returns 0 where all jobs ended as the mode asks. A launcher may end the others as soon as one process ends
/// otherwise.
int main(int argc, char** argv) {
  const char* const mode = argc == 2 ? argv[1] : "";
  const auto is = [mode](const char* name) { return std::strcmp(mode, name) == 0; };
  int given = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, is("no-threads") ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is("finalises-first")) {
    MPI_Finalize();
    return job("no job") ? 3 : 0;
  }
  bool well = is("no-threads") ? !job("no job") : job("first") && works();
  if (is("leaves") && rank != 0) well = well && !job("second");
  if (is("runs") || is("runs-after")) well = well && job("second") && works();
  MPI_Finalize();
  if (is("runs-after")) well = well && !job("no job");
  return well ? 0 : 3;
}
