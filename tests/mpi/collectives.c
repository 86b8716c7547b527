/* Every collective with every root, several sizes, types and operations, against sums that each rank makes by itself. */
#include <string.h>

#include "check.h"

#define MOST 5000

static int rank, size;

static long value(int of, int i) { return (of * 31 + i * 7) % 101 - 50; }

static void all_of(MPI_Comm comm, int n) {
  static long own[MOST], result[MOST * 16], expected[MOST * 16];
  int root, i, r;
  MPI_Barrier(comm);
  for (i = 0; i < n; ++i) own[i] = value(rank, i);
  for (root = 0; root < size; ++root) {
    for (i = 0; i < n; ++i) result[i] = rank == root ? value(root, i) : 0;
    MPI_Bcast(result, n, MPI_LONG, root, comm);
    for (i = 0; i < n; ++i) CHECK(result[i] == value(root, i));

    for (i = 0; i < n; ++i) {
      expected[i] = 0;
      for (r = 0; r < size; ++r) expected[i] += value(r, i);
    }
    memset(result, 1, sizeof result);
    MPI_Reduce(own, rank == root ? result : NULL, n, MPI_LONG, MPI_SUM, root, comm);
    for (i = 0; i < n && rank == root; ++i) CHECK(result[i] == expected[i]);
    memcpy(result, own, sizeof own);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : result, rank == root ? result : NULL, n, MPI_LONG, MPI_SUM, root, comm);
    for (i = 0; i < n && rank == root; ++i) CHECK(result[i] == expected[i]);

    memset(result, 1, sizeof result);
    MPI_Gather(own, n, MPI_LONG, result, n, MPI_LONG, root, comm);
    for (r = 0; r < size && rank == root; ++r)
      for (i = 0; i < n; ++i) CHECK(result[r * n + i] == value(r, i));
  }
  memset(result, 1, sizeof result);
  MPI_Allreduce(own, result, n, MPI_LONG, MPI_MAX, comm);
  for (i = 0; i < n; ++i) {
    long most = value(0, i);
    for (r = 1; r < size; ++r) most = value(r, i) > most ? value(r, i) : most;
    CHECK(result[i] == most);
  }
  memset(result, 1, sizeof result);
  MPI_Allgather(own, n, MPI_LONG, result, n, MPI_LONG, comm);
  for (r = 0; r < size; ++r)
    for (i = 0; i < n; ++i) CHECK(result[r * n + i] == value(r, i));
  for (r = 0; r < size; ++r)
    for (i = 0; i < n; ++i) expected[r * n + i] = value(rank * size + r, i);
  memset(result, 1, sizeof result);
  MPI_Alltoall(expected, n, MPI_LONG, result, n, MPI_LONG, comm);
  for (r = 0; r < size; ++r)
    for (i = 0; i < n; ++i) CHECK(result[r * n + i] == value(r * size + rank, i));
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_LONG, expected, n, MPI_LONG, comm);
  CHECK(memcmp(expected, result, sizeof(long) * (size_t)(n * size)) == 0);
}

#define CHECK_TYPE(type, handle)                                                                \
  do {                                                                                          \
    int bytes, r;                                                                               \
    type own = (type)(rank + 1), result, sum = 0, most = (type)size, product = 1;               \
    MPI_Type_size(handle, &bytes);                                                              \
    CHECK(bytes == (int)sizeof(type));                                                          \
    for (r = 0; r < size; ++r) sum = (type)(sum + (type)(r + 1)), product = (type)(product * (type)(r + 1)); \
    MPI_Allreduce(&own, &result, 1, handle, MPI_SUM, MPI_COMM_WORLD);                           \
    CHECK(result == sum);                                                                       \
    MPI_Allreduce(&own, &result, 1, handle, MPI_PROD, MPI_COMM_WORLD);                          \
    CHECK(result == product);                                                                   \
    MPI_Allreduce(&own, &result, 1, handle, MPI_MAX, MPI_COMM_WORLD);                           \
    CHECK(result == most);                                                                      \
    MPI_Allreduce(&own, &result, 1, handle, MPI_MIN, MPI_COMM_WORLD);                           \
    CHECK(result == 1);                                                                         \
  } while (0)

int main(int argc, char** argv) {
  MPI_Comm twin;
  unsigned bits, expected = 0, all = ~0U, odd = 0;
  int r, yes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  all_of(MPI_COMM_WORLD, 1);
  all_of(twin, 0);
  all_of(twin, MOST);
  CHECK_TYPE(signed char, MPI_CHAR);
  CHECK_TYPE(unsigned char, MPI_UNSIGNED_CHAR);
  CHECK_TYPE(short, MPI_SHORT);
  CHECK_TYPE(unsigned short, MPI_UNSIGNED_SHORT);
  CHECK_TYPE(int, MPI_INT);
  CHECK_TYPE(unsigned, MPI_UNSIGNED);
  CHECK_TYPE(long, MPI_LONG);
  CHECK_TYPE(unsigned long, MPI_UNSIGNED_LONG);
  CHECK_TYPE(long long, MPI_LONG_LONG);
  CHECK_TYPE(float, MPI_FLOAT);
  CHECK_TYPE(double, MPI_DOUBLE);
  CHECK_TYPE(long double, MPI_LONG_DOUBLE);
  for (r = 0; r < size; ++r) expected |= 1U << r, all &= ~(1U << r), odd ^= (unsigned)r;
  bits = 1U << rank;
  MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_UNSIGNED, MPI_BOR, twin);
  CHECK(bits == expected);
  bits = ~(1U << rank);
  MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_UNSIGNED, MPI_BAND, twin);
  CHECK(bits == all);
  bits = (unsigned)rank;
  MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_UNSIGNED, MPI_BXOR, twin);
  CHECK(bits == odd);
  yes = rank == 0;
  MPI_Allreduce(MPI_IN_PLACE, &yes, 1, MPI_INT, MPI_LOR, twin);
  CHECK(yes == 1);
  MPI_Allreduce(MPI_IN_PLACE, &yes, 1, MPI_INT, MPI_LAND, twin);
  CHECK(yes == 1);
  yes = rank == 0;
  MPI_Allreduce(MPI_IN_PLACE, &yes, 1, MPI_INT, MPI_LXOR, twin);
  CHECK(yes == 1);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
