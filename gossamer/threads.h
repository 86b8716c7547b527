/* Threads of an existing program as fibers (gossamer/mpi/threads.h). */
#ifndef GOSSAMER_THREADS_FACE_H
#define GOSSAMER_THREADS_FACE_H

#include "gossamer/mpi/threads.h"

#endif
