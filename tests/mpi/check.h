/* What the C programs of these tests share. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "failed: %s:%d: %s\n", __FILE__, __LINE__, #condition);               \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                         \
    }                                                                                       \
  } while (0)

/* A generator of its own, so that all ranks draw the same numbers. */
static inline unsigned draw(unsigned long* state, unsigned below) {
  *state = *state * 6364136223846793005UL + 1442695040888963407UL;
  return (unsigned)(*state >> 33) % below;
}

#endif
