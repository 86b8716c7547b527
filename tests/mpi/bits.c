/* Every rank gets the same bits from a reduction: of sums that hang on their order, of NaNs that differ, of zeros of both signs, and
   of all operations, whatever bytes the numbers are made of. The first argument is a seed. */
#include <math.h>
#include <string.h>

#include "check.h"

#define COUNT 257

static int rank, size;

/* Returns bits of a double of every kind. */
static double drawn(unsigned long* state) {
  const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, -1.0, 1e308, -1e308, 5e-324};
  const unsigned kind = draw(state, 16);
  unsigned long bits;
  double x;
  if (kind < 9) return special[kind];
  bits = (unsigned long)draw(state, 1U << 31) << 33 | (unsigned long)draw(state, 1U << 31) << 11 | draw(state, 1U << 11);
  if (kind < 12) bits |= 0x7ff8000000000000UL; /* a NaN: sign and the other bits are drawn */
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The bytes of all results of this rank so far. */
static char kept[1 << 19];
static size_t kept_bytes;

/* Compares them with those of all others. */
static void same_everywhere(const char* what) {
  char* const all = malloc(kept_bytes * (size_t)size);
  int r;
  MPI_Allgather(kept, (int)kept_bytes, MPI_BYTE, all, (int)kept_bytes, MPI_BYTE, MPI_COMM_WORLD);
  for (r = 0; r < size; ++r)
    if (memcmp(all + (size_t)r * kept_bytes, kept, kept_bytes) != 0) {
      fprintf(stderr, "failed: %s: ranks %d and %d differ\n", what, rank, r);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  free(all);
  kept_bytes = 0;
}

static void reduce_all(const void* own, MPI_Datatype type, MPI_Op op) {
  int bytes;
  MPI_Type_size(type, &bytes);
  bytes *= COUNT;
  CHECK(kept_bytes + (size_t)bytes <= sizeof kept);
  memset(kept + kept_bytes, rank, (size_t)bytes); /* what was there before is no part of a result */
  MPI_Allreduce(own, kept + kept_bytes, COUNT, type, op, MPI_COMM_WORLD);
  kept_bytes += (size_t)bytes;
}

static void numbers(unsigned long* state) {
  const MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD};
  const char* const names[] = {"maximum", "minimum", "sum", "product"};
  static double d[COUNT];
  static float f[COUNT];
  static long double l[COUNT];
  int i;
  memset(l, rank, sizeof l); /* padding, too */
  for (i = 0; i < COUNT; ++i) {
    long double x;
    d[i] = drawn(state);
    f[i] = (float)drawn(state);
    x = (long double)drawn(state) * 3;
    memcpy(&l[i], &x, 10);
  }
  for (i = 0; i < 4; ++i) {
    reduce_all(d, MPI_DOUBLE, ops[i]);
    reduce_all(f, MPI_FLOAT, ops[i]);
    if (size > 1) reduce_all(l, MPI_LONG_DOUBLE, ops[i]);
    memcpy(kept + kept_bytes, d, sizeof d);
    MPI_Allreduce(MPI_IN_PLACE, kept + kept_bytes, COUNT, MPI_DOUBLE, ops[i], MPI_COMM_WORLD);
    kept_bytes += sizeof d;
    same_everywhere(names[i]);
  }
}

static void integers(unsigned long* state) {
  const MPI_Op ops[] = {MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED_LONG};
  static unsigned char any[COUNT * 8];
  unsigned o, t, i;
  for (i = 0; i < sizeof any; ++i) any[i] = draw(state, 4) == 0 ? 0 : (unsigned char)draw(state, 256);
  for (o = 0; o < sizeof ops / sizeof *ops; ++o)
    for (t = 0; t < sizeof types / sizeof *types; ++t) reduce_all(any, types[t], ops[o]);
  same_everywhere("integers");
}

/* A loop on a residual ends on all ranks or on none. */
static void residual(void) {
  double mine = rank == size - 1 ? NAN : 1.0, most = 1.0;
  int turns;
  for (turns = 0; most > 0.5 && turns < 3; ++turns) MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CHECK(turns == 1 && isnan(most)); /* a NaN is passed on */
  mine = rank == 0 ? -0.0 : 0.0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CHECK(most == 0 && (size == 1 || !signbit(most)));
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  CHECK(most == 0 && signbit(most));
}

int main(int argc, char** argv) {
  unsigned long state;
  int turn;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  state = strtoul(argv[1], NULL, 10) * 1000 + (unsigned long)rank;
  for (turn = 0; turn < 3; ++turn) numbers(&state), integers(&state);
  residual();
  MPI_Finalize();
  if (rank == 0) printf("ok\n");
  return 0;
}
