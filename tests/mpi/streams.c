/* Small messages by MPI_Send, one after the other: more than the receiver keeps, while it does not look. They come in order, whatever
   their tags; what is sent to a third rank, and what is large, overtakes nothing. */
#include <string.h>

#include "check.h"

#define MESSAGES 20000
#define LARGE 20000

static void send_all(int to, int last) {
  static char large[LARGE];
  for (int i = 0; i < MESSAGES; ++i) {
    MPI_Send(&i, 1, MPI_INT, to, i % 2, MPI_COMM_WORLD);
    if (i % 1000 == 500) {
      MPI_Request request;
      memcpy(large, &i, sizeof i);
      MPI_Isend(large, LARGE, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
      MPI_Send(&i, 1, MPI_INT, last, 3, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

static void receive_all(int from) {
  static char large[LARGE];
  for (int i = 0; i < MESSAGES; ++i) {
    int got = -1;
    MPI_Status status;
    MPI_Recv(&got, 1, MPI_INT, from, i % 5 == 0 ? MPI_ANY_TAG : i % 2, MPI_COMM_WORLD, &status);
    CHECK(got == i && status.MPI_TAG == i % 2);
    if (i % 1000 == 500) {
      MPI_Recv(large, LARGE, MPI_CHAR, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      memcpy(&got, large, sizeof got);
      CHECK(got == i && status.MPI_TAG == 7);
    }
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int last = size - 1;
  for (int turn = 0; turn < 2; ++turn) {
    if (rank == turn) send_all(1 - turn, last);
    if (rank == 1 - turn) {
      volatile double x = 1; /* comes late */
      for (int i = 0; i < 2000000; ++i) x = x * 1.0000001;
      receive_all(turn);
    }
    if (rank == last)
      for (int i = 500; i < MESSAGES; i += 1000) {
        int got = -1;
        MPI_Recv(&got, 1, MPI_INT, turn, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got == i);
      }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
