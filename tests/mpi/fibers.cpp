// Fibers that the library starts, on all cores of a rank, call MPI like any other.
#include <mpi.h>

#include <cstdio>
#include <vector>

#include "gossamer/parallel/fiber.hpp"
#include "gossamer/parallel/remote.hpp"
#include "gossamer/parallel/spawn.hpp"

namespace {

constexpr int k_fibers = 300;

/// Exchanges a number with the same fiber of the next rank.
void exchange(int own) {
  int rank, size, came = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sent = 1000 * rank + own, from = (rank + size - 1) % size;
  MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, own, &came, 1, MPI_INT, from, own, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (came != 1000 * from + own) MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<gossamer::joinable<void>> fibers;
  for (int i = 0; i < k_fibers; ++i) fibers.push_back(gossamer::start([i] { exchange(i); }));
  for (auto& f : fibers) f.join();
  gossamer::finish([] {
    for (int i = 0; i < k_fibers; ++i) gossamer::spawn([i] { exchange(i); });
  });
  gossamer::local::on_all_cores(
      [] { exchange(static_cast<int>(gossamer::here() - gossamer::first_core(gossamer::process()))); });
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0) std::puts("ok");
}
