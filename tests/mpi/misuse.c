/* One kind of bad use: misuse <kind> [return]. With `return` errors are returned, and their classes checked. */
#include <string.h>

#include "check.h"

static int rank, size, returns;

static void expect(int result, int expected) {
  if (returns && result != expected) {
    char text[MPI_MAX_ERROR_STRING];
    int length, error_class;
    MPI_Error_string(result, text, &length);
    MPI_Error_class(result, &error_class);
    fprintf(stderr, "class %d (%s), expected %d\n", error_class, text, expected);
    exit(3);
  }
}

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "";
  int values[4] = {0};
  MPI_Comm comm, twin;
  MPI_Request request, copy;
  MPI_Status status;
  if (strcmp(kind, "before") == 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  returns = argc > 2;
  if (returns) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);

  if (strcmp(kind, "truncate") == 0) {
    if (rank == 0) MPI_Send(values, 4, MPI_INT, size - 1, 5, comm);
    if (rank == size - 1) expect(MPI_Recv(values, 2, MPI_INT, 0, 5, comm, &status), MPI_ERR_TRUNCATE);
  } else if (strcmp(kind, "truncate-large") == 0) {
    static char large[100000];
    if (rank == 0) MPI_Send(large, 100000, MPI_CHAR, size - 1, 5, comm);
    if (rank == size - 1) {
      MPI_Irecv(values, 2, MPI_INT, 0, 5, comm, &request);
      expect(MPI_Waitall(1, &request, &status), MPI_ERR_IN_STATUS);
      expect(status.MPI_ERROR, MPI_ERR_TRUNCATE);
    }
  } else if (strcmp(kind, "rank") == 0) {
    expect(MPI_Send(values, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
    expect(MPI_Recv(values, 1, MPI_INT, -7, 0, comm, &status), MPI_ERR_RANK);
  } else if (strcmp(kind, "tag") == 0) {
    expect(MPI_Send(values, 1, MPI_INT, 0, -1, comm), MPI_ERR_TAG);
    expect(MPI_Recv(values, 1, MPI_INT, 0, -5, comm, &status), MPI_ERR_TAG);
  } else if (strcmp(kind, "count") == 0) {
    expect(MPI_Send(values, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
  } else if (strcmp(kind, "buffer") == 0) {
    expect(MPI_Send(NULL, 1, MPI_INT, 0, 0, comm), MPI_ERR_BUFFER);
  } else if (strcmp(kind, "type") == 0) {
    expect(MPI_Send(values, 1, MPI_DATATYPE_NULL, 0, 0, comm), MPI_ERR_TYPE);
    expect(MPI_Send(values, 1, (MPI_Datatype)77, 0, 0, comm), MPI_ERR_TYPE);
  } else if (strcmp(kind, "root") == 0) {
    expect(MPI_Bcast(values, 1, MPI_INT, -1, comm), MPI_ERR_ROOT);
  } else if (strcmp(kind, "op") == 0) {
    expect(MPI_Allreduce(values, values + 1, 1, MPI_FLOAT, MPI_BAND, comm), MPI_ERR_OP);
    expect(MPI_Allreduce(values, values + 1, 1, MPI_INT, (MPI_Op)50, comm), MPI_ERR_OP);
  } else if (strcmp(kind, "comm") == 0) {
    twin = comm;
    MPI_Comm_free(&comm);
    expect(MPI_Send(values, 1, MPI_INT, 0, 0, twin), MPI_ERR_COMM);
    expect(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else if (strcmp(kind, "request") == 0) {
    MPI_Isend(values, 1, MPI_INT, rank, 0, comm, &request);
    MPI_Recv(values, 1, MPI_INT, rank, 0, comm, &status);
    copy = request;
    MPI_Wait(&request, &status);
    expect(MPI_Wait(&request, &status), MPI_SUCCESS);
    expect(MPI_Wait(&copy, &status), MPI_ERR_REQUEST);
    copy = (MPI_Request)12345;
    expect(MPI_Wait(&copy, &status), MPI_ERR_REQUEST);
    if (returns) { /* of a list, the statuses have the classes, and what completed has completed */
      MPI_Request list[2] = {MPI_REQUEST_NULL, (MPI_Request)12345};
      MPI_Status each[2];
      MPI_Irecv(values, 1, MPI_INT, rank, 7, comm, &list[0]);
      MPI_Send(values + 1, 1, MPI_INT, rank, 7, comm);
      expect(MPI_Waitall(2, list, each), MPI_ERR_IN_STATUS);
      expect(each[0].MPI_ERROR, MPI_SUCCESS);
      expect(each[1].MPI_ERROR, MPI_ERR_REQUEST);
      MPI_Request tested[2] = {(MPI_Request)12345, MPI_REQUEST_NULL};
      int done = 0, result = MPI_SUCCESS;
      memset(each, 0xff, sizeof each);
      MPI_Irecv(values, 1, MPI_INT, rank, 7, comm, &tested[1]);
      MPI_Send(values + 1, 1, MPI_INT, rank, 7, comm);
      while (!done && result == MPI_SUCCESS) result = MPI_Testall(2, tested, &done, each);
      expect(result, MPI_ERR_IN_STATUS);
      expect(each[0].MPI_ERROR, MPI_ERR_REQUEST);
      expect(each[1].MPI_ERROR, MPI_SUCCESS);
      expect(tested[1] == MPI_REQUEST_NULL, 1);
    }
  } else if (strcmp(kind, "abort") == 0) {
    if (rank == 0) MPI_Abort(comm, 7);
  } else if (strcmp(kind, "unreceived") == 0) {
    static char large[100000];
    if (rank == 0) {
      MPI_Send(values, 3, MPI_INT, size - 1, 41, MPI_COMM_WORLD);
      MPI_Isend(large, 100000, MPI_CHAR, size - 1, 42, comm, &request);
    }
    if (rank == size - 1) MPI_Irecv(values, 4, MPI_INT, 0, 43, comm, &request);
  } else if (strcmp(kind, "stall") == 0) {
    if (rank == 0) MPI_Recv(values, 1, MPI_INT, size - 1, 99, comm, &status);
    if (rank != 0) MPI_Recv(values, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  } else if (strcmp(kind, "stall-send") == 0) {
    static char large[100000];
    if (rank == 0) MPI_Send(large, 100000, MPI_CHAR, size - 1, 98, comm);
    MPI_Barrier(comm);
  } else if (strcmp(kind, "exit") == 0) {
    MPI_Finalize();
    exit(5);
  } else if (strcmp(kind, "after") == 0) {
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(kind, "twice") == 0) {
    MPI_Init(&argc, &argv);
  } else {
    return 4;
  }
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
