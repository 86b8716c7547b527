/* The subset of MPI for fibers (docs/mpi.md). Programs built by gossamer-mpicc find it as <mpi.h>, too. */
#ifndef GOSSAMER_MPI_FACE_H
#define GOSSAMER_MPI_FACE_H

#include "gossamer/mpi/include/mpi.h"

#endif
