// A C++ program whose main() returns nothing in words, and throws and catches on the way.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> all(static_cast<std::size_t>(size));
  const double own = rank + 0.5;
  try {
    MPI_Allgather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    throw std::runtime_error("thrown");
  } catch (const std::exception&) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int r = 0; r < size; ++r)
    if (all[static_cast<std::size_t>(r)] != r + 0.5) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  if (rank == 0) std::puts("ok");
}
