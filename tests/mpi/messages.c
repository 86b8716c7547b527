/* Point-to-point calls of all kinds and sizes between two ranks and more, each answer checked. */
#include <string.h>

#include "check.h"

#define MOST (1 << 20)
static char out[MOST], in[MOST];

int main(int argc, char** argv) {
  int rank, size, flag, provided, i, count, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Status status;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(argc == 2 && atoi(argv[1]) == size);
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0 && (int)strlen(name) == length);
  CHECK(MPI_Wtime() > 0 && MPI_Wtick() > 0);

  /* Around the ring, in sizes from nothing to a megabyte, blocking and not. */
  for (count = 0; count <= MOST; count = count == 0 ? 1 : 4 * count) {
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    memset(in, 0, sizeof in);
    for (i = 0; i < count; ++i) out[i] = (char)(i + rank + count);
    MPI_Irecv(in, count, MPI_CHAR, left, count, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, count, MPI_CHAR, right, count, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK(statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == count);
    MPI_Get_count(&statuses[0], MPI_CHAR, &i);
    CHECK(i == count);
    for (i = 0; i < count; ++i) CHECK(in[i] == (char)(i + left + count));

    memset(in, 0, sizeof in);
    MPI_Sendrecv(out, count, MPI_BYTE, right, 7, in, MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == left && status.MPI_TAG == 7);
    for (i = 0; i < count; ++i) CHECK(in[i] == (char)(i + left + count));
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /* Many small messages before any is received: more than the credit of a sender. */
  if (rank == 0) {
    MPI_Request* requests = malloc(20000 * sizeof *requests);
    int* values = malloc(20000 * sizeof *values);
    for (i = 0; i < 20000; ++i) {
      values[i] = i;
      MPI_Isend(&values[i], 1, MPI_INT, size - 1, i % 3, MPI_COMM_WORLD, &requests[i]);
    }
    if (size == 1) {
      for (i = 0; i < 20000; ++i) {
        int value;
        MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        CHECK(value == i && status.MPI_TAG == i % 3);
      }
    }
    MPI_Waitall(20000, requests, MPI_STATUSES_IGNORE);
    free(requests);
    free(values);
  } else if (rank == size - 1) {
    int tag, value;
    for (tag = 2; tag >= 0; --tag)
      for (i = tag; i < 20000; i += 3) {
        MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == i);
      }
  }

  /* Probing, testing, the partner that is none. */
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Request request;
    double values[3] = {1, 2, 3};
    MPI_Isend(values, 3, MPI_DOUBLE, size - 1, 11, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;) MPI_Test(&request, &flag, &status);
    CHECK(request == MPI_REQUEST_NULL);
  }
  if (rank == size - 1) {
    double values[4];
    MPI_Request requests[2];
    MPI_Probe(MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    CHECK(status.MPI_SOURCE == 0 && count == 3);
    for (flag = 0; !flag;) MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    CHECK(status.MPI_TAG == 11);
    MPI_Irecv(values, 4, MPI_DOUBLE, 0, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(values, 4, MPI_DOUBLE, MPI_PROC_NULL, 11, MPI_COMM_WORLD, &requests[1]);
    for (flag = 0; !flag;) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(values[0] == 1 && values[2] == 3);
  }
  MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  MPI_Finalized(&flag);
  if (rank == 0 && flag) printf("ok\n");
  return 0;
}
